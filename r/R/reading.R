# Readings and comparisons, from a release alone.

read <- function(x, reading, ...) UseMethod("read")

read.posterity_published <- function(x, reading, level = NULL, interval_kind = NULL, about = NULL, simultaneous = NULL,
                                     draws = 100000, seed = 1, ...) {
  asked <- list(reading = reading, level = level, interval_kind = interval_kind, about = about, simultaneous = simultaneous,
                draws = draws, seed = seed)
  structure(called(wrap__rs_read, c(about_release(x), asked)), class = "posterity_reading")
}

format.posterity_reading <- function(x, ...) sprintf("%s: %d rows, %s", x$reading, nrow(x$rows), x$method)

print.posterity_reading <- function(x, ...) {
  print_rows(x$shown, x$more)
  print_sentences(x$below)
  invisible(x)
}

as.data.frame.posterity_reading <- function(x, row.names = NULL, optional = FALSE, ...) {
  rows <- x$rows[setdiff(names(x$rows), c("median", "probability_larger"))]
  if (!is.null(row.names)) rownames(rows) <- row.names
  rows
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
  rows <- x$rows
  shown <- if (x$interval == "confidence") rows$estimate else rows$mean
  shown[is.na(shown)] <- rows$mean[is.na(shown)]
  plot_intervals(shown, rows$low, rows$high, labels_of(x), paste0(x$reading, "\n", names(x$shown)[ncol(x$shown)]))
  invisible(x)
}

# Numbers with their intervals, the first one above.
plot_intervals <- function(shown, low, high, labels, main) {
  places <- rev(seq_along(shown))
  plot.new()
  plot.window(xlim = range(low, high, shown), ylim = c(0.5, length(shown) + 0.5))
  axis(1)
  segments(low, places, high, places, lwd = 2)
  points(shown, places, pch = 19)
  axis(2, at = places, labels = labels, las = 1, tick = FALSE, cex.axis = 0.7)
  title(main = main, font.main = 1, cex.main = 1)
}

compare <- function(x, ...) UseMethod("compare")

compare.posterity_published <- function(x, comparison, level = NULL, interval_kind = NULL, about = NULL, draws = 100000,
                                        seed = 1, ...) {
  asked <- list(comparison = comparison, level = level, interval_kind = interval_kind, about = about, draws = draws, seed = seed)
  structure(called(wrap__rs_contrast, c(about_release(x), asked)), class = "posterity_contrast")
}

format.posterity_contrast <- function(x, ...) {
  first <- x$measures[1, ]
  shown <- if (x$interval == "confidence" && !is.na(first$estimate)) first$estimate else first$median
  sprintf("%s: %.4f (%.4f to %.4f)", x$comparison, shown, first$low, first$high)
}

print.posterity_contrast <- function(x, ...) {
  cat(x$comparison, "\n\n", sep = "")
  print_rows(x$shown)
  print_sentences(x$below)
  invisible(x)
}

as.data.frame.posterity_contrast <- function(x, row.names = NULL, optional = FALSE, ...) {
  rows <- x$measures
  if (!is.null(row.names)) rownames(rows) <- row.names
  rows
}
