# The arguments of each function are the fields of a plan, which stand in one list.

fields <- posterity:::called(posterity:::wrap__rs_fields, list())

# Which records are counted is one argument, and a release by itself has no share of a budget.
by_hand <- c(source = "data", columns = "column")
without <- "share"
# What is no part of a plan: the plan itself, who pays and signs, what makes a draw repeatable, what no plan may promise, and
# what data is called.
beside <- c("data", "plan", "ledger", "account", "again", "sign", "seed", "schema", "name")
of_kind <- list(table = c("not_private", "certificate"), margins = character(), discovered = character())
asks <- list(table = release, margins = margins, discovered = discover)

argument_of <- function(field) if (field %in% names(by_hand)) by_hand[[field]] else gsub("-", "_", field)

fields_of <- function(kind) {
  has <- vapply(fields$kinds, function(kinds) kind %in% kinds, NA)
  setdiff(fields$name[has & fields$layer != "words"], without)
}

# If this fails, a plan can say something that R cannot, or the other way round.
test_that("the arguments of a function are the fields of its kind", {
  for (kind in names(asks)) {
    known <- vapply(fields_of(kind), argument_of, "")
    arguments <- names(formals(asks[[kind]]))
    expect_setequal(setdiff(known, arguments), character())
    expect_setequal(setdiff(arguments, c(known, beside, of_kind[[kind]])), character())
  }
  checked <- setdiff(names(formals(check)), c("data", "schema", "table"))
  expect_true(all(checked %in% vapply(fields_of("table"), argument_of, "")))
})

# Of each field: a value, a wrong one, and what else must be given.
one <- function(set, wrong, ...) list(set = set, wrong = wrong, with = list(...))
cases <- list(
  "input-format" = one("csv", "odt"), table = one("people", 3), view = one("people", 3, unit = "who"),
  delimiter = one(";", "::"), encoding = one("utf-16", "latin"), edition = one("2026", ""), where = one("age > 3", 3),
  within = one("age > 3", 3), unit = one("who", 3), "per-unit" = one("first", "odd", unit = "who"),
  adjacency = one("add-remove", "both"), most = one(1000, 0.5, adjacency = "add-remove"), column = one("ward", 3),
  columns = one(c("ward", "cured"), 3, categories = list(c("A", "B"), c(TRUE, FALSE))), sets = one("ward,cured", "ward,nobody"),
  categories = one(c("a", "b"), 1.5), bins = one(c(0, 18.5, 90), c(3, 1), categories = NULL), other = one("else", ""),
  missing = one(c(ward = "unknown"), ""), epsilon = one(0.5, 0), delta = one("1e-7", 0),
  "allow-large-delta" = one(TRUE, "yes"), "one-record-per-person" = one(TRUE, "yes", unit = NULL),
  "total-epsilon" = one(0.5, "much"), prior = one(0.5, "much"), "prior-outside" = one(2, "much", within = "age > 3"),
  mechanism = one("geometric", "magic"), decode = one("moments", "magic"),
  rate = one("cured | ward", "nobody", column = c("ward", "cured"), categories = list(c("A", "B"), c(TRUE, FALSE))), read = one("ward", "nobody"),
  compare = one("ward: A - B", "ward: A"), level = one(0.9, 2), "interval-kind" = one("credible", "wide"),
  about = one("records", "wide"), simultaneous = one(TRUE, "yes")
)
usual <- list(
  table = list("people.csv", column = "ward", categories = c("A", "B"), epsilon = 1),
  margins = list("people.csv", column = c("ward", "cured"), categories = list(c("A", "B"), c(TRUE, FALSE)), epsilon = 1,
                 delta = "1e-9"),
  discovered = list("people.csv", column = "ward", epsilon = 1, delta = "1e-9", unit = "who")
)
wide <- list(categories = list(c("A", "B"), c("a", "b")), bins = list(NULL, c(0, 18.5, 90)))

# What a plan says of a field, and the plan.
plan_with <- function(kind, field, value, with = list()) {
  argument <- argument_of(field)
  given <- utils::modifyList(usual[[kind]][-1], with)
  if (kind == "margins" && field == "bins") {
    given$categories <- list(c("A", "B"), NULL)
    value <- list(NULL, value)
  }
  if (kind == "margins" && field == "categories") value <- list(c("A", "B"), value)
  given[[argument]] <- value
  do.call(plan_of, c(list(asks[[kind]]), usual[[kind]][1], given))
}

said <- function(plan, field) {
  asked <- c(plan$question, plan$margins, plan$discover)[[1]]
  if (field %in% c("categories", "bins")) return(utils::tail(plan$columns, 1)[[1]])
  if (!is.null(plan[[field]]) && field != "columns") plan[[field]] else asked[[field]]
}

