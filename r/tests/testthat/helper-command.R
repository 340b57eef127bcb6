# The command, to compare with. The variable POSTERITY_COMMAND says where it is.
command <- function(...) {
  found <- Sys.getenv("POSTERITY_COMMAND")
  if (found == "") testthat::skip("POSTERITY_COMMAND does not name the command, so nothing is compared with it")
  written <- tempfile()
  on.exit(unlink(written))
  status <- system2(found, c(vapply(c(...), shQuote, ""), "--format", "json"), stdout = written, stderr = FALSE)
  testthat::expect_equal(status, 0)
  paste(readLines(written, warn = FALSE, encoding = "UTF-8"), collapse = "\n")
}

# Both documents are the same, up to the blanks that a terminal does not need.
expect_same_document <- function(found, expected) {
  testthat::expect_identical(trimws(to_json(found)), trimws(expected))
}

# A file of the examples, which are beside the package in a checkout. The variable POSTERITY_EXAMPLES says where else they
# are.
example_file <- function(name) {
  folder <- Sys.getenv("POSTERITY_EXAMPLES", "../../../examples")
  path <- file.path(folder, name)
  if (!file.exists(path)) testthat::skip("POSTERITY_EXAMPLES does not name the folder of the examples")
  normalizePath(path)
}

# A ledger with one account, in a file that goes with the test.
new_ledger <- function(epsilon = 1, ..., env = parent.frame()) {
  file <- new_file(".ledger", env)
  found <- ledger(file, create = TRUE)
  found$create_account("a", epsilon = epsilon, ...)
  found
}

# A secret key to sign with, and the public one, in files that go with the test.
new_keys <- function(env = parent.frame()) {
  found <- Sys.getenv("POSTERITY_COMMAND")
  if (found == "") testthat::skip("POSTERITY_COMMAND does not name the command, which makes keys")
  name <- withr::local_tempfile(.local_envir = env)
  files <- list(secret = paste0(name, ".secret"), public = paste0(name, ".public"))
  withr::defer(unlink(unlist(files)), envir = env)
  testthat::expect_equal(system2(found, c("budget", "keygen", shQuote(name)), stdout = FALSE, stderr = FALSE), 0)
  files
}

# A file that is removed when the test ends.
new_file <- function(ending, env = parent.frame()) withr::local_tempfile(fileext = ending, .local_envir = env)

people <- data.frame(
  who = rep(1:50, each = 4),
  ward = rep(c("A", "B", "B", "C"), 50),
  cured = rep(c(TRUE, FALSE, TRUE, TRUE, TRUE), 40),
  age = seq_len(200) %% 90,
  day = as.Date("2026-01-01") + seq_len(200)
)
