test_that("counts, labels, factors, data frames and files are the same data", {
  labels <- c(rep("yes", 48), rep("no", 42))
  options <- list(categories = c("yes", "no"), epsilon = 1, seed = 1)
  drawn <- function(data, ...) do.call(release, c(list(data), options, list(...)))$drawn
  expected <- drawn(list(yes = 48, no = 42))
  expect_identical(drawn(labels), expected)
  # The levels are in another order, and one does not occur.
  expect_identical(drawn(factor(labels, levels = c("perhaps", "no", "yes"))), expected)
  expect_identical(drawn(data.frame(a = 1, b = labels), column = "b"), expected)
  expect_identical(drawn(data.frame(b = factor(labels)), column = "b"), expected)
  file <- new_file(".csv")
  writeLines(c("b", labels), file)
  expect_identical(drawn(file, column = "b"), expected)
})

test_that("files are read as the arguments say", {
  file <- new_file(".csv")
  writeBin(c(charToRaw("ward\nK"), as.raw(0xf6), charToRaw("ln\nBonn\n")), file)
  options <- list(column = "ward", categories = c("K\u00f6ln", "Bonn"), epsilon = 1, seed = 1)
  expect_equal(do.call(release, c(list(file, encoding = "windows-1252"), options))$n, 2)
  expect_error(do.call(release, c(list(file), options)), "UTF-8", class = "posterity_data_error")
  expect_error(do.call(release, c(list(file, encoding = "latin"), options)), "^encoding: there is no encoding")
  expect_error(do.call(release, c(list(file, table = "a", view = "b"), options)), "^view: name a table or a view")
  expect_error(release(people, column = "ward", categories = "A", table = "people", epsilon = 1),
               "^table: this is for files")
})

test_that("whole numbers are labels, however R keeps them", {
  options <- list(categories = 1:3, epsilon = 1, seed = 1)
  drawn <- function(data) do.call(release, c(list(data), options))$drawn
  expect_identical(drawn(c(1, 2, 2, 3)), drawn(c(1L, 2L, 2L, 3L)))
  expect_identical(drawn(c("1", "2", "2", "3")), drawn(c(1L, 2L, 2L, 3L)))
  expect_error(drawn(c(1, 2, 2.5)), class = "posterity_data_error")
  truths <- release(c(TRUE, FALSE, TRUE), categories = c(TRUE, FALSE), epsilon = 1)
  expect_identical(truths$categories, c("true", "false"))
})

test_that("levels of a factor are never categories", {
  expect_error(release(factor(c("yes", "no")), epsilon = 1), "declare the possible labels",
               class = "posterity_argument_error")
  expect_error(release(c("yes", "no"), categories = factor(c("yes", "no")), epsilon = 1),
               "learned its levels from data",
               class = "posterity_argument_error")
  expect_error(release(data.frame(a = factor("x")), column = "a", epsilon = 1), "never read from the data",
               class = "posterity_argument_error")
})

test_that("what looks like counts or names of people is refused", {
  expect_error(release(table(c("yes", "no")), categories = c("yes", "no"), epsilon = 1), "looks like counts")
  expect_error(release(c(mallory = 1, alice = 2), categories = 1:2, epsilon = 1), "labels of named people")
  tally <- as.data.frame(table(a = c("yes", "no")))
  expect_error(release(tally, column = "a", categories = c("yes", "no"), epsilon = 1), "looks like counts")
  expect_error(release(matrix(1:4, 2), categories = 1:4, epsilon = 1), "matrix")
  expect_error(release(list(3, 4), epsilon = 1), "list without names")
  expect_error(release(as.POSIXlt("2026-01-01", tz = "UTC"), categories = c("a", "b"), epsilon = 1), "is of the type POSIXlt")
  expect_error(release(c("yes", "no"), column = "a", categories = c("yes", "no"), epsilon = 1),
               "^column: this is for files")
  counts <- as.list(table(c("yes", "yes", "no")))
  expect_identical(release(counts, categories = c("yes", "no", "unsure"), epsilon = 1)$categories, c("yes", "no",
                 "unsure"))
})

