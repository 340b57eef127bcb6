# Prints how long releases of a data frame of a million rows take: median seconds of nine calls each.
#
#   R CMD INSTALL r && Rscript r/benchmarks/frame.R
#
# python/benchmarks/frame.py prints the same for Python.
library(posterity)

rows <- 1e6
place <- seq_len(rows) - 1
words <- c("clear", "mist", "wet", "a longer label than a view holds")
frame <- data.frame(text = words[1 + (place * 7) %% 13 %% 4], age = (place * 7) %% 90, who = place %/% 2)
frame$category <- factor(frame$text)

seconds <- function(...) {
  call <- function() release(frame, epsilon = 1, seed = 1, mechanism = "geometric", ...)
  median(replicate(9, system.time(call())[["elapsed"]]))
}

cat(sprintf("%-28s %.3f\n", "text", seconds(column = "text", categories = words)))
cat(sprintf("%-28s %.3f\n", "factor", seconds(column = "category", categories = words)))
cat(sprintf("%-28s %.3f\n", "floating-point, in bins", seconds(column = "age", bins = c(0, 18, 65, 90))))
cat(sprintf("%-28s %.3f\n", "text, of units", seconds(column = "text", categories = words, unit = "who")))
