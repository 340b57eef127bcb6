# Tables of many columns, released together.

margins <- function(data, epsilon, delta, sets = NULL, schema = NULL, column = NULL, categories = NULL, bins = NULL,
                    adjacency = NULL, unit = NULL, per_unit = NULL, where = NULL, other = NULL, missing = NULL,
                    read = NULL, compare = NULL, level = NULL, interval_kind = NULL, about = NULL, simultaneous = NULL,
                    plan = NULL, ledger = NULL, account = NULL, again = FALSE, sign = NULL, seed = NULL,
                    input_format = NULL, delimiter = NULL, encoding = NULL, table = NULL, view = NULL, name = NULL,
                    edition = NULL, allow_large_delta = NULL) {
  published(called(wrap__rs_margins, with_sets(with_files(arguments()))))
}

# Tables of all pairs of columns, if nothing else is asked for.
with_sets <- function(call) {
  if (is.null(call$sets) && is.null(call$plan)) call$sets <- 2
  call
}

format.posterity_margins <- function(x, ...) {
  size <- x$tables$columns
  tables <- paste0(x$tables$tables, " of ", size, ifelse(size > 1, " columns", " column"), collapse = ", ")
  budget <- sprintf("epsilon %s, delta %s", format(x$epsilon), format(x$delta))
  sprintf("%s: tables: %s; %s, n %s", privacy(x), tables, budget, size_of(x))
}

# All readings of the document, one below the other.
as.data.frame.posterity_margins <- function(x, row.names = NULL, optional = FALSE, ...) {
  rows <- called(wrap__rs_records, about_release(x))
  rows <- rows[setdiff(names(rows), c("median", "probability_larger"))]
  if (!is.null(row.names)) rownames(rows) <- row.names
  rows
}

# All readings of the document, one below the other.
plot.posterity_margins <- function(x, ...) {
  tables <- called(wrap__rs_tables, about_release(x))
  all <- function(of) unlist(lapply(tables, of))
  labels <- all(function(table) if (length(table$given) + length(table$of) > 0) labels_of(table) else table$reading)
  plot_intervals(all(shown_of), all(function(table) table$rows$low), all(function(table) table$rows$high), labels,
                 paste0(format(x), "\n", tables[[1]]$head))
  invisible(x)
}

rows <- function(x, number = NULL, seed = 1) {
  found <- called(wrap__rs_rows, c(about_release(x), list(number = number, seed = seed)))
  columns <- lapply(found, function(column) factor(column$values[column$places], levels = column$values))
  data.frame(columns, check.names = FALSE)
}
