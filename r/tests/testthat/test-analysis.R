test_that("inspections and audits are those of the command", {
  expect_same_document(inspect(c(4, 4), epsilon = 1, mechanism = "ehds"),
                       command("inspect", "--counts", "4,4", "--epsilon", "1", "--mechanism", "ehds"))
  expect_same_document(inspect(list(a = 3, b = 1, c = 2), epsilon = 0.5, adjacency = "add-remove"),
                       command("inspect", "--counts", "3,1,2", "--epsilon", "0.5", "--adjacency", "add-remove"))
  expect_same_document(audit(n = 20, k = 2, epsilon = 1, mechanism = "ehds", profile = c(0.5, 1)),
                       command("audit", "--n", "20", "--k", "2", "--epsilon", "1", "--mechanism", "ehds", "--profile",
                               "0.5,1"))
  expect_same_document(audit(counts = c(5, 5), epsilon = 1, mechanism = "ehds"),
                       command("audit", "--counts", "5,5", "--epsilon", "1", "--mechanism", "ehds"))
})

test_that("an inspection lists every outcome, and says that it is not private", {
  found <- inspect(c(4, 4), epsilon = 1, mechanism = "ehds")
  rows <- as.data.frame(found)
  expect_equal(nrow(rows), 9)
  expect_equal(sum(rows$probability), 1)
  expect_equal(sum(rows$probability * rows$distance), found$expected_distance)
  expect_false(found$private)
  expect_output(print(found), "NOT PRIVATE.*4, 4")
  expect_match(format(found), "9 outcomes")
  expect_error(inspect(c(40, 40), epsilon = 1, max_outcomes = 5), "max_outcomes", class = "posterity_size_error")
  expect_error(inspect(c(4, 0.5), epsilon = 1), "^counts: ", class = "posterity_argument_error")
})

test_that("an audit finds the loss, its witness and a certificate", {
  file <- new_file(".json")
  found <- audit(n = 9, k = 2, epsilon = 1, mechanism = "mh", certificate = file)
  expect_true(file.exists(file))
  expect_true(found$loss > 0)
  expect_named(found$witness, c("from", "to", "outcome"))
  expect_output(print(found), "It loses most where")
  cited <- release(list(a = 4, b = 5), epsilon = 1, mechanism = "mh", certificate = file)
  expect_true(cited$private)
  not <- audit(n = 300, prior = c(0.05, 0.05), epsilon = 0.1, mechanism = "ehdl")
  expect_false(not$holds)
  expect_match(format(not), "NOT within")
  expect_equal(audit(counts = c(50, 50), epsilon = 1, mechanism = "ehds")$loss, 0.25, tolerance = 0.01)
  expect_output(print(audit(counts = c(5, 5), epsilon = 1)), "NOT PRIVATE")
  expect_error(audit(epsilon = 1), "^n: ", class = "posterity_argument_error")
  expect_error(audit(n = 4, counts = 1:2, epsilon = 1), "^n: ")
  expect_error(audit(n = 9, k = 2, epsilon = 1, profile = -1), "^profile: ")
  expect_error(audit(n = 90, k = 3, epsilon = 1, max_probabilities = 10), "max_probabilities",
               class = "posterity_size_error")
})
