# What a release would leave out, for whoever prepares the data. Nothing of it is private.

check <- function(data, column = NULL, categories = NULL, bins = NULL, schema = NULL, where = NULL, within = NULL, other = NULL,
                  missing = NULL, unit = NULL, per_unit = NULL, input_format = NULL, delimiter = NULL,
                  encoding = NULL, table = NULL, view = NULL) {
  found <- called(wrap__rs_check, with_files(arguments()))
  frequent <- found$columns$most_frequent
  found$columns$most_frequent <- NULL
  structure(c(list(private = FALSE), found, list(undeclared = frequent_of(found$columns$name, frequent))),
            class = "posterity_check")
}

# The undeclared values that are most frequent, which are known of files only: a row for each.
frequent_of <- function(columns, frequent) {
  pairs <- function(place) {
    of_column <- frequent[[place]]
    data.frame(column = rep(columns[place], length(of_column)), value = vapply(of_column, function(one) one[[1]], ""),
               records = vapply(of_column, function(one) one[[2]], 0))
  }
  none <- data.frame(column = character(), value = character(), records = numeric())
  do.call(rbind, c(list(none), lapply(seq_along(frequent), pairs)))
}

format.posterity_check <- function(x, ...) {
  sprintf("NOT PRIVATE: %s of %s records count", format(x$counted, scientific = FALSE),
          format(x$records, scientific = FALSE))
}

print.posterity_check <- function(x, ...) {
  cat(format(x), "\n", sep = "")
  rows <- as.data.frame(x)
  rows <- rows[rows$records > 0 & !(rows$what %in% c("records", "counted")), ]
  if (nrow(rows) > 0) {
    cat("\n")
    print(rows, row.names = FALSE)
  }
  if (nrow(x$undeclared) > 0) {
    cat("\nThe most frequent values that are not declared:\n\n")
    print(x$undeclared, row.names = FALSE)
  }
  invisible(x)
}

as.data.frame.posterity_check <- function(x, row.names = NULL, optional = FALSE, ...) {
  whole <- Filter(is.numeric, unclass(x))
  kinds <- c("undeclared", "missing", "unnamed")
  # Labels without a table have no name.
  of <- if (is.null(x$columns$name)) "labels" else x$columns$name
  parts <- lapply(kinds, function(kind) data.frame(what = kind, column = of, records = x$columns[[kind]]))
  whole <- data.frame(what = names(whole), column = NA_character_, records = unlist(whole))
  found <- do.call(rbind, c(list(whole), parts))
  rownames(found) <- row.names
  found
}

summary.posterity_check <- function(object, ...) object

# How many records count, and how many each reason leaves out.
plot.posterity_check <- function(x, ...) {
  rows <- as.data.frame(x)
  rows <- rows[!is.na(rows$records), ]
  of <- ifelse(is.na(rows$column), "", paste0(" (", rows$column, ")"))
  plot_numbers(rows$records, paste0(rows$what, of), format(x), "records")
  invisible(x)
}
