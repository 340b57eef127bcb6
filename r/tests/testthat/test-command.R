# The same arguments give the same documents as the command, digit by digit: 20 calls.

test_that("counts", {
  for (mechanism in c("lattice", "geometric", "lshist", "ehds", "ehd", "mhg")) {
    found <- release(list("1" = 54, "2" = 9, "3" = 27), categories = c("1", "2", "3"), epsilon = 0.5, seed = 8,
                     mechanism = mechanism)
    expect_same_document(found, command("release", "--counts", "54,9,27", "--epsilon", "0.5", "--seed", "8",
                                        "--mechanism", mechanism))
  }
})

test_that("options of a release", {
  options <- list(
    list(prior = c(0.5, 0.25, 4)),
    list(prior = 0.5),
    list(mechanism = "tight(ehd)"),
    list(decode = "moments", level = 0.5),
    list(interval_kind = "credible"),
    list(about = "records"),
    list(adjacency = "add-remove")
  )
  for (given in options) {
    usual <- list(list(a = 5, b = 9, c = 2), categories = c("a", "b", "c"), epsilon = 0.7, seed = 3)
    found <- do.call(release, c(usual, given))
    flag <- function(name, value) c(paste0("--", gsub("_", "-", name)), paste(value, collapse = ","))
    flags <- unlist(Map(flag, names(given), given))
    expect_same_document(found, command("release", "--counts", "5,9,2", "--categories", "a,b,c", "--epsilon", "0.7",
                                        "--seed", "3", unname(flags)))
  }
})

test_that("files", {
  path <- example_file("bike-weather.csv")
  found <- release(path, column = "weather", categories = c("clear", "mist", "wet"), epsilon = 0.5, seed = 4)
  expect_same_document(found, command("release", path, "--column", "weather", "--categories", "clear,mist,wet",
                                      "--epsilon", "0.5", "--seed", "4"))
})

test_that("tables of many columns, and rows", {
  data <- example_file("rand-health.csv")
  schema <- example_file("rand-health.schema.json")
  found <- margins(data, schema = schema, column = c("visits", "health", "limit"), epsilon = 1, delta = "1e-9",
                 seed = 5)
  file <- new_file(".json")
  expected <- command("margins", data, "--schema", schema, "--sets", "2", "--column", "visits", "--column", "health",
                      "--column", "limit", "--epsilon", "1", "--delta", "1e-9", "--seed", "5")
  expect_same_document(found, expected)
  writeLines(expected, file)
  expect_identical(load_release(file)$tables, found$tables)
})

test_that("advice and comparisons of mechanisms", {
  expect_same_document(advise(n = 40, k = 2, epsilon = 1), command("advise", "--n", "40", "--k", "2", "--epsilon", "1"))
  expect_same_document(advise(n = 40, k = 2, half_width = 0.2),
                       command("advise", "--n", "40", "--k", "2", "--half-width", "0.2"))
  expect_same_document(advise(n = 900, columns = c(ward = 3, cured = 2), read = "cured | ward", epsilon = 1),
                       command("advise", "--columns", "ward=3,cured=2", "--read", "cured | ward", "--n", "900",
                               "--epsilon", "1"))
  expect_same_document(compare_mechanisms(c(5, 4), epsilon = 1), command("compare", "--counts", "5,4", "--epsilon", "1"))
})

test_that("readings and comparisons", {
  path <- example_file("admissions.csv")
  found <- release(path, column = c("gender", "admitted"), categories = list(c("female", "male"), c("yes", "no")),
                   epsilon = 1, seed = 6)
  file <- new_file(".json")
  writeLines(to_json(found), file)
  read_by_command <- function(...) {
    csv <- new_file(".csv")
    if (Sys.getenv("POSTERITY_COMMAND") == "") skip("POSTERITY_COMMAND does not name the command")
    flags <- c("read", file, vapply(c(...), shQuote, ""), "--format", "csv")
    status <- system2(Sys.getenv("POSTERITY_COMMAND"), flags, stdout = csv, stderr = FALSE)
    expect_equal(status, 0)
    utils::read.csv(csv)
  }
  expect_same_numbers <- function(here, there, names) {
    for (name in names) expect_equal(as.data.frame(here)[[name]], there[[name]], tolerance = 1e-12)
  }
  expect_same_numbers(read(found, "admitted=yes | gender"), read_by_command("--read", "admitted=yes | gender"),
                      c("estimate", "mean", "low", "high", "credible_low", "credible_high"))
  between <- "admitted=yes | gender: male - female"
  expect_same_numbers(compare(found, between), read_by_command("--compare", between),
                      c("estimate", "mean", "low", "high", "median", "probability_larger"))
})
