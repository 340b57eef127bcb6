test_that("a ledger charges, recalls and refuses", {
  study <- new_ledger(1)
  counts <- list(yes = 48, no = 42)
  first <- release(counts, epsilon = 0.4, ledger = study, account = "a", name = "trial")
  expect_identical(c(first$charged, first$remaining), c("0.4", "0.6"))
  expect_true(first$private)
  second <- release(counts, epsilon = 0.4, ledger = study$path, account = "a", name = "trial")
  expect_true(second$recalled)
  expect_identical(second$drawn, first$drawn)
  expect_error(release(counts, epsilon = 0.7, ledger = study, account = "a"), "0.6", class = "posterity_budget_error")
  expect_error(release(counts, epsilon = 0.7, ledger = study, account = "a"), class = "posterity_ledger_error")
  expect_identical(study$accounts()$remaining_epsilon, "0.6")
  expect_equal(study$releases_of("a", 0.1), 6)
  expect_gte(nrow(study$history("a")), 1)
  expect_output(print(study), "0.6")
  head <- study$verify()
  release(counts, epsilon = 0.1, ledger = study, account = "a")
  expect_type(study$verify(head), "character")
})

test_that("a name stands for the same counts", {
  study <- new_ledger(1)
  release(list(yes = 4, no = 5), epsilon = 0.1, ledger = study, account = "a", name = "x")
  expect_error(release(list(yes = 5, no = 4), epsilon = 0.1, ledger = study, account = "a", name = "x"),
               "stood for other data",
               class = "posterity_argument_error")
  expect_identical(study$accounts()$remaining_epsilon, "0.9")
})

test_that("nothing is charged for what is refused", {
  study <- new_ledger(1)
  refused <- list(
    list(list(yes = 4, no = 5), seed = 1),
    list(c("yes", "maybe"), categories = c("yes", "no")),
    list(list(yes = 4, no = 5), mechanism = "mh"),
    list(list(yes = 4, no = 5), level = 2)
  )
  for (one in refused) {
    expect_error(do.call(release, c(one, list(epsilon = 0.5, ledger = study, account = "a"))),
                 class = "posterity_error")
  }
  expect_identical(study$accounts()$remaining_epsilon, "1")
})

test_that("ledgers that cannot be used are conditions with remedies", {
  expect_error(ledger(tempfile()), "create = TRUE", class = "posterity_ledger_error")
  study <- new_ledger(1)
  expect_error(release(list(a = 1, b = 2), epsilon = 1, ledger = study, account = "b"), "^account: ",
               class = "posterity_argument_error")
  expect_error(study$create_account("a", epsilon = 1), class = "posterity_argument_error")
  expect_error(study$create_account("b"), "^epsilon: this is required")
  patients <- new_ledger(1, unit = "patient")
  expect_error(release(list(a = 1, b = 2), epsilon = 1, ledger = patients, account = "a"), class = "posterity_error")
})

test_that("documents are verified against the ledger", {
  study <- new_ledger(1)
  found <- release(list(yes = 48, no = 42), epsilon = 0.4, ledger = study, account = "a")
  verified <- verify(found, ledger = study)
  expect_identical(verified$charge$account, "a")
  expect_output(print(verified), "charged to the account")
  expect_length(verify(found)$not_checked, 1)
  other <- release(list(yes = 48, no = 42), epsilon = 0.4)
  expect_error(verify(other, ledger = study), class = "posterity_ledger_error")
  expect_error(verify(sub("\"private\": true", "\"private\": false", to_json(found))), "was changed",
               class = "posterity_error")
  expect_error(verify("nothing"), "^document: ", class = "posterity_argument_error")
})
