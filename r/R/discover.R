# Categories that nobody declared.

discover <- function(data, column, epsilon, delta, total_epsilon = NULL, unit = NULL, per_unit = NULL,
                     one_record_per_person = NULL, where = NULL, missing = NULL, level = NULL, plan = NULL,
                     ledger = NULL, account = NULL, again = FALSE, sign = NULL, seed = NULL, input_format = NULL,
                     delimiter = NULL, encoding = NULL, table = NULL, view = NULL, name = NULL, edition = NULL,
                     allow_large_delta = NULL) {
  published(called(wrap__rs_discover, with_files(arguments())))
}

format.posterity_discovered <- function(x, ...) {
  number <- length(x$values)
  found <- if (number == 1) "1 value" else paste(number, "values")
  sprintf("%s: %s of %s passed the threshold of %s; epsilon %s, delta %s, n private", privacy(x), found, x$column,
          format(x$threshold, scientific = FALSE), format(x$epsilon), format(x$delta))
}

# A row for each value, in the order of their names.
as.data.frame.posterity_discovered <- function(x, row.names = NULL, optional = FALSE, ...) {
  ends <- matrix(x$ends, ncol = 2)
  rows <- data.frame(value = x$values, count = unname(x$count), low = ends[, 1], high = ends[, 2],
                     row.names = row.names)
  if (!is.null(x$share)) {
    ends <- matrix(x$share_ends, ncol = 2)
    rows <- cbind(rows, share = unname(x$share), share_low = ends[, 1], share_high = ends[, 2])
  }
  names(rows)[1] <- x$column
  rows
}

# The counts with their intervals, the largest above.
plot.posterity_discovered <- function(x, ...) {
  if (length(x$values) == 0) {
    stop(posterity_error("argument", "x: no value passed the threshold, so there is nothing to draw"))
  }
  rows <- as.data.frame(x)
  rows <- rows[order(-rows$count), ]
  plot_intervals(rows$count, rows$low, rows$high, rows[[1]], paste0(format(x), "\n", numbers_head(x)), xlab = "count")
  invisible(x)
}
