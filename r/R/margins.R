# Tables of many columns, released together.

margins <- function(data, epsilon, delta, sets = 2, schema = NULL, column = NULL, categories = NULL, bins = NULL,
                    adjacency = "replace", unit = NULL, per_unit = NULL, where = NULL, other = NULL, missing = NULL,
                    level = 0.95, about = "population", ledger = NULL, account = NULL, again = FALSE, sign = NULL,
                    seed = NULL, input_format = NULL, delimiter = NULL, encoding = NULL, table = NULL, view = NULL,
                    name = NULL, edition = NULL, allow_large_delta = FALSE) {
  published(called(wrap__rs_margins, with_files(arguments())))
}

format.posterity_margins <- function(x, ...) {
  size <- x$tables$columns
  tables <- paste0(x$tables$tables, " of ", size, ifelse(size > 1, " columns", " column"), collapse = ", ")
  budget <- sprintf("epsilon %s, delta %s", format(x$epsilon), format(x$delta))
  sprintf("%s: tables: %s; %s, n %s", privacy(x), tables, budget, size_of(x))
}

print.posterity_margins <- function(x, ...) {
  cat(strwrap(format(x)), sep = "\n")
  cat("Columns: ", paste(names(x$columns), collapse = ", "), ". Read them with read(x, \"a | b\").\n", sep = "")
  invisible(x)
}

rows <- function(x, number = NULL, seed = 1) {
  found <- called(wrap__rs_rows, c(about_release(x), list(number = number, seed = seed)))
  columns <- lapply(found, function(column) factor(column$values[column$places], levels = column$values))
  data.frame(columns, check.names = FALSE)
}
