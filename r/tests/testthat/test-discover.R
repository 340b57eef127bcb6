drugs <- c(rep("Ibuprofen", 90), rep("Metformin", 200), "Secretazepam")
visits <- data.frame(who = seq_along(drugs), drug = drugs)
discovered <- discover(visits, column = "drug", unit = "who", epsilon = 1, delta = "1e-9", total_epsilon = 0.5,
                       seed = 1)

test_that("values that enough people have are named, and no others", {
  expect_identical(discovered$values, c("Ibuprofen", "Metformin"))
  expect_false(discovered$private)
  expect_true(is.na(discovered$n))
  expect_equal(c(discovered$epsilon, discovered$delta), c(1.5, 1e-9))
  expect_lt(max(abs(discovered$count - c(90, 200))), 30)
  rows <- as.data.frame(discovered)
  expect_identical(names(rows), c("drug", "count", "low", "high", "share", "share_low", "share_high"))
  expect_true(all(rows$low <= rows$count & rows$count <= rows$high))
  ends <- interval(discovered)
  expect_equal(unname(ends[, "low"]), rows$low)
  width <- function(level) { ends <- interval(discovered, level); ends[1, 2] - ends[1, 1] }
  expect_lt(width(0.5), width(0.99))
  expect_length(discovered$not_shown, 2)
  expect_no_match(to_json(discovered), "Secretazepam")
})

test_that("without a total there are no shares; levels of a factor do not occur by themselves", {
  private <- discover(data.frame(drug = factor(drugs, levels = c(unique(drugs), "Placebo"))), column = "drug",
                      one_record_per_person = TRUE, epsilon = 1, delta = "1e-9")
  expect_true(private$private)
  expect_null(private$share)
  expect_null(private$not_shown)
  expect_false("Placebo" %in% private$values)
  none <- discover(data.frame(a = "x"), column = "a", one_record_per_person = TRUE, epsilon = 1, delta = "1e-9")
  expect_identical(none$values, character())
  expect_equal(nrow(as.data.frame(none)), 0)
  expect_output(print(none), "0 values")
  expect_error(plot(none), "nothing to draw")
  expect_error(picture(none, new_file(".svg")), "nothing to draw")
})

test_that("it agrees with the command, is drawn, saved and read again", {
  file <- new_file(".csv")
  utils::write.csv(visits, file, row.names = FALSE)
  given <- list(file, column = "drug", unit = "who", epsilon = 1, delta = "1e-9", total_epsilon = "0.5", seed = 7)
  found <- do.call(discover, given)
  expected <- command("discover", file, "--column", "drug", "--unit", "who", "--epsilon",
                      "1", "--delta", "1e-9", "--total-epsilon", "0.5", "--seed", "7")
  expect_same_document(found, expected)
  document <- new_file(".json")
  writeLines(expected, document)
  expect_identical(load_release(document)$count, found$count)
  expect_identical(as.data.frame(unserialize(serialize(found, NULL))), as.data.frame(found))
  expect_output(print(found), "have another value .*NOT PRIVATE: 2 values of drug")
  expect_output(print(summary(found)), "Budget")
  drawn <- new_file(".svg")
  picture(found, drawn)
  expect_gt(file.size(drawn), 1000)
  pages <- new_file(".pdf")
  grDevices::pdf(pages)
  plot(found)
  grDevices::dev.off()
  expect_gt(file.size(pages), 1000)
})

test_that("an account pays once", {
  study <- new_ledger(epsilon = 2, delta = "1e-8", unit = "who", adjacency = "add-remove", adds_up = TRUE)
  paid <- function() discover(visits, column = "drug", unit = "who", per_unit = "first", epsilon = 1, delta = "1e-9",
                              ledger = study, account = "a", name = "visits")
  first <- paid()
  expect_identical(c(first$charged, first$charged_delta), c("1", "0.000000001"))
  again <- paid()
  expect_true(again$recalled)
  expect_identical(again$count, first$count)
  expect_s3_class(verify(first, ledger = study), "posterity_verified")
})

test_that("what is wrong is named, and nothing is read of it", {
  usual <- list(visits, column = "drug", epsilon = 1, delta = "1e-9")
  wrong <- list(
    list(list(), "^unit: .*state that each person has at most one record"),
    list(list(unit = "who", one_record_per_person = TRUE), "^one_record_per_person: "),
    list(list(unit = "who", per_unit = "all 3"), "^per_unit: "),
    list(list(unit = "who", delta = 0), "^delta: "),
    list(list(unit = "who", level = 2), "^level: "),
    list(list(unit = "who", column = c("drug", "who")), "^column: "),
    list(list(unit = "who", total_epsilon = "much"), "^total_epsilon: ")
  )
  for (one in wrong) {
    given <- utils::modifyList(usual[-1], one[[1]])
    expect_error(do.call(discover, c(usual[1], given)), one[[2]], class = "posterity_argument_error")
  }
  expect_error(draws(discovered), "^x: these are discovered")
  expect_error(rows(discovered), "^x: this is for tables")
})
