# Releases, and the functions that make and read them. Their documentation is in man/.

release <- function(data, epsilon, column = NULL, categories = NULL, bins = NULL, where = NULL, within = NULL,
                    other = NULL, missing = NULL, unit = NULL, per_unit = NULL, adjacency = "replace", most = NULL,
                    prior = NULL, mechanism = NULL, decode = NULL, level = 0.95, interval_kind = "confidence",
                    about = "population", simultaneous = FALSE, ledger = NULL, account = NULL, again = FALSE,
                    sign = NULL, seed = NULL, not_private = FALSE, certificate = NULL, input_format = NULL,
                    delimiter = NULL, encoding = NULL, table = NULL, view = NULL, name = NULL, edition = NULL) {
  published(called(wrap__rs_release, with_files(arguments())))
}

# Where a column is asked for, a text is the path of files.
with_files <- function(call) {
  if (is.character(call$data) && !(is.null(call$column) && is.null(call$schema))) call$data <- path.expand(call$data)
  call
}

load_release <- function(path) published(called(wrap__rs_load, arguments()))

to_json <- function(x, ...) UseMethod("to_json")

to_json.posterity_published <- function(x, ...) called(wrap__rs_json, about_release(x))

interval <- function(x, level = x$level, interval_kind = NULL, about = NULL, simultaneous = NULL) {
  asked <- list(level = level, interval_kind = interval_kind, about = about, simultaneous = simultaneous)
  ends <- called(wrap__rs_interval, c(about_release(x), asked))
  names <- if (inherits(x, "posterity_discovered")) x$values else x$categories
  matrix(ends, ncol = 2, dimnames = list(names, c("low", "high")))
}

draws <- function(x, size = 4000, seed = NULL, reading = NULL) {
  drawn <- called(wrap__rs_draws, c(about_release(x), list(size = size, seed = seed, reading = reading)))
  names <- if (is.null(reading)) x$categories else labels_of(read(x, reading))
  matrix(drawn, ncol = length(names), byrow = TRUE, dimnames = list(NULL, names))
}

picture <- function(x, path, reading = NULL, kind = NULL, level = NULL, interval_kind = NULL, about = NULL,
                    simultaneous = NULL, draws = 100000, seed = 1, force = FALSE) {
  asked <- list(path = path, force = force, reading = reading, kind = kind, level = level, interval_kind = interval_kind,
                about = about, simultaneous = simultaneous, draws = draws, seed = seed, format = ending(path))
  called(wrap__rs_picture, c(about_release(x), asked))
  invisible(path)
}

# What stands behind the last dot of a path.
ending <- function(path) tolower(sub(".*[.]", "", path))

# One line on a release.
format.posterity_release <- function(x, ...) {
  sprintf("%s: %s, epsilon %s, n %s", privacy(x), x$mechanism, format(x$epsilon), size_of(x))
}

privacy <- function(x) if (isTRUE(x$private)) "private" else "NOT PRIVATE"

size_of <- function(x) if (is.na(x$n)) "private" else format(x$n, scientific = FALSE)

print.posterity_release <- function(x, ...) {
  shown <- called(wrap__rs_shown, about_release(x))
  print_rows(shown$rows, shown$more)
  print_sentences(c(shown$below, paste0("Posterior, ", format(x), ". Its summary says what is promised.")))
  invisible(x)
}

# Rows as people read them, and how many are left out.
print_rows <- function(rows, more = 0) {
  print(rows, row.names = FALSE, right = TRUE)
  if (more > 0) cat("... and", more, "more rows; as.data.frame has all\n")
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
  print_sentences(c(x$title, x$guarantee, paste0("Budget: ", sub("[.]?$", ".", x$paid)), x$notes))
  invisible(x)
}

as.data.frame.posterity_release <- function(x, row.names = NULL, optional = FALSE, ...) {
  as.data.frame(read(x, terms_of(names(x$columns))), row.names = row.names, optional = optional)
}

# Columns as readings write them.
terms_of <- function(names) {
  paste0("\"", gsub("([\"\\\\])", "\\\\\\1", names), "\"", collapse = ", ")
}

plot.posterity_release <- function(x, ...) {
  found <- called(wrap__rs_lines, about_release(x))
  # If there are many categories, only the largest have a line.
  largest <- order(-x$share)[seq_along(found)]
  shown <- x$categories[sort(largest)]
  top <- max(vapply(found, function(line) max(line$y), 0))
  depth <- -0.04 * top * seq_along(found)
  colours <- rep_len(palette.colors(8), length(found))
  plot.new()
  plot.window(xlim = range(lapply(found, function(line) line$x)), ylim = c(min(depth), top))
  axis(1)
  ends <- interval(x)[shown, , drop = FALSE]
  for (place in seq_along(found)) lines(found[[place]]$x, found[[place]]$y, col = colours[place])
  segments(ends[, "low"], depth, ends[, "high"], depth, col = colours, lwd = 3)
  legend("topright", legend = shown, col = colours, lty = 1, bty = "n")
  head <- called(wrap__rs_shown, about_release(x))$intervals
  title(main = paste0(format(x), "\n", head), xlab = "proportion", font.main = 1, cex.main = 1)
  invisible(x)
}
