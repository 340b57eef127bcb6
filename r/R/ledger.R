# Budgets. A ledger refuses any charge beyond the budget.

ledger <- function(path, create = FALSE) {
  called(wrap__rs_ledger_open, list(path = path, create = create))
  path <- normalizePath(path)
  structure(class = "posterity_ledger", list(
    path = path,
    create_account = function(account, epsilon, delta = 0, unit = "record", adjacency = "replace", population = NULL,
                              reason = NULL, adds_up = FALSE, allow_large_delta = FALSE) {
      called(wrap__rs_ledger_create_account, c(list(path = path), arguments()))
    },
    accounts = function() rows_or_none(called(wrap__rs_ledger_accounts, list(path = path))),
    history = function(account) rows_or_none(called(wrap__rs_ledger_history, list(path = path, account = account))),
    releases_of = function(account, epsilon) {
      called(wrap__rs_ledger_releases_of, c(list(path = path), arguments()))
    },
    verify = function(head = NULL) called(wrap__rs_ledger_verify, list(path = path, head = head))
  ))
}

# An empty list has no columns.
rows_or_none <- function(rows) if (length(rows) == 0) data.frame() else rows

format.posterity_ledger <- function(x, ...) paste("ledger", x$path)

print.posterity_ledger <- function(x, ...) {
  cat(format(x), "\n", sep = "")
  accounts <- x$accounts()
  flat <- !vapply(accounts, is.list, NA)
  if (length(flat) == 0) {
    cat("It has no accounts yet; create one with create_account.\n")
  } else {
    print(accounts[flat], row.names = FALSE)
  }
  invisible(x)
}

as.data.frame.posterity_ledger <- function(x, row.names = NULL, optional = FALSE, ...) {
  accounts <- x$accounts()
  if (!is.null(row.names)) rownames(accounts) <- row.names
  accounts
}

# How much of each account is left, as parts of its epsilon.
plot.posterity_ledger <- function(x, ...) {
  accounts <- x$accounts()
  if (nrow(accounts) == 0) stop(posterity_error("argument", "x: the ledger has no accounts, so there is nothing to draw"))
  left <- as.numeric(accounts$remaining_epsilon)
  plot_numbers(left, accounts$name, format(x), "epsilon that is left")
  invisible(x)
}

verify <- function(document, ledger = NULL, key = NULL) {
  if (inherits(document, "posterity_published")) {
    document <- to_json(document)
  } else if (inherits(document, "posterity_study")) {
    document <- attr(document, "folder")
  } else if (is.character(document) && !any(startsWith(trimws(document), "{"))) {
    # A text may be longer than any path.
    document <- path.expand(document)
  }
  structure(called(wrap__rs_verify, arguments()), class = "posterity_verified")
}

format.posterity_verified <- function(x, ...) {
  held <- if (is.na(x$study)) {
    "The document says what was drawn."
  } else {
    sprintf("The %d documents of the study \"%s\" say what was drawn.", length(x$documents), x$study)
  }
  if (is.null(x$charge)) return(held)
  sprintf("%s It was charged to the account \"%s\", entry %s.", held, x$charge$account, x$charge$entry)
}

print.posterity_verified <- function(x, ...) {
  not_checked <- if (length(x$not_checked) > 0) paste0("Not checked: ", x$not_checked, ".")
  cat(strwrap(c(format(x), not_checked)), sep = "\n")
  invisible(x)
}

# A row for each thing that was checked, or was not.
as.data.frame.posterity_verified <- function(x, row.names = NULL, optional = FALSE, ...) {
  rows <- data.frame(what = c(x$checked, x$not_checked),
                     checked = rep(c(TRUE, FALSE), c(length(x$checked), length(x$not_checked))))
  if (!is.null(row.names)) rownames(rows) <- row.names
  rows
}
