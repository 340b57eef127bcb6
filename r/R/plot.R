# Plots. Their margins are as wide as the labels.

# How large labels are.
label_size <- 0.8

# Begins a plot with labels on its left, and says what its end needs. Labels have up to half of the device; longer ones are
# broken into lines.
start_plot <- function(labels, main) {
  old <- par("mai", "new")
  plot.new()
  width <- par("fin")[1]
  letter <- strwidth("n", units = "inches", cex = label_size)
  labels <- broken(labels, floor(0.5 * width / letter))
  main <- broken(strsplit(main, "\n", fixed = TRUE)[[1]], floor(0.9 * width / strwidth("n", units = "inches")))
  main <- paste(main, collapse = "\n")
  margins <- par("mai")
  margins[2] <- max(strwidth(labels, units = "inches", cex = label_size)) + 4 * letter
  margins[3] <- strheight(main, units = "inches") + 4 * par("cin")[2] * label_size
  margins[4] <- max(0.2, par("cin")[1])
  # The same figure again, with its margins.
  par(mai = margins, new = TRUE)
  plot.new()
  list(labels = labels, main = main, old = old)
}

# Writes the labels at their heights, the scale and the title, and gives the margins back.
end_plot <- function(room, places, xlab) {
  axis(1)
  axis(2, at = places, labels = room$labels, las = 1, tick = FALSE, cex.axis = label_size, gap.axis = -1, line = -0.5)
  title(main = room$main, xlab = xlab, font.main = 1, cex.main = 1)
  par(mai = room$old$mai, new = FALSE)
}

# What the intervals of a release are.
numbers_head <- function(x) called(wrap__rs_tables, about_release(x))[[1]]$head

# Texts in lines of at most so many letters.
broken <- function(texts, width) {
  lines <- function(text) {
    parts <- strwrap(text, width + 1)
    long <- nchar(parts) > width
    parts[long] <- gsub(sprintf("(.{%d})(?=.)", width), "\\1\n", parts[long], perl = TRUE)
    paste(parts, collapse = "\n")
  }
  vapply(texts, lines, "", USE.NAMES = FALSE)
}

# Numbers with their intervals, the first one above. A line stands at a number that matters.
plot_intervals <- function(shown, low, high, labels, main, xlab = "", at = NULL) {
  places <- rev(seq_along(shown))
  room <- start_plot(labels, main)
  plot.window(xlim = range(low, high, shown, at, finite = TRUE), ylim = c(0.5, length(shown) + 0.5))
  if (!is.null(at)) abline(v = at, lty = 3)
  segments(low, places, high, places, lwd = 2)
  points(shown, places, pch = 19)
  end_plot(room, places, xlab)
}

# Numbers without intervals.
plot_numbers <- function(numbers, labels, main, xlab) {
  places <- rev(seq_along(numbers))
  room <- start_plot(labels, main)
  plot.window(xlim = range(0, numbers, finite = TRUE), ylim = c(0.5, length(numbers) + 0.5))
  segments(0, places, numbers, places, col = "grey")
  points(numbers, places, pch = 19)
  end_plot(room, places, xlab)
}
