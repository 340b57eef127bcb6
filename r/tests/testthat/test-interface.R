# All kinds of releases are read in the same way.

kinds <- list(
  release = release(people, column = c("ward", "cured"), categories = list(c("A", "B", "C"), c(TRUE, FALSE)), epsilon = 1,
                    seed = 1),
  margins = margins(people, column = c("ward", "cured", "age"), epsilon = 1, delta = "1e-9", seed = 1,
                    categories = list(ward = c("A", "B", "C"), cured = c(TRUE, FALSE)), bins = list(age = c(0, 18, 65, 120))),
  discovered = discover(people, column = "ward", unit = "who", epsilon = 2, delta = "1e-6", total_epsilon = 1, seed = 1)
)

# A picture of something, in a file that is not empty.
drawn <- function(draw) {
  file <- new_file(".pdf")
  grDevices::pdf(file)
  margins <- graphics::par("mai")
  draw()
  expect_equal(graphics::par("mai"), margins)
  grDevices::dev.off()
  expect_gt(file.size(file), 1000)
}

test_that("every kind is read, shown, drawn, described, kept and verified", {
  for (kind in names(kinds)) {
    x <- kinds[[kind]]
    reading <- if (kind == "discovered") "count | ward" else "ward"
    rows <- read(x, reading)
    expect_s3_class(rows, "posterity_reading")
    expect_identical(x[reading], rows)
    expect_identical(x[reading, level = 0.5], read(x, reading, level = 0.5))
    expect_identical(rows$interval_kind, "confidence")
    expect_identical(rows$level, 0.95)
    expect_gt(nrow(as.data.frame(x)), 0)
    ends <- interval(x)
    expect_identical(colnames(confint(x)), c("2.5 %", "97.5 %"))
    expect_equal(unname(confint(x)), unname(ends))
    expect_identical(names(coef(x)), rownames(ends))
    expect_true(all(ends[, "low"] <= coef(x) & coef(x) <= ends[, "high"]))
    expect_equal(nrow(confint(x, rownames(ends)[1:2], level = 0.5)), 2)
    drawn(function() plot(x))
    drawn(function() plot(rows))
    expect_output(print(rows), "NOT PRIVATE")
    expect_output(print(x), "95 % confidence interval")
    expect_output(print(x), "NOT PRIVATE")
    said <- paste(utils::capture.output(print(summary(x))), collapse = " ")
    expect_match(said, "Budget")
    expect_length(gregexpr("seed 1", said)[[1]], 1)
    expect_output(print(describe(x)), "NOT PRIVATE")
    expect_match(describe(x, as = "label", format = "html"), "<html")
    expect_error(describe(x, as = "poem"), "^as: ")
    expect_error(describe(x, format = "odt"), "^format: ")
    file <- new_file(".json")
    expect_identical(save_release(x, file), file)
    expect_error(save_release(x, file), "^path: .*force = TRUE")
    save_release(x, file, force = TRUE)
    expect_identical(trimws(paste(readLines(file), collapse = "\n")), trimws(to_json(x)))
    for (again in list(load_release(file), from_json(to_json(x)), from_json(readLines(file)))) {
      expect_identical(to_json(again), to_json(x))
      expect_null(again$plan)
    }
    expect_s3_class(verify(x), "posterity_verified")
    expect_gt(nrow(as.data.frame(verify(x))), 0)
  }
  expect_error(from_json("{}"), "^text: ", class = "posterity_argument_error")
})

test_that("names and values are quoted where readings are made of them", {
  for (x in kinds[1:2]) {
    expect_identical(marginal(x, c("ward", "cured"))$rows, read(x, "ward, cured")$rows)
    expect_identical(given(x, list(cured = TRUE), "ward")$rows$estimate, read(x, "cured=true | ward")$rows$estimate)
    expect_identical(given(x, "cured", list(ward = c("A", "B")))$rows$estimate, read(x, "cured | ward in {A, B}")$rows$estimate)
    found <- difference(x, list(cured = TRUE), "ward", "A", c("B", "C"))
    expect_identical(found$measures$estimate, compare(x, "cured=true | ward: A - {B, C}")$measures$estimate)
    drawn(function() plot(found))
    expect_s3_class(summary(found), "posterity_contrast")
  }
  odd <- release(list("a \"b\"" = 5, "c|d" = 5), epsilon = 1, seed = 1)
  expect_equal(nrow(as.data.frame(odd)), 2)
  expect_equal(nrow(as.data.frame(marginal(odd, "category"))), 2)
})

