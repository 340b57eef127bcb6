# Many questions of one source under one budget.

study <- function(plan, out = sub("[.][^.]*$", "", basename(plan)), again = FALSE, sign = NULL, seed = NULL) {
  found <- called(wrap__rs_study, arguments())
  documents <- lapply(found$documents, published)
  structure(documents, folder = found$folder, report = file.path(found$folder, "report.html"), class = "posterity_study")
}

format.posterity_study <- function(x, ...) {
  private <- all(vapply(unclass(x), function(release) isTRUE(release$private), NA))
  sprintf("%s: study with the questions %s, in %s", if (private) "private" else "NOT PRIVATE",
          paste(names(x), collapse = ", "), attr(x, "folder"))
}

print.posterity_study <- function(x, ...) {
  cat(strwrap(format(x)), sep = "\n")
  invisible(x)
}
