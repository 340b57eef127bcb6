library(testthat)
library(posterity)

test_check("posterity")