test_that("units, filters, bins and rules of missing and other labels", {
  each <- release(people, column = "age", bins = c(0, 18, 65, 90), unit = "who", epsilon = 1, seed = 1)
  expect_equal(each$n, 50)
  expect_identical(each$categories, c("[0,18)", "[18,65)", "[65,90)"))
  latest <- release(people, column = "ward", categories = c("A", "B", "C"), unit = "who", per_unit = "latest day",
                    epsilon = "1000", seed = 1)
  expect_equal(unname(latest$drawn), c(0, 0, 50))
  where <- release(people, column = "ward", categories = c("A", "B", "C"), where = "age >= 18 AND cured", epsilon = 1)
  expect_equal(where$n, sum(people$age >= 18 & people$cured))
  within <- release(people, column = "ward", categories = c("A", "B", "C"), within = "day < DATE '2026-02-01'",
                 epsilon = 1)
  expect_equal(within$n, 200)
  expect_identical(within$categories[4], "outside")
  both <- release(people, column = c("ward", "age"), categories = list(c("A", "B", "C"), NULL),
                  bins = list(NULL, c(0, 50, 100)), epsilon = 1)
  expect_identical(names(both$columns), c("ward", "age"))
  labels <- c("yes", NA, "no", "maybe")
  expect_error(release(labels, categories = c("yes", "no"), epsilon = 1), class = "posterity_data_error")
  found <- release(labels, categories = c("yes", "no"), other = "else", missing = "unknown", epsilon = 1)
  expect_identical(found$categories, c("yes", "no", "else", "unknown"))
  named <- release(data.frame(a = labels), column = "a", categories = c("yes", "no"), other = c(a = "else"),
                   missing = c(a = "unknown"), epsilon = 1)
  expect_identical(named$categories, found$categories)
})

test_that("where n is private, nothing depends on one record", {
  release_of <- function(labels) release(labels, categories = c("yes", "no"), epsilon = 1, adjacency = "add-remove",
                 seed = 1)
  usual <- release_of(c("yes", "no"))
  expect_true(is.na(usual$n))
  expect_identical(usual$mechanism, "geometric")
  for (odd in list("maybe", NA, "\xff")) expect_identical(release_of(c("yes", "no", odd))$drawn, usual$drawn)
  expect_s3_class(release_of(character()), "posterity_release")
  expect_gt(nrow(as.data.frame(read(usual, "count"))), 0)
})

test_that("text of other encodings is the same text", {
  latin <- "caf\xe9"
  Encoding(latin) <- "latin1"
  found <- release(c(latin, "th\u00e9"), categories = c("caf\u00e9", "th\u00e9"), epsilon = 1)
  expect_equal(found$n, 2)
  expect_identical(found$categories, c("caf\u00e9", "th\u00e9"))
})

test_that("columns of unknown types are refused, if they are asked for", {
  odd <- data.frame(a = c("yes", "no"), b = I(list(1, 2)))
  expect_equal(release(odd, column = "a", categories = c("yes", "no"), epsilon = 1)$n, 2)
  expect_error(release(odd, column = "b", categories = c("yes", "no"), epsilon = 1), "column \"b\" is of the type AsIs")
  moment <- data.frame(a = c("yes", "no"), t = as.POSIXct(c("2026-01-01 10:00", "2026-01-02 10:00"), tz = "UTC"))
  late <- release(moment, column = "a", categories = c("yes", "no"), where = "t > TIMESTAMP '2026-01-01 12:00:00'",
                 epsilon = 1)
  expect_equal(late$n, 1)
})