test_that("what a kind cannot be read by says so", {
  expect_error(kinds$discovered["ward | age"], "^reading: discovered categories are read as they are: count")
  expect_error(compare(kinds$discovered, "ward: A - B"), "^comparison: ")
  expect_error(read(kinds$discovered, "count | ward", interval_kind = "credible"), "^interval_kind: ")
  expect_error(kinds$margins["nobody"], "^reading: ")
  expect_error(draws(kinds$margins), "^x: ")
  expect_error(compare(c(1, 2)), "^x: .*compare_mechanisms")
})

# If this fails, quantiles are not those of the posterior that the draws are of.
test_that("quantiles agree with draws", {
  found <- quantile(kinds$release, c(0.1, 0.5, 0.9))
  expect_identical(dimnames(found), list(kinds$release$categories, c("10%", "50%", "90%")))
  expect_true(all(found[, 1] < found[, 2] & found[, 2] < found[, 3]))
  sampled <- draws(kinds$release, 20000, seed = 1)
  # By Massart's inequality, the share of 20000 draws below a number is off by 0.02 with a probability below 4e-7.
  for (place in 1:3) {
    below <- colMeans(sampled <= rep(found[, place], each = nrow(sampled)))
    expect_lt(max(abs(below - c(0.1, 0.5, 0.9)[place])), 0.02)
  }
  of_reading <- quantile(kinds$release, 0.5, reading = "cured=true | ward")
  expect_identical(dim(of_reading), c(3L, 1L))
  expect_error(quantile(kinds$release, 1), "^probs: ")
})

# If this fails, the labels of a plot are cut off.
test_that("margins of plots are as wide as labels, which are broken where they are longer than half of it", {
  grDevices::pdf(new_file(".pdf"), width = 7, height = 5)
  withr::defer(grDevices::dev.off())
  labels <- c("short", "a label of a length that people give to questions of a survey", strrep("x", 200))
  room <- posterity:::start_plot(labels, paste(rep("a long title", 20), collapse = " "))
  wide <- max(graphics::strwidth(room$labels, units = "inches", cex = 0.8))
  expect_lt(wide, graphics::par("mai")[2])
  expect_lt(graphics::par("mai")[2], 0.7 * graphics::par("fin")[1])
  expect_lt(graphics::strheight(room$main, units = "inches"), graphics::par("mai")[3])
  expect_identical(gsub("[ \n]", "", room$labels), gsub(" ", "", labels))
  graphics::plot.window(c(0, 1), c(0, 4))
  posterity:::end_plot(room, 1:3, "x")
})

test_that("every class is drawn and is a data frame", {
  study_of <- function(folder) {
    dir.create(folder)
    utils::write.csv(people["ward"], file.path(folder, "people.csv"), row.names = FALSE)
    writeLines(c('source = "people.csv"', "epsilon = 1", 'columns = { ward = ["A", "B", "C"] }', "[[question]]",
                 'columns = ["ward"]'), file.path(folder, "plan.toml"))
    study(file.path(folder, "plan.toml"), out = file.path(folder, "results"), seed = 1)
  }
  account <- new_ledger(1)
  account$create_account("b", epsilon = 2)
  others <- list(compare_mechanisms(c(5, 4), epsilon = 1), inspect(c(4, 4), epsilon = 1), advise(n = 90, k = 3, epsilon = 1),
                 check(c("yes", "no", "Yes"), categories = c("yes", "no")), account, study_of(new_file("")))
  for (one in others) {
    drawn(function() plot(one))
    expect_gt(nrow(as.data.frame(one)), 0)
    expect_output(print(one))
  }
})

# If this fails, setTimeLimit does not end a call, or ends R code that goes on.
test_that("a limit of time ends a call", {
  started <- proc.time()[["elapsed"]]
  long <- function() {
    setTimeLimit(elapsed = 1, transient = TRUE)
    on.exit(setTimeLimit())
    release(list(a = 25000, b = 25000), epsilon = 1, mechanism = "tight(ehds)")
  }
  expect_error(long(), "time limit")
  expect_lt(proc.time()[["elapsed"]] - started, 20)
  expect_s3_class(release(list(a = 3, b = 4), epsilon = 1), "posterity_release")
})
