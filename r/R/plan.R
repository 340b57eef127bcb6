# Plans: what a release, tables of many columns or a discovery is asked for, as a list.

plan_of <- function(x, ...) UseMethod("plan_of")

plan_of.posterity_published <- function(x, ...) {
  if (is.null(x$plan)) {
    stop(posterity_error("argument", "x: a document that was loaded does not say its plan; it says what was asked"))
  }
  x$plan
}

# The plan that the arguments of a function say. Nothing is counted or charged.
plan_of.function <- function(x, ...) {
  asks <- list(release = release, margins = margins, discover = discover)
  asks <- names(asks)[vapply(asks, identical, NA, x)]
  if (length(asks) == 0) {
    stop(posterity_error("argument", "x: name release, margins or discover, or give a release or a plan"))
  }
  given <- as.list(match.call(x, as.call(c(list(x), list(...)))))[-1]
  if (asks == "margins") given <- with_sets(given)
  called(wrap__rs_plan, c(with_files(given), list(asks = asks)))
}

# A plan in a file, in a text or in a list, which is checked.
plan_of.default <- function(x, ...) called(wrap__rs_plan, list(plan = x))

plan_text <- function(x, json) called(wrap__rs_plan_text, list(plan = x, json = json))

format.posterity_plan <- function(x, ...) plan_text(x, json = FALSE)

print.posterity_plan <- function(x, ...) {
  cat(format(x))
  invisible(x)
}

to_json.posterity_plan <- function(x, ...) plan_text(x, json = TRUE)
