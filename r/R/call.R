# Calls of Rust. Everything is computed there; a failure becomes a condition here.

# The arguments of the function whose frame this is, by name. One that must be given and was not is left out, and Rust
# says which one it is.
arguments <- function(frame = parent.frame()) {
  given <- as.list(frame)
  absent <- vapply(seq_along(given), function(place) identical(given[[place]], quote(expr = )), NA)
  given[!absent]
}

# The same but for the release that the call is about.
options_of <- function(frame = parent.frame()) {
  given <- arguments(frame)
  given[setdiff(names(given), "x")]
}

# Calls a function of Rust with a list of arguments.
called <- function(rust, call) {
  for (path in intersect(names(call), paths)) {
    call[[path]] <- expanded(call[[path]])
  }
  answer <- .Call(rust, utf8(call))
  if (inherits(answer, "posterity_failure")) raise(answer)
  answer
}

# Arguments that are paths, or ledgers.
paths <- c("certificate", "key", "ledger", "out", "path", "plan", "schema", "shape_from", "sign")

# A path without a tilde; that of a ledger. NULL stays what it is.
expanded <- function(given) {
  if (inherits(given, "posterity_ledger")) return(given$path)
  if (is.character(given)) path.expand(given) else given
}

# The same value with all text in UTF-8.
utf8 <- function(value) {
  if (is.factor(value)) {
    attr(value, "levels") <- enc2utf8(levels(value))
  } else if (is.character(value)) {
    value <- enc2utf8(value)
  } else if (is.list(value)) {
    kept <- attributes(value)
    value <- lapply(unclass(value), utf8)
    attributes(value) <- kept
  }
  if (!is.null(attr(value, "names"))) attr(value, "names") <- enc2utf8(attr(value, "names"))
  value
}

# Raises what Rust says: an interrupt, or an error of its kind.
raise <- function(failure) {
  if (failure$kind == "interrupt") interrupt()
  if (failure$kind == "limit") stop(simpleError(failure$message))
  stop(posterity_error(failure$kind, failure$message, failure$differences))
}

# A condition with a class for its kind. A spent budget is a failure of the ledger too, and so is a document that no ledger
# holds. Where a document is not what it says, the condition has each difference.
posterity_error <- function(kind, message, differences = NULL) {
  kinds <- if (kind %in% c("budget", "verification")) c(kind, "ledger") else kind
  classes <- c(if (kind != "other") paste0("posterity_", kinds, "_error"), "posterity_error", "error", "condition")
  condition <- list(message = message, call = NULL)
  condition$differences <- differences
  structure(class = classes, condition)
}

# What R does at Ctrl-C: handlers see the condition, and without one the call ends.
interrupt <- function() {
  signalCondition(structure(class = c("interrupt", "condition"), list(message = "", call = NULL)))
  invokeRestart("abort")
}

# The arguments that say which release a call is about.
about_release <- function(x) list(state = x$state)

# What is published: a release of one table, tables of many columns, or discovered categories.
published <- function(found) {
  kind <- if (found$kind == "table") "release" else found$kind
  structure(found, class = c(paste0("posterity_", kind), "posterity_published"))
}