# If this fails, a field cannot be asked for, is asked for by itself, or its error names something else.
test_that("each field can be set, has a default, and is named if it is wrong", {
  for (kind in names(asks)) {
    for (field in setdiff(fields_of(kind), "source")) {
      case <- cases[[field]]
      # A discovery has one column.
      if (kind == "discovered" && field == "missing") case$set <- "unknown"
      expect_false(is.null(case), label = paste("there is no case for the field", field))
      where <- paste(kind, field)
      found <- said(plan_with(kind, field, case$set, case$with), field)
      expected <- if (is.null(names(case$set))) case$set else as.list(case$set)
      if (field == "bins") found <- found$bins
      expect_equal(found, expected, label = where)
      required <- c("column", "columns", "categories", "bins", "epsilon", "delta", "sets")
      is_needed <- field %in% required || field == "unit" && kind == "discovered"
      # Without that statement a discovery needs a unit.
      with <- if (field == "one-record-per-person") list() else case$with
      if (!is_needed) expect_null(said(plan_with(kind, field, NULL, with), field), label = where)
      wrong <- tryCatch(plan_with(kind, field, case$wrong, case$with), posterity_argument_error = conditionMessage)
      expect_match(paste(wrong, collapse = ""), paste0("^", argument_of(field), ": "), label = where)
    }
  }
})

# If this fails, what a page of help calls the default is not what is done.
test_that("defaults are those of the plan", {
  counts <- list(A = 30, B = 50)
  made <- function(...) to_json(release(counts, epsilon = 1, seed = 1, ...))
  expected <- made()
  stated <- list(list(level = 0.95), list(interval_kind = "confidence"), list(about = "population"), list(simultaneous = FALSE),
                 list(adjacency = "replace"), list(mechanism = "lattice"))
  for (one in stated) expect_identical(do.call(made, one), expected)
  wide <- function(...) {
    to_json(margins(people, column = c("ward", "cured"), categories = list(c("A", "B", "C"), c(TRUE, FALSE)), epsilon = 1,
                    delta = "1e-9", seed = 1, ...))
  }
  expect_identical(wide(sets = 2), wide())
})

test_that("what a kind has not is refused", {
  asked <- list(release, "people.csv", column = "ward", categories = c("A", "B"), epsilon = 1, sets = 2)
  expect_error(do.call(plan_of, asked), "unused argument")
  expect_error(plan_of(margins, c("A", "B"), column = "ward", categories = c("A", "B"), epsilon = 1, delta = "1e-9"),
               "^column: this is for files")
})

schema <- list(fields = list(list(name = "cured", constraints = list(enum = c("true", "false"))),
                             list(name = "age", bins = c(0, 18.5, 90))))

# If this fails, a schema says something else of a column than a call that declares it.
test_that("a release takes its columns from a schema", {
  file <- new_file(".json")
  writeLines('{"fields": [{"name": "cured", "constraints": {"enum": ["true", "false"]}},
               {"name": "age", "bins": [0, 18.5, 90]}]}', file)
  columns <- c("cured", "age")
  made <- function(...) release(people, column = columns, epsilon = 1, seed = 1, ...)
  expected <- made(categories = list(c(TRUE, FALSE), NULL), bins = list(NULL, c("0", "18.5", "90")))
  for (given in list(schema, file)) {
    found <- made(schema = given)
    expect_identical(to_json(found), to_json(expected))
    expect_identical(found$plan$columns, list(cured = c("true", "false"), age = list(bins = c(0, 18.5, 90))))
  }
  named <- made(categories = list(cured = c(TRUE, FALSE)), bins = list(age = c(0, 18.5, 90)))
  expect_identical(to_json(named), to_json(expected))
  expect_error(made(categories = list(nobody = 1:2)), "^categories: \"nobody\" is no column")
  # What the call declares of a column comes first.
  one <- release(people, column = "cured", categories = c("false", "true"), schema = schema, epsilon = 1, seed = 1)
  expect_identical(one$categories, c("false", "true"))
  expect_equal(check(people, column = "cured", schema = schema)$counted, 200)
  expect_error(release(people, column = "cured", schema = "nowhere.json", epsilon = 1), "^schema: ")
  expect_error(release(people, column = "ward", schema = schema, epsilon = 1), "^column: .*ward")
  expect_error(release(c("a", "b"), categories = c("a", "b"), schema = schema, epsilon = 1), "^column: |^schema: this is for")
})

