# Readings and comparisons, from a release alone.

read <- function(x, reading, ...) UseMethod("read")

read.posterity_published <- function(x, reading, level = NULL, interval_kind = NULL, about = NULL, simultaneous = NULL,
                                     draws = 100000, seed = 1, ...) {
  asked <- list(reading = reading, level = level, interval_kind = interval_kind, about = about, simultaneous = simultaneous,
                draws = draws, seed = seed)
  structure(called(wrap__rs_read, c(about_release(x), asked)), class = "posterity_reading")
}

# The share of each value of a column, or of each combination of values of several.
marginal <- function(x, columns, ...) read(x, terms_of(columns), ...)

# Shares within values of other columns.
given <- function(x, of, given, ...) read(x, paste(terms_of(of), "|", terms_of(given)), ...)

# The share of `of` where a column has the first value, or one of them, minus that where it has the second.
difference <- function(x, of, column, first, second, ...) {
  compare(x, sprintf("%s | %s: %s - %s", terms_of(of), quoted(column), values_of(first), values_of(second)), ...)
}

# Names or values as readings write them.
quoted <- function(names) paste0("\"", gsub("([\"\\\\])", "\\\\\\1", label_text(names)), "\"")

# Values as they would be printed in a file: TRUE is the label true.
label_text <- function(values) if (is.logical(values)) tolower(as.character(values)) else as.character(values)

# One value, or several in braces.
values_of <- function(values) {
  if (length(values) == 1) quoted(values) else paste0("{", paste(quoted(values), collapse = ", "), "}")
}

# Columns, or columns with values: c("ward", "cured"), or list(cured = "yes").
terms_of <- function(terms) {
  if (is.null(names(terms))) return(paste(quoted(terms), collapse = ", "))
  paste0(quoted(names(terms)), "=", vapply(terms, values_of, ""), collapse = ", ")
}

format.posterity_reading <- function(x, ...) sprintf("%s: %d rows, %s", x$reading, nrow(x$rows), x$method)

print.posterity_reading <- function(x, ...) {
  cat(x$text)
  print_sentences(c(x$below, unprotected(x$rows)))
  invisible(x)
}

summary.posterity_reading <- function(object, ...) object

as.data.frame.posterity_reading <- function(x, row.names = NULL, optional = FALSE, ...) {
  rows <- x$rows[setdiff(names(x$rows), c("median", "probability_larger"))]
  if (!is.null(row.names)) rownames(rows) <- row.names
  rows
}

# What must be said of numbers that come from a draw that protects nobody.
unprotected <- function(rows) if (!all(rows$private)) "NOT PRIVATE: the draw promises nothing."

# A title, with the same.
titled <- function(text, rows) if (all(rows$private)) text else paste("NOT PRIVATE:", text)

# The number that is shown of each row.
shown_of <- function(reading) {
  rows <- reading$rows
  shown <- if (reading$interval_kind == "confidence") rows$estimate else rows$mean
  shown[is.na(shown)] <- rows$mean[is.na(shown)]
  shown
}

coef.posterity_reading <- function(object, ...) stats::setNames(shown_of(object), labels_of(object))

confint.posterity_reading <- function(object, parm, level = object$level, ...) {
  if (!identical(level, object$level)) {
    stop(posterity_error("argument", "level: a reading has intervals of one level; read it again with another one"))
  }
  ends <- as.matrix(object$rows[c("low", "high")])
  dimnames(ends) <- list(labels_of(object), paste(format(100 * c((1 - level) / 2, (1 + level) / 2), trim = TRUE), "%"))
  if (missing(parm)) ends else ends[parm, , drop = FALSE]
}

# The values that name each row of a reading.
labels_of <- function(reading) {
  columns <- intersect(unique(c(reading$given, reading$of)), names(reading$rows))
  values <- reading$rows[columns]
  known <- columns[!vapply(values, function(one) all(is.na(one)), NA)]
  if (length(known) == 0) return(rep(reading$reading, nrow(reading$rows)))
  parts <- lapply(known, function(name) paste0(name, "=", values[[name]]))
  do.call(paste, c(parts, sep = ","))
}

plot.posterity_reading <- function(x, ...) {
  plot_intervals(shown_of(x), x$rows$low, x$rows$high, labels_of(x),
                 paste0(titled(x$reading, x$rows), "\n", x$head))
  invisible(x)
}

compare <- function(x, ...) UseMethod("compare")

compare.posterity_published <- function(x, comparison, level = NULL, interval_kind = NULL, about = NULL, draws = 100000,
                                        seed = 1, ...) {
  asked <- list(comparison = comparison, level = level, interval_kind = interval_kind, about = about, draws = draws,
                seed = seed)
  structure(called(wrap__rs_contrast, c(about_release(x), asked)), class = "posterity_contrast")
}

compare.default <- function(x, ...) {
  stop(posterity_error("argument", "x: this is no release; compare_mechanisms compares mechanisms at counts"))
}

# The number that is shown of the first measure.
first_of <- function(x) {
  first <- x$measures[1, ]
  if (x$interval_kind == "confidence" && !is.na(first$estimate)) first$estimate else first$median
}

format.posterity_contrast <- function(x, ...) {
  sprintf("%s: %.4f (%.4f to %.4f)", x$comparison, first_of(x), x$measures$low[1], x$measures$high[1])
}

print.posterity_contrast <- function(x, ...) {
  cat(x$comparison, "\n\n", x$text, sep = "")
  print_sentences(c(x$below, unprotected(x$measures)))
  invisible(x)
}

summary.posterity_contrast <- function(object, ...) object

as.data.frame.posterity_contrast <- function(x, row.names = NULL, optional = FALSE, ...) {
  rows <- x$measures
  if (!is.null(row.names)) rownames(rows) <- row.names
  rows
}

# The first measure. A difference of nothing is a line.
plot.posterity_contrast <- function(x, ...) {
  first <- x$measures[1, ]
  nothing <- if (startsWith(first$measure, "difference")) 0 else if (grepl("ratio", first$measure)) 1
  plot_intervals(first_of(x), first$low, first$high, first$measure, titled(x$comparison, first), at = nothing)
  invisible(x)
}
