# Releases, and the functions that make and read them. Their documentation is in man/.

release <- function(data, epsilon, column = NULL, categories = NULL, bins = NULL, schema = NULL, where = NULL,
                    within = NULL, other = NULL, missing = NULL, unit = NULL, per_unit = NULL, adjacency = NULL,
                    most = NULL, prior = NULL, prior_outside = NULL, mechanism = NULL, decode = NULL, rate = NULL,
                    read = NULL, compare = NULL, level = NULL, interval_kind = NULL, about = NULL, simultaneous = NULL,
                    plan = NULL, ledger = NULL, account = NULL, again = FALSE, sign = NULL, seed = NULL, not_private = FALSE,
                    certificate = NULL, input_format = NULL, delimiter = NULL, encoding = NULL, table = NULL,
                    view = NULL, name = NULL, edition = NULL) {
  published(called(wrap__rs_release, with_files(arguments())))
}

# Where a column is asked for, a text is the path of files.
with_files <- function(call) {
  has_columns <- !(is.null(call$column) && is.null(call$schema) && is.null(call$rate) && is.null(call$plan))
  if (is.character(call$data) && has_columns) call$data <- path.expand(call$data)
  call
}

draws <- function(x, size = 4000, seed = NULL, reading = NULL) {
  drawn <- called(wrap__rs_draws, c(about_release(x), list(size = size, seed = seed, reading = reading)))
  names <- if (is.null(reading)) x$categories else labels_of(read(x, reading))
  matrix(drawn, ncol = length(names), byrow = TRUE, dimnames = list(NULL, names))
}

picture <- function(x, path, reading = NULL, kind = NULL, level = NULL, interval_kind = NULL, about = NULL,
                    simultaneous = NULL, draws = 100000, seed = 1, force = FALSE) {
  asked <- c(options_of(), list(format = ending(path)))
  called(wrap__rs_picture, c(about_release(x), asked))
  invisible(path)
}

# What stands behind the last dot of a path.
ending <- function(path) tolower(sub(".*[.]", "", path))

# One line on a release.
format.posterity_release <- function(x, ...) {
  sprintf("%s: %s, epsilon %s, n %s", privacy(x), x$mechanism, format(x$epsilon), size_of(x))
}

as.data.frame.posterity_release <- function(x, row.names = NULL, optional = FALSE, ...) {
  as.data.frame(marginal(x, names(x$columns)), row.names = row.names, optional = optional)
}

# The posterior density of each category, with its interval below.
plot.posterity_release <- function(x, panel.last = NULL, ...) {
  found <- called(wrap__rs_lines, about_release(x))
  # If there are many categories, only the largest have a line.
  largest <- sort(order(-x$share)[seq_along(found)])
  ends <- interval(x)[largest, , drop = FALSE]
  top <- max(vapply(found, function(line) max(line$y), 0))
  colours <- rep_len(palette.colors(8), length(found))
  room <- start_plot(x$categories[largest], paste0(format(x), "\n", numbers_head(x)))
  depth <- -0.08 * top * seq_along(found) * max(lengths(strsplit(room$labels, "\n", fixed = TRUE)))
  plot.window(xlim = range(lapply(found, function(line) line$x), ends), ylim = c(min(depth), top))
  for (place in seq_along(found)) lines(found[[place]]$x, found[[place]]$y, col = colours[place])
  segments(ends[, "low"], depth, ends[, "high"], depth, col = colours, lwd = 3)
  # Whatever the caller adds is drawn before the margins are given back.
  force(panel.last)
  end_plot(room, depth, "proportion")
  invisible(x)
}
