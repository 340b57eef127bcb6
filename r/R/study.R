# Many questions of one source under one budget.

study <- function(plan, data = NULL, out = results_of(plan), again = FALSE, sign = NULL, seed = NULL) {
  found <- called(wrap__rs_study, list(plan = plan, data = data, out = out, again = again, sign = sign, seed = seed))
  documents <- lapply(found$documents, published)
  structure(documents, folder = found$folder, report = file.path(found$folder, "report.html"), class = "posterity_study")
}

# The folder for the results of a plan in a file.
results_of <- function(plan) {
  is_path <- is.character(plan) && length(plan) == 1 && !grepl("\n", plan) && !grepl("^[[:space:]]*[{]", plan)
  if (!is_path) {
    stop(posterity_error("argument", "out: name the folder for the results; only a plan in a file gives them a name"))
  }
  sub("[.][^.]*$", "", basename(plan))
}

format.posterity_study <- function(x, ...) {
  private <- all(vapply(unclass(x), function(release) isTRUE(release$private), NA))
  sprintf("%s: study with the questions %s, in %s", if (private) "private" else "NOT PRIVATE",
          paste(names(x), collapse = ", "), attr(x, "folder"))
}

print.posterity_study <- function(x, ...) {
  cat(strwrap(format(x)), sep = "\n")
  invisible(x)
}

# A row for each answer.
as.data.frame.posterity_study <- function(x, row.names = NULL, optional = FALSE, ...) {
  of <- function(field, none) vapply(unclass(x), function(one) if (is.null(one[[field]])) none else one[[field]][1], none)
  rows <- data.frame(question = names(x), kind = of("kind", ""), private = of("private", NA), n = of("n", NA_real_),
                     epsilon = of("epsilon", NA_real_), row.names = row.names)
  if (is.null(row.names)) rownames(rows) <- NULL
  rows
}

# Each answer, one after the other.
plot.posterity_study <- function(x, ...) {
  for (answer in unclass(x)) plot(answer, ...)
  invisible(x)
}

summary.posterity_study <- function(object, ...) lapply(unclass(object), summary)