test_that("numbers keep their digits", {
  for (epsilon in list(0.1, "1/3", "0.10000000000000000001", 2L)) {
    plan <- plan_of(release, list(a = 3, b = 4), epsilon = epsilon)
    expect_equal(plan$epsilon, if (is.integer(epsilon)) 2 else epsilon)
  }
  expect_match(format(plan_of(release, list(a = 3, b = 4), epsilon = 1e-9)), "epsilon = 1e-9", fixed = TRUE)
  expect_identical(plan_of(release, list(a = 3, b = 4), epsilon = 1, prior = c(0.5, 2))$prior, c(0.5, 2))
})

wards <- function(...) {
  release(people, column = "ward", categories = c("A", "B", "C"), where = "age > 3", epsilon = 0.1, name = "people",
          level = 0.9, seed = 1, ...)
}

# If this fails, what was asked for cannot be asked again by its plan.
test_that("a release says its plan, and a plan makes the same release", {
  made <- wards(read = "ward", other = c(ward = "else"))
  expect_s3_class(made$plan, "posterity_plan")
  expect_identical(plan_of(made), made$plan)
  expect_identical(made$plan$source, "people")
  asked <- wards(plan = NULL)
  for (plan in list(asked$plan, format(asked$plan), to_json(asked$plan), unserialize(serialize(asked$plan, NULL)))) {
    again <- release(people, plan = plan, seed = 1)
    expect_identical(to_json(again), to_json(asked))
    expect_identical(again$plan, asked$plan)
    expect_identical(plan_of(plan), asked$plan)
  }
  file <- new_file(".toml")
  writeLines(format(asked$plan), file)
  expect_identical(to_json(release(people, plan = file, seed = 1)), to_json(asked))
  unnamed <- plan_of(release, c("yes", "no"), categories = c("yes", "no"), epsilon = 1)
  labels <- rep(c("yes", "no"), 20)
  expected <- release(labels, categories = c("yes", "no"), epsilon = 1, seed = 1)
  expect_identical(to_json(release(labels, plan = unnamed, seed = 1)), to_json(expected))
  expect_identical(release(list(yes = 20, no = 20), plan = unnamed, seed = 1)$drawn, expected$drawn)
  expect_identical(release(labels, plan = unnamed, name = "x", seed = 1)$plan$source, "x")
  changed <- unnamed
  changed$epsilon <- 2
  expect_equal(release(labels, plan = changed, seed = 1)$epsilon, 2)
  expect_output(print(unnamed), "[[question]]", fixed = TRUE)
  expect_error(release(people, plan = asked$plan, level = 0.5), "^level: the plan says what is asked")
  expect_error(release(people, plan = asked$plan, epsilon = 1), "^epsilon: the plan says")
  expect_error(margins(people, plan = asked$plan), "^plan: this plan asks something else")
  expect_error(release(labels, plan = asked$plan), "^data: this is no table")
  expect_error(release(people, plan = unnamed), "^data: the plan asks about data without columns")
  expect_error(release(plan = unnamed), "^plan: .*source")
  expect_error(release(people, plan = "nowhere.toml"), "^plan: ")
  expect_error(release(people, plan = list(epsilon = 1, questions = 2)), "^plan: .*questions")
  expect_error(plan_of(load_release(save_release(made, new_file(".json")))), "^x: ")
  expect_error(plan_of(mean), "^x: ")
  expect_error(release(epsilon = 1), "^data: this is required")
})

# If this fails, a plan that names an account is carried out and nobody pays.
test_that("a plan in a file names its records, and who pays", {
  folder <- new_file("")
  dir.create(folder)
  account <- ledger(file.path(folder, "study.ledger"), create = TRUE)
  account$create_account("a", epsilon = 1)
  writeLines(c("ward", "A", "B", "B"), file.path(folder, "people.csv"))
  plan <- file.path(folder, "plan.toml")
  writeLines(c('source = "people.csv"', "epsilon = 0.25", 'ledger = "study.ledger"', 'account = "a"',
               'columns = { ward = ["A", "B"] }', "[[question]]", 'columns = ["ward"]'), plan)
  paid <- release(plan = plan)
  expect_identical(c(paid$charged, paid$remaining), c("0.25", "0.75"))
  expect_equal(paid$n, 3)
  expect_null(paid$plan$ledger)
  expect_true(release(plan = plan)$recalled)
  seeded <- release(plan = plan, seed = 1)
  expect_true(is.na(seeded$charged))
  writeLines(setdiff(readLines(plan), 'account = "a"'), plan)
  expect_error(release(plan = plan), "^plan: .*names a ledger and no account", class = "posterity_argument_error")
  expect_identical(account$accounts()$remaining_epsilon, "0.75")
})
