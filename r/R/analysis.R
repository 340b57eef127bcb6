# Analyses that help to choose: comparisons of mechanisms, inspections, audits and advice.

compare_mechanisms <- function(counts, epsilon, adjacency = "replace", prior = NULL, mechanisms = NULL, decode = NULL,
                               limit = FALSE, distance = "hellinger", by = "distance", runs = NULL, seed = 1,
                               max_outcomes = 4000000) {
  found <- called(wrap__rs_compare, arguments())
  for (text in found$left_out) {
    warning(structure(class = c("posterity_warning", "warning", "condition"), list(message = text, call = NULL)))
  }
  analysis(found$compared)
}

inspect <- function(counts, epsilon, adjacency = "replace", prior = NULL, mechanism = NULL, decode = NULL,
                    max_outcomes = 4000000) {
  analysis(called(wrap__rs_inspect, arguments()))
}

audit <- function(n = NULL, epsilon, adjacency = "replace", prior = NULL, k = NULL, counts = NULL, mechanism = NULL,
                  profile = NULL, certificate = NULL, max_probabilities = 2e10, force = FALSE) {
  analysis(called(wrap__rs_audit, arguments()))
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
  analysis(called(wrap__rs_advise, call))
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

# An analysis of a kind, whose rows are in a field that depends on it.
analysis <- function(found) {
  kind <- found$kind
  of_rows <- switch(kind, least = "others", inspection = "outcomes", audit = "profile", "rows")
  rows <- switch(kind,
    table = , least_table = forecasts_of(found$document$designs),
    rows_or_none(found$document[[of_rows]])
  )
  fields <- found$document[setdiff(names(found$document), of_rows)]
  structure(c(list(kind = kind, rows = rows, json = found$json), fields), class = "posterity_analysis")
}

to_json.posterity_analysis <- function(x, ...) x$json

format.posterity_analysis <- function(x, ...) {
  switch(x$kind,
    comparison = if (x$ranking == "width") {
      sprintf("NOT PRIVATE: %s is narrowest, %.4f", x$rows$specification[1], x$rows$width[1])
    } else {
      sprintf("NOT PRIVATE: %s is nearest, %.4f", x$rows$specification[1], x$rows$expected_distance[1])
    },
    inspection = sprintf("NOT PRIVATE: %s has %d outcomes, with an expected distance of %.4f", x$mechanism,
                         nrow(x$rows), x$expected_distance),
    audit = sprintf("%s loses at most %.6f, %s epsilon %s", x$mechanism, x$loss,
                    if (x$holds) "within" else "NOT within", format(x$claimed)),
    mechanism = sprintf("%s. %s", x$mechanism, x$reason),
    least = sprintf("epsilon %s. %s", if (is.null(x$epsilon)) "none" else format(x$epsilon), x$reason),
    sprintf("%s %s", x$recommendation, x$reason)
  )
}

print.posterity_analysis <- function(x, ...) {
  # An audit of all data sets of a size reads no data; one of some counts shows them.
  if (x$kind %in% c("comparison", "inspection") || x$kind == "audit" && !is.null(x$counts)) {
    cat("NOT PRIVATE: computed from the data without protection.\n\n")
  }
  most <- 40
  rows <- head(x$rows, most)
  if (x$kind == "inspection") rows$counts <- vapply(rows$counts, paste, "", collapse = ", ")
  flat <- !vapply(rows, is.list, NA)
  if (any(flat)) print(rows[flat], row.names = FALSE, digits = 4)
  if (nrow(x$rows) > most) cat("... and", nrow(x$rows) - most, "more rows; as.data.frame has all\n")
  # What is not private was said above.
  if (x$kind != "comparison") print_sentences(sub("^NOT PRIVATE: ", "", format(x)))
  if (x$kind == "audit") print_sentences(witness_of(x))
  invisible(x)
}

# Where an audit found the largest loss, in words.
witness_of <- function(x) {
  joined <- lapply(x$witness, paste, collapse = ", ")
  sprintf("It loses most where %s is released: counts %s against %s.", joined$outcome, joined$from, joined$to)
}

as.data.frame.posterity_analysis <- function(x, row.names = NULL, optional = FALSE, ...) {
  rows <- x$rows
  if (!is.null(row.names)) rownames(rows) <- row.names
  rows
}

summary.posterity_analysis <- function(object, ...) object

# What the rows compare: mechanisms by their distance or width, outcomes by their probability, and so on.
plot.posterity_analysis <- function(x, ...) {
  rows <- x$rows
  numbers <- names(rows)[vapply(rows, is.numeric, NA)]
  wanted <- switch(x$kind, inspection = "probability", comparison = if (x$ranking == "width") "width" else "expected_distance")
  column <- c(intersect(wanted, numbers), numbers)[1]
  if (nrow(rows) == 0 || is.na(column)) {
    stop(posterity_error("argument", "x: this analysis has no rows of numbers, so there is nothing to draw"))
  }
  labels <- if (x$kind == "inspection") {
    vapply(rows$counts, paste, "", collapse = ", ")
  } else {
    texts <- names(rows)[vapply(rows, is.character, NA)]
    texts <- c(intersect("specification", texts), texts)
    if (length(texts) > 0) rows[[texts[1]]] else as.character(rows[[1]])
  }
  most <- seq_len(min(nrow(rows), 40))
  plot_numbers(rows[[column]][most], labels[most], format(x), column)
  invisible(x)
}
