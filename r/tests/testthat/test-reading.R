table_of_people <- release(people, column = c("ward", "cured"), categories = list(c("A", "B", "C"), c(TRUE, FALSE)),
                           epsilon = 1, seed = 1)

test_that("readings are data frames, and agree with the release", {
  rows <- as.data.frame(read(table_of_people, "cured=true | ward"))
  expect_identical(rows$ward, c("A", "B", "C"))
  expect_true(all(rows$low < rows$estimate & rows$estimate < rows$high))
  expect_identical(unique(rows$private), FALSE)
  all_rows <- as.data.frame(table_of_people)
  expect_equal(nrow(all_rows), 6)
  expect_equal(all_rows$mean, unname(table_of_people$mean))
  ends <- interval(table_of_people)
  expect_equal(unname(ends[, "low"]), all_rows$low)
  expect_error(read(table_of_people, "nobody"), "^reading: ", class = "posterity_argument_error")
  expect_error(read(table_of_people, "ward", interval_kind = "wide"), "^interval_kind: ")
})

test_that("levels and kinds of intervals are those asked for", {
  width <- function(...) { ends <- interval(table_of_people, ...); ends[1, 2] - ends[1, 1] }
  expect_lt(width(level = 0.5), width(level = 0.9))
  expect_lt(width(about = "records"), width())
  expect_gt(width(simultaneous = TRUE), width())
  expect_identical(read(table_of_people, "ward", interval_kind = "credible")$interval_kind, "credible")
})

test_that("comparisons", {
  found <- compare(table_of_people, "cured=true | ward: A - B")
  expect_s3_class(found, "posterity_contrast")
  expect_true(found$probability_larger >= 0 && found$probability_larger <= 1)
  expect_equal(nrow(as.data.frame(found)), nrow(found$measures))
  expect_error(compare(table_of_people, "cured=true | ward: A"), "^comparison: ")
})

test_that("draws are a matrix that agrees with the means", {
  drawn <- draws(table_of_people, 4000, seed = 1)
  expect_identical(dim(drawn), c(4000L, 6L))
  expect_identical(colnames(drawn), table_of_people$categories)
  expect_equal(rowSums(drawn), rep(1, 4000))
  expect_identical(draws(table_of_people, 10, seed = 1), draws(table_of_people, 10, seed = 1))
  # A mean of 4000 draws of a share is off by more than 0.05 with a probability below 2 exp(-20), by Hoeffding.
  expect_lt(max(abs(colMeans(drawn) - table_of_people$mean)), 0.05)
  of_reading <- draws(table_of_people, 10, seed = 1, reading = "cured=true | ward")
  expect_identical(colnames(of_reading), paste0("ward=", c("A", "B", "C"), ",cured=true"))
  expect_error(draws(table_of_people, 1e9), "^size: ")
})

test_that("everything can be printed, summed up and drawn", {
  expect_output(print(table_of_people), "95 % confidence interval")
  expect_output(print(summary(table_of_people)), "Budget")
  expect_output(print(read(table_of_people, "cured | ward")), "ward")
  expect_output(print(compare(table_of_people, "cured=true | ward: A - B")), "difference")
  expect_match(format(read(table_of_people, "ward")), "3 rows")
  expect_match(format(compare(table_of_people, "cured=true | ward: A - B")), " to ")
  file <- new_file(".pdf")
  grDevices::pdf(file)
  plot(table_of_people)
  plot(read(table_of_people, "cured=true | ward"))
  grDevices::dev.off()
  expect_gt(file.size(file), 1000)
})

test_that("pictures are those of the command", {
  svg <- new_file(".svg")
  picture(table_of_people, svg, reading = "cured | ward", kind = "heat")
  expect_match(readLines(svg, warn = FALSE)[1], "<svg")
  png <- new_file(".png")
  picture(table_of_people, png)
  expect_identical(readBin(png, "raw", 4), as.raw(c(0x89, 0x50, 0x4e, 0x47)))
  expect_error(picture(table_of_people, "x.gif"), "end it in .svg or .png")
  expect_error(picture(table_of_people, svg, reading = "ward", kind = "pie", force = TRUE), "^kind: ")
})

test_that("a release is a value: it can be saved, sent and loaded", {
  file <- new_file(".rds")
  saveRDS(table_of_people, file)
  expect_identical(readRDS(file), table_of_people)
  script <- sprintf("x <- readRDS('%s'); cat(posterity::to_json(x))", file)
  elsewhere <- system2(file.path(R.home("bin"), "Rscript"), c("-e", shQuote(script)), stdout = TRUE)
  expect_identical(paste(elsewhere, collapse = "\n"), trimws(to_json(table_of_people)))
  json <- new_file(".json")
  writeLines(to_json(table_of_people), json)
  expect_identical(load_release(json)$drawn, table_of_people$drawn)
  writeLines("{}", json)
  expect_error(load_release(json), class = "posterity_argument_error")
})
