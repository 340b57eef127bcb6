test_that("a check says what a release would leave out", {
  labels <- check(c("yes", "no", "Yes", NA, "yes"), categories = c("yes", "no"))
  expect_false(labels$private)
  expect_equal(c(labels$records, labels$counted), c(5, 3))
  expect_equal(unlist(labels$columns), c(undeclared = 1, missing = 1, unnamed = 0))
  kept <- check(c("yes", "no", "Yes", NA), categories = c("yes", "no"), other = "else")
  expect_equal(kept$counted, 3)
  fractions <- check(c(1, 2, 2.5), categories = 1:2)
  expect_equal(c(fractions$counted, fractions$columns$unnamed), c(2, 1))
  counts <- check(list(yes = 3, maybe = 4), categories = c("yes", "no"))
  expect_equal(c(counts$records, counts$counted, counts$columns$undeclared), c(7, 3, 4))
})

test_that("filters, units and columns of a data frame", {
  odd <- people
  odd$who[1:3] <- NA
  odd$ward[4:5] <- c("a", NA)
  found <- check(odd, column = c("ward", "cured"), categories = list(c("A", "B", "C"), c(TRUE, FALSE)), unit = "who",
                 where = "age >= 10")
  expect_equal(found$records, 200)
  expect_equal(found$filtered, sum(odd$age < 10))
  expect_equal(found$no_unit, sum(is.na(odd$who) & odd$age >= 10))
  passing <- odd$age >= 10 & !is.na(odd$who)
  expect_equal(found$counted, sum(passing & odd$ward %in% c("A", "B", "C")))
  expect_identical(found$columns$name, c("ward", "cured"))
  within <- check(people, column = "ward", categories = c("A", "B", "C"), within = "age >= 10")
  expect_equal(within$outside, sum(people$age < 10))
})

test_that("files tell the undeclared values too, and agree with the command", {
  file <- new_file(".csv")
  writeLines(c("ward,age", "A,3", "b,4", "b,5", ",6", "C,7", "b,70"), file)
  found <- check(file, column = "ward", categories = c("A", "B"), where = "age < 70")
  expect_equal(c(found$records, found$filtered, found$counted), c(6, 1, 1))
  expect_identical(found$undeclared$value, c("b", "C"))
  expect_equal(found$undeclared$records, c(2, 1))
  rows <- as.data.frame(found)
  expect_equal(rows$records[rows$what == "missing"], 1)
  expect_output(print(found), "NOT PRIVATE.*not declared")
  expect_match(format(found), "1 of 6 records")
  told <- command("check", file, "--column", "ward", "--categories", "A,B", "--where", "age < 70")
  expect_match(told, "\"counted\": 1,")
  expect_match(told, "\"value\": \"b\",\\s+\"records\": 2")
})

test_that("what is wrong is named", {
  expect_error(check(c("yes", "no")), "^categories: ", class = "posterity_argument_error")
  expect_error(check(people, column = "nobody", categories = c("a", "b")), "nobody", class = "posterity_error")
})
