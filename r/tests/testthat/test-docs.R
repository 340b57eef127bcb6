# The ten tasks in docs/r.md.

tasks <- function() {
  file <- "../../../docs/r.md"
  if (!file.exists(file)) skip("docs/r.md is not there; it is in the project's repository")
  text <- readLines(file, encoding = "UTF-8")
  text <- text[seq(grep("^## Ten tasks", text), length(text))]
  text <- text[seq_len(grep("^## ", text)[2] - 1)]
  fences <- matrix(grep("^```", text), nrow = 2)
  apply(fences, 2, function(ends) text[seq(ends[1] + 1, ends[2] - 1)], simplify = FALSE)
}

# If this fails, the documentation shows something that does not run, or that takes more than two lines.
test_that("ten tasks take at most two lines each", {
  blocks <- tasks()
  expect_length(blocks, 11)
  where <- new.env(parent = globalenv())
  withr::local_dir(withr::local_tempdir())
  withr::local_package("posterity")
  for (block in blocks) {
    expect_no_error(found <- eval(parse(text = block), where))
  }
  expect_lte(max(lengths(blocks[-1])), 2)
  expect_lte(max(nchar(unlist(blocks[-1]))), 124)
  expect_s3_class(where$cured, "posterity_release")
  expect_s3_class(where$pairs, "posterity_margins")
})
