# The same questions as in the other fronts, by their plans and by R's arguments: documents are equal to the letter.

fixture <- function(name) {
  folder <- Sys.getenv("POSTERITY_PLANS", "../../../crates/posterity-cli/tests/pinned/plans")
  if (!dir.exists(folder)) skip("the questions that all fronts are asked are not there; they are in the project's repository")
  skip_if_not_installed("jsonlite")
  skip_if_not_installed("digest")
  normalizePath(file.path(folder, name))
}

# A column as a field of a schema, where spellings and labels stand by their categories.
of_schema <- function(column) {
  by_category <- function(texts, of_one) {
    split <- regmatches(texts, regexpr("=", texts, fixed = TRUE), invert = TRUE)
    names(split) <- vapply(split, function(pair) pair[1], "")
    lapply(split, function(pair) of_one(pair[2]))
  }
  field <- column[c("name", intersect(c("categories", "bins", "ordered", "whole"), names(column)))]
  if (!is.null(column$alias)) field$aliases <- by_category(column$alias, list)
  if (!is.null(column$label)) field$labels <- by_category(column$label, identity)
  field
}

# The arguments of the command as those of R.
as_arguments <- function(words) {
  given <- list(words[1])
  columns <- list()
  place <- 2
  while (place <= length(words)) {
    name <- gsub("-", "_", substring(words[place], 3))
    is_flag <- place == length(words) || startsWith(words[place + 1], "--")
    value <- if (is_flag) TRUE else words[place + 1]
    place <- place + if (is_flag) 1 else 2
    last <- length(columns)
    if (name == "column") {
      columns[[last + 1]] <- list(name = value)
    } else if (name %in% c("categories", "bins")) {
      values <- strsplit(value, ",", fixed = TRUE)[[1]]
      columns[[last]][[name]] <- if (name == "bins") as.numeric(values) else values
    } else if (name %in% c("alias", "label")) {
      columns[[last]][[name]] <- c(columns[[last]][[name]], value)
    } else if (name %in% c("ordered", "whole")) {
      columns[[last]][[name]] <- TRUE
    } else if (name %in% c("other", "missing") && last > 0) {
      columns[[last]][[name]] <- value
    } else if (name == "prior") {
      given$prior <- as.numeric(strsplit(value, ",", fixed = TRUE)[[1]])
    } else if (name %in% c("epsilon", "delta", "total_epsilon", "level")) {
      given[[name]] <- as.numeric(value)
    } else if (name %in% c("read", "compare")) {
      given[[name]] <- c(given[[name]], value)
    } else {
      given[[name]] <- value
    }
  }
  given$column <- vapply(columns, function(column) column$name, "")
  # What else is declared of columns stands in a schema.
  if (any(vapply(columns, function(column) any(c("alias", "label", "ordered", "whole") %in% names(column)), NA))) {
    given$schema <- list(fields = lapply(columns, of_schema))
    columns <- lapply(columns, function(column) column[intersect(c("name", "other", "missing"), names(column))])
  }
  for (name in c("categories", "bins", "other", "missing")) {
    of <- lapply(columns, function(column) column[[name]])
    known <- !vapply(of, is.null, NA)
    if (!any(known)) next
    names(of) <- given$column
    given[[name]] <- if (name %in% c("categories", "bins")) of[known] else unlist(of[known])
  }
  given
}

# The same plan with its keys in the order of the alphabet.
sorted <- function(plan) {
  if (!is.list(plan)) return(plan)
  plan <- lapply(unclass(plan), sorted)
  if (is.null(names(plan))) plan else plan[order(names(plan))]
}

# The SHA-256 of a document as the fixture has it.
digest_of <- function(found) {
  text <- sub("\"version\": \"[^\"]*\"", "\"version\": \"\"", trimws(to_json(found), "right"))
  digest::digest(enc2utf8(text), "sha256", serialize = FALSE)
}

# If this fails, R reads a plan, or its arguments, in another way than the other fronts do.
test_that("all fronts give the same documents, by arguments and by plans", {
  file <- fixture("plans.json")
  asks <- list(release = release, margins = margins, discover = discover)
  lines <- grep("^\\{", readLines(file, encoding = "UTF-8"), value = TRUE)
  withr::local_dir(dirname(file))
  for (line in lines) {
    case <- jsonlite::fromJSON(sub(",$", "", line))
    # The plan as it is written, because its numbers keep their digits.
    plan <- sub(".*\"plan\": (\\{.*\\}), \"digest\".*", "\\1", line)
    made <- function(given) {
      given$seed <- case$seed
      if (case$not_private) given$not_private <- TRUE
      suppressWarnings(do.call(asks[[case$command]], given))
    }
    given <- as_arguments(case$arguments)
    by_arguments <- made(given)
    expect_identical(digest_of(by_arguments), case$digest, label = paste(case$name, "by arguments"))
    expect_identical(digest_of(made(list(plan = plan))), case$digest, label = paste(case$name, "by its plan"))
    asked <- do.call(plan_of, c(list(asks[[case$command]]), given))
    expect_identical(asked, by_arguments$plan, label = case$name)
    # Categories of other and of missing values stand with their columns there, and beside them here.
    # Labels stand in a table there, and in texts here.
    if (is.null(given$other) && is.null(given$schema)) expect_identical(sorted(asked), sorted(plan_of(plan)), label = paste("the plan of", case$name))
  }
  expect_gte(length(lines), 40)
})
