test_that("tables of many columns are read, compared and fitted with rows", {
  options <- list(column = c("ward", "cured", "age"), categories = list(c("A", "B", "C"), c(TRUE, FALSE), NULL),
                  bins = list(NULL, NULL, c(0, 18, 65, 120)), epsilon = 1, delta = "1e-9", seed = 1)
  found <- do.call(margins, c(list(people), options))
  expect_equal(found$tables$tables, c(3, 3))
  expect_output(print(found), "NOT PRIVATE")
  file <- new_file(".csv")
  written <- transform(people, cured = tolower(cured))
  utils::write.csv(written, file, row.names = FALSE, quote = FALSE)
  expect_identical(as.data.frame(read(do.call(margins, c(list(file), options)), "ward")), as.data.frame(read(found,
                 "ward")))
  expect_equal(nrow(as.data.frame(read(found, "cured=true | ward"))), 3)
  expect_identical(read(found, "cured | ward", interval_kind = "credible")$interval_kind, "credible")
  expect_identical(read(found, "cured | ward", interval_kind = "shortest")$interval_kind, "shortest")
  expect_identical(compare(found, "cured=true | ward: A - B", interval_kind = "credible")$interval_kind, "credible")
  expect_error(read(found, "count | ward", interval_kind = "shortest"), "^interval_kind: ")
  expect_s3_class(compare(found, "cured=true | ward: A - B"), "posterity_contrast")
  fitted <- rows(found, 100)
  expect_identical(dim(fitted), c(100L, 4L))
  expect_identical(levels(fitted$private), "false")
  expect_identical(levels(fitted$ward), c("A", "B", "C"))
  expect_identical(rows(found, 100), fitted)
  svg <- new_file(".svg")
  picture(found, svg, reading = "cured | ward")
  expect_match(readLines(svg, warn = FALSE)[1], "<svg")
  expect_error(picture(found, svg, reading = "cured | ward"), "^path: .*exists.*force = TRUE")
  picture(found, svg, reading = "cured | ward", force = TRUE)
  expect_error(margins(c("a", "b"), epsilon = 1, delta = "1e-9", column = "a", categories = "a"),
               class = "posterity_error")
  expect_error(margins(people, epsilon = 1, column = "ward", categories = "A"), "^delta: .*need one")
  options$delta <- 0.5
  expect_error(do.call(margins, c(list(people), options)), "^delta: 0.5 is above 0.001.*allow_large_delta = TRUE")
  expect_false(do.call(margins, c(list(people), options, allow_large_delta = TRUE))$private)
})

test_that("advice reads no data and is a data frame", {
  expect_identical(advise(n = 90, k = 3, epsilon = 1)$mechanism, "lattice")
  expect_equal(advise(n = 90, k = 2, half_width = 0.12)$epsilon, 0.573)
  table <- advise(n = 900, columns = c(ward = 3, cured = 2), read = "cured | ward", epsilon = 1)
  expect_identical(table$recommendation, "Make one joint release of ward, cured.")
  expect_gt(nrow(as.data.frame(table)), 0)
  expect_output(print(table), "joint release")
  earlier <- release(people, column = c("ward", "cured"), categories = list(c("A", "B", "C"), c(TRUE, FALSE)),
                 epsilon = 1)
  shaped <- advise(n = 900, columns = c(ward = 3, cured = 2), read = "cured | ward", epsilon = 1, shape_from = earlier)
  expect_s3_class(shaped, "posterity_analysis")
  private <- advise(n = 900, k = 3, epsilon = 1, adjacency = "add-remove")
  expect_gt(nrow(as.data.frame(private)), 0)
  expect_error(advise(n = 90, k = 2), "^epsilon: ", class = "posterity_argument_error")
  expect_error(advise(n = 90, k = 2, epsilon = 1, half_width = 0.1), "^half_width: ")
  expect_error(advise(n = 90, epsilon = 1, adjacency = "add-remove"), "^k: ")
})

test_that("comparisons of mechanisms say that they are not private, and what is left out", {
  found <- compare_mechanisms(c(5, 4), epsilon = 1)
  expect_false(found$private)
  expect_output(print(found), "NOT PRIVATE")
  expect_gt(nrow(as.data.frame(found)), 5)
  expect_warning(compare_mechanisms(list(a = 30, b = 40, c = 50), epsilon = 1, mechanisms = c("geometric", "ehds"),
                 max_outcomes = 10000),
                 class = "posterity_warning")
})

test_that("a study answers its questions and writes a report", {
  folder <- new_file("")
  dir.create(folder)
  writeLines(c("ward,cured", "A,yes", "B,no", "B,yes"), file.path(folder, "people.csv"))
  plan <- file.path(folder, "plan.toml")
  writeLines(c('source = "people.csv"', "epsilon = 1", 'columns = { ward = ["A", "B"], cured = ["yes", "no"] }',
               "[[question]]", 'columns = ["ward", "cured"]'), plan)
  found <- study(plan, out = file.path(folder, "results"), seed = 1)
  expect_equal(found[["ward-cured"]]$n, 3)
  expect_true(file.exists(attr(found, "report")))
  expect_output(print(found), "NOT PRIVATE")
  wide <- c(sub("epsilon = 1", "epsilon = 1\ndelta = 1e-6", readLines(plan)), "[[margins]]", "sets = 2")
  writeLines(wide, plan)
  found <- study(plan, out = file.path(folder, "wide"), seed = 1)
  expect_s3_class(found$margins, "posterity_margins")
  expect_equal(nrow(as.data.frame(read(found$margins, "cured | ward"))), 4)
  # A list and a data frame are the same plan and the same records.
  people <- utils::read.csv(file.path(folder, "people.csv"))
  listed <- list(source = "people.csv", epsilon = 1, delta = "1e-6",
                 columns = list(ward = c("A", "B"), cured = c("yes", "no")),
                 question = list(list(columns = c("ward", "cured"))), margins = list(list(sets = 2)))
  again <- study(listed, people, out = file.path(folder, "memory"), seed = 1)
  expect_identical(names(again), names(found))
  for (name in names(found)) expect_identical(to_json(again[[name]]), to_json(found[[name]]))
  expect_error(study(listed, people), "^out: ", class = "posterity_argument_error")
  expect_error(study(listed, people$ward, out = file.path(folder, "none")), "^data: ", class = "posterity_argument_error")
  unnamed <- listed[names(listed) != "source"]
  expect_error(study(unnamed, out = file.path(folder, "none")), "^plan: .*source", class = "posterity_argument_error")
  expect_false(file.exists(file.path(folder, "none")))
  writeLines("epsilon = 0", plan)
  expect_error(study(plan, out = file.path(folder, "other")), "^plan: ", class = "posterity_argument_error")
})
