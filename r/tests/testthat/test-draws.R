# Draws go to the packages with which R looks at posteriors.

drawn <- draws(release(people, column = c("ward", "cured"), categories = list(c("A", "B", "C"), c(TRUE, FALSE)),
                       epsilon = 1, seed = 1), 2000, seed = 1, reading = "cured=true | ward")

test_that("the package posterior summarises draws", {
  skip_if_not_installed("posterior")
  summary <- posterior::summarise_draws(posterior::as_draws_matrix(drawn), "mean", "sd")
  expect_identical(summary$variable, colnames(drawn))
  expect_equal(as.numeric(summary$mean), unname(colMeans(drawn)))
})

test_that("the package bayesplot draws them", {
  skip_if_not_installed("bayesplot")
  intervals <- bayesplot::mcmc_intervals_data(drawn, prob_outer = 0.95)
  expect_identical(as.character(intervals$parameter), colnames(drawn))
  expect_equal(intervals$m, unname(apply(drawn, 2, stats::median)))
  expect_s3_class(bayesplot::mcmc_areas(drawn), "ggplot")
})
