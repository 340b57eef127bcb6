# What all that is published has in common, whatever it holds.

load_release <- function(path) published(called(wrap__rs_load, list(path = path)))

from_json <- function(text) published(called(wrap__rs_load, list(text = paste(text, collapse = "\n"))))

save_release <- function(x, path, force = FALSE) {
  called(wrap__rs_save, c(about_release(x), list(path = path, force = force)))
  invisible(path)
}

to_json <- function(x, ...) UseMethod("to_json")

to_json.posterity_published <- function(x, ...) called(wrap__rs_json, about_release(x))

describe <- function(x, as = "sheet", format = "markdown", ledger = NULL) {
  structure(called(wrap__rs_describe, c(about_release(x), options_of())), class = "posterity_description")
}

format.posterity_description <- function(x, ...) unclass(x)

print.posterity_description <- function(x, ...) {
  cat(x, "\n", sep = "")
  invisible(x)
}

# The numbers that are shown of all categories, with their intervals.
numbers_of <- function(x, level = NULL, interval_kind = NULL, about = NULL, simultaneous = NULL) {
  called(wrap__rs_interval, c(about_release(x), options_of()))
}

interval <- function(x, level = NULL, interval_kind = NULL, about = NULL, simultaneous = NULL) {
  found <- numbers_of(x, level, interval_kind, about, simultaneous)
  matrix(c(found$low, found$high), ncol = 2, dimnames = list(found$names, c("low", "high")))
}

confint.posterity_published <- function(object, parm, level = object$level, ...) {
  ends <- interval(object, level = level, ...)
  tails <- c((1 - level) / 2, (1 + level) / 2)
  colnames(ends) <- paste(format(100 * tails, trim = TRUE, digits = 3), "%")
  if (missing(parm)) ends else ends[parm, , drop = FALSE]
}

coef.posterity_published <- function(object, ...) {
  found <- numbers_of(object)
  stats::setNames(found$shown, found$names)
}

# The ends of credible intervals are quantiles of the posterior, with the noise in it.
quantile.posterity_published <- function(x, probs = c(0.025, 0.25, 0.5, 0.75, 0.975), reading = NULL, ...) {
  if (!is.numeric(probs) || anyNA(probs) || any(probs <= 0 | probs >= 1)) {
    stop(posterity_error("argument", "probs: give numbers between 0 and 1"))
  }
  one <- function(p) {
    # The median is where an interval of hardly any probability lies.
    level <- max(abs(1 - 2 * p), 1e-9)
    if (is.null(reading)) {
      found <- numbers_of(x, level, "credible", "population")
    } else {
      rows <- read(x, reading, level = level, interval_kind = "credible", about = "population")
      found <- list(names = labels_of(rows), low = rows$rows$low, high = rows$rows$high)
    }
    stats::setNames(if (p < 0.5) found$low else found$high, found$names)
  }
  columns <- lapply(probs, one)
  names <- paste0(format(100 * probs, trim = TRUE, digits = 7), "%")
  matrix(unlist(columns), ncol = length(probs), dimnames = list(names(columns[[1]]), names))
}

`[.posterity_published` <- function(x, reading, ...) read(x, reading, ...)

privacy <- function(x) if (isTRUE(x$private)) "private" else "NOT PRIVATE"

size_of <- function(x) if (is.na(x$n)) "private" else format(x$n, scientific = FALSE)

print.posterity_published <- function(x, ...) {
  shown <- called(wrap__rs_shown, about_release(x))
  cat(paste(shown$tables, collapse = "\n"))
  print_sentences(c(shown$below, paste0(format(x), ". Its summary says what is promised.")))
  invisible(x)
}

# Sentences, each on lines of its own.
print_sentences <- function(sentences) {
  for (sentence in sentences) cat("\n", paste0(strwrap(sentence), "\n"), sep = "")
}

summary.posterity_published <- function(object, ...) {
  structure(list(title = format(object), guarantee = object$guarantee, paid = object$paid, notes = object$notes),
            class = "summary.posterity_published")
}

print.summary.posterity_published <- function(x, ...) {
  # That a seed protects nothing is the promise itself.
  notes <- x$notes[!startsWith(x$notes, "Drawn from seed")]
  print_sentences(c(x$title, x$guarantee, paste0("Budget: ", sub("[.]?$", ".", x$paid)), notes))
  invisible(x)
}