test_that("a seed is not private and says so; set.seed does nothing", {
  seeded <- release(list(yes = 48, no = 42), epsilon = 1, seed = 1)
  expect_false(seeded$private)
  expect_match(format(seeded), "NOT PRIVATE")
  expect_output(print(seeded), "NOT PRIVATE")
  expect_identical(release(list(yes = 48, no = 42), epsilon = 1, seed = 1), seeded)
  set.seed(1)
  before <- .Random.seed
  # All of twelve releases with noise of a scale of thousands are equal with a probability below 1e-30.
  drawn <- function(.) { set.seed(1); release(list(yes = 1e6, no = 1e6), epsilon = 0.001)$drawn[[1]] }
  expect_gt(length(unique(vapply(1:12, drawn, 0))), 1)
  expect_identical(.Random.seed, before)
})

test_that("what cannot be private is refused", {
  expect_error(release(list(a = 3, b = 4), epsilon = 1, mechanism = "mh"), "not_private = TRUE",
               class = "posterity_privacy_error")
  expect_false(release(list(a = 3, b = 4), epsilon = 1, mechanism = "mh", not_private = TRUE)$private)
  expect_error(release(list(a = 3, b = 4), epsilon = 1, most = 5), class = "posterity_argument_error")
})

test_that("arguments that are wrong are named", {
  wrong <- list(
    list(list(epsilon = 0), "^epsilon: "),
    list(list(epsilon = "one"), "^epsilon: "),
    list(list(), "^epsilon: this is required"),
    list(list(epsilon = 1, prior = c(1, 0)), "^prior: "),
    list(list(epsilon = 1, level = 1), "^level: "),
    list(list(epsilon = 1, decode = "magic"), "^decode: "),
    list(list(epsilon = 1, mechanism = "magic"), "^mechanism: "),
    list(list(epsilon = 1, seed = -1), "^seed: "),
    list(list(epsilon = 1, seed = 1.5), "^seed: "),
    list(list(epsilon = 1, seed = NA), "^seed: "),
    list(list(epsilon = 1, not_private = NA), "^not_private: "),
    list(list(epsilon = 1, column = "a"), "^column: "),
    list(list(epsilon = 1, account = "a"), "^account: "),
    list(list(epsilon = 1, interval_kind = "wide"), "^interval_kind: ")
  )
  for (one in wrong) {
    expect_error(do.call(release, c(list(list(a = 3, b = 4)), one[[1]])), one[[2]], class = "posterity_argument_error")
  }
  expect_error(release("48,42", column = "a", categories = "x", epsilon = 1), "looks like counts")
})

test_that("no message quotes what was being read", {
  for (elsewhere in c(FALSE, TRUE)) {
    failure <- tryCatch(posterity:::called(posterity:::wrap__rs_panic, list(elsewhere = elsewhere)), error = identity)
    expect_s3_class(failure, "posterity_internal_error")
    expect_no_match(conditionMessage(failure), "Mallory")
  }
})

test_that("Ctrl-C ends a call", {
  skip_on_os("windows")
  started <- proc.time()[["elapsed"]]
  system2("sh", c("-c", shQuote(sprintf("sleep 1; kill -INT %d", Sys.getpid()))), wait = FALSE)
  caught <- tryCatch(release(list(a = 25000, b = 25000), epsilon = 1, mechanism = "tight(ehds)"),
                     interrupt = function(condition) "interrupted", error = conditionMessage)
  expect_identical(caught, "interrupted")
  expect_lt(proc.time()[["elapsed"]] - started, 10)
})

# If this fails, whoever goes on with one distribution takes noise for records.
test_that("the effective distribution has the noise in it", {
  r <- release(list(yes = 48, no = 42), epsilon = 0.1, seed = 1)
  expect_named(r$effective, c("yes", "no"))
  expect_lt(sum(r$effective), 0.7 * sum(r$posterior))
  expect_null(release(list(yes = 48, no = 42), epsilon = 0.1, seed = 1, adjacency = "add-remove")$effective)
})
