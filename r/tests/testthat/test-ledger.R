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
  expect_identical(verified$not_checked, character())
  expect_true(any(grepl("the ledger charged it", verified$checked)))
  expect_identical(verified$differences, character())
  expect_match(verify(found)$not_checked, "(ledger) and who made it (key)", fixed = TRUE)
  forged <- tryCatch(verify(sub("\"private\": true", "\"private\": false", to_json(found))),
                     posterity_verification_error = identity)
  expect_match(forged$differences, "^private ")
  file <- new_file(".json")
  writeLines(to_json(found), file)
  expect_identical(verify(file, ledger = study)$charge, verified$charge)
  expect_error(verify("nothing"), "^document: ", class = "posterity_argument_error")
})

test_that("every kind of document is signed, and only what an account pays for", {
  keys <- new_keys()
  study <- new_ledger(4, delta = "1e-6")
  wide <- list(people, column = c("ward", "cured"), categories = list(c("A", "B", "C"), c(TRUE, FALSE)), epsilon = 1,
               delta = "1e-9", sign = keys$secret)
  values <- list(people, column = "ward", one_record_per_person = TRUE, epsilon = 1, delta = "1e-9", sign = keys$secret)
  sums <- new_ledger(4, delta = "1e-6", adjacency = "add-remove", adds_up = TRUE)
  paid <- function(ledger) list(ledger = ledger, account = "a")
  one <- list(list(yes = 48, no = 42), epsilon = 0.4, sign = keys$secret)
  signed <- list(do.call(release, c(one, paid(study))), do.call(margins, c(wide, paid(study))),
                 do.call(discover, c(values, paid(sums))))
  for (found in signed) {
    verified <- verify(found, key = keys$public)
    expect_identical(verified$not_checked, character())
    expect_match(verified$checked[length(verified$checked)], "signed it")
    expect_match(verify(found)$not_checked, "whose signature it has", all = FALSE)
    expect_error(verify(found, key = new_keys()$public), class = "posterity_verification_error")
  }
  expect_error(do.call(release, one), "^sign: what nobody charged", class = "posterity_argument_error")
  expect_error(do.call(margins, wide), "^sign: what nobody charged")
  expect_error(do.call(discover, values), "^sign: what nobody charged")
  one$sign <- keys$public
  expect_error(do.call(release, c(one, paid(study))), "^sign: ")
})

test_that("the results of a study are signed and verified", {
  keys <- new_keys()
  folder <- new_file("")
  dir.create(folder)
  account <- ledger(file.path(folder, "study.ledger"), create = TRUE)
  account$create_account("a", epsilon = 1)
  writeLines(c("ward,cured", "A,yes", "B,no", "B,yes"), file.path(folder, "people.csv"))
  plan <- file.path(folder, "plan.toml")
  writeLines(c('title = "Wards"', 'source = "people.csv"', "epsilon = 1", 'ledger = "study.ledger"', 'account = "a"',
               'columns = { ward = ["A", "B"], cured = ["yes", "no"] }', "[[question]]", 'columns = ["ward"]'), plan)
  expect_error(study(plan, out = file.path(folder, "none"), sign = keys$secret, seed = 1), "^sign: what nobody charged")
  found <- study(plan, out = file.path(folder, "results"), sign = keys$secret)
  for (given in list(found, attr(found, "folder"), attr(found, "report"))) {
    verified <- verify(given, ledger = account, key = keys$public)
    expect_identical(verified$not_checked, character())
    expect_identical(c(verified$study, verified$documents), c("Wards", "ward.json"))
  }
  expect_output(print(verified), "study \"Wards\" say what was drawn")
  writeLines("more", file.path(attr(found, "folder"), "more.txt"))
  changed <- tryCatch(verify(found), posterity_verification_error = identity)
  expect_identical(changed$differences, "more.txt does not belong there")
})

test_that("a name stands for one table of many columns", {
  account <- new_ledger(5, delta = "1e-6")
  paid <- function(data) {
    margins(data, column = c("ward", "cured"), categories = list(c("A", "B", "C"), c(TRUE, FALSE)), epsilon = 1,
            delta = "1e-9", ledger = account, account = "a", name = "a table of this test")
  }
  expect_false(paid(people)$recalled)
  other <- people
  other$ward[1] <- "C"
  expect_error(paid(other), "^name: .*stood for other data", class = "posterity_argument_error")
  expect_true(paid(people)$recalled)
  expect_false(paid(rbind(people, people[1, ]))$recalled)
})
