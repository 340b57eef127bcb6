# Analyses that help to choose: comparisons of mechanisms, and advice.

compare.default <- function(x, epsilon, adjacency = "replace", prior = NULL, mechanisms = NULL, decode = NULL,
                            limit = FALSE, distance = "hellinger", runs = NULL, seed = 1, max_outcomes = 4000000, ...) {
  found <- called(wrap__rs_compare, arguments())
  for (text in found$left_out) {
    warning(structure(class = c("posterity_warning", "warning", "condition"), list(message = text, call = NULL)))
  }
  analysis(found, "comparison", found$document$rows)
}

advise <- function(n, epsilon = NULL, adjacency = "replace", prior = NULL, k = NULL, shape = NULL, shape_from = NULL,
                   half_width = NULL, distance = NULL, level = 0.95, mechanisms = NULL, columns = NULL, read = NULL) {
  call <- arguments()
  if (is.null(columns) && identical(adjacency, "add-remove")) call <- on_one_column(call)
  document <- NULL
  if (inherits(shape_from, "posterity_published")) {
    document <- tempfile(fileext = ".json")
    on.exit(unlink(document))
    writeLines(to_json(shape_from), document, useBytes = TRUE)
    call$shape_from <- document
  }
  found <- called(wrap__rs_advise, call)
  rows <- switch(found$kind,
    mechanism = found$document$rows,
    least = found$document$others,
    forecasts_of(found$document$designs)
  )
  analysis(found, found$kind, rows)
}

# Where n is private there is one mechanism and nothing to rank: the advice is that for a table of one column.
on_one_column <- function(call) {
  for (name in c("prior", "distance", "mechanisms")) {
    if (!is.null(call[[name]])) {
      why <- ": this is for a public n; with adjacency = \"add-remove\", leave it out"
      stop(posterity_error("argument", paste0(name, why)))
    }
  }
  if (is.null(call$k)) stop(posterity_error("argument", "k: give the number of categories, or columns"))
  if (!is.null(call$shape) && !is.list(call$shape)) call$shape <- list(category = call$shape)
  call$columns <- c(category = call$k)
  call$k <- NULL
  call
}

# The expected half-width of each reading, by designs.
forecasts_of <- function(designs) {
  if (length(designs) == 0) return(data.frame())
  one <- function(place) cbind(design = designs$name[place], designs$readings[[place]])
  do.call(rbind, lapply(seq_len(nrow(designs)), one))
}

analysis <- function(found, kind, rows) {
  fields <- found$document[setdiff(names(found$document), "rows")]
  structure(c(list(kind = kind, rows = rows, json = found$json), fields), class = "posterity_analysis")
}

to_json.posterity_analysis <- function(x, ...) x$json

format.posterity_analysis <- function(x, ...) {
  switch(x$kind,
    comparison = sprintf("NOT PRIVATE: %s is nearest, %.4f", x$rows$mechanism[1], x$rows$expected_distance[1]),
    mechanism = sprintf("%s. %s", x$mechanism, x$reason),
    least = sprintf("epsilon %s. %s", if (is.null(x$epsilon)) "none" else format(x$epsilon), x$reason),
    sprintf("%s %s", x$recommendation, x$reason)
  )
}

print.posterity_analysis <- function(x, ...) {
  if (x$kind == "comparison") cat("NOT PRIVATE: computed from the data without protection.\n\n")
  flat <- !vapply(x$rows, is.list, NA)
  if (length(flat) > 0) print(x$rows[flat], row.names = FALSE, digits = 4)
  if (x$kind != "comparison") print_sentences(format(x))
  invisible(x)
}

as.data.frame.posterity_analysis <- function(x, row.names = NULL, optional = FALSE, ...) {
  rows <- x$rows
  if (!is.null(row.names)) rownames(rows) <- row.names
  rows
}
