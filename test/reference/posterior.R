# Reference values of R-hat, ESS and MCSE: Rscript test/reference/posterior.R > test/reference/posterior.json
# Written with R 4.2.2 and posterior 1.4.0. Draws are stored rounded, so both sides see the same numbers.
suppressPackageStartupMessages({ library(posterior); library(jsonlite) })
set.seed(20200917)

ar1 <- function(n, rho) {
  x <- numeric(n)
  x[1] <- rnorm(1)
  for (t in seq_len(n - 1)) x[t + 1] <- rho * x[t] + sqrt(1 - rho^2) * rnorm(1)
  x
}
columns <- function(k, draw) do.call(cbind, lapply(seq_len(k), draw))

cases <- list(
  iid = columns(4, function(k) rnorm(200)),
  ar1_slow = columns(4, function(k) ar1(250, 0.9)),
  ar1_antithetic = columns(4, function(k) ar1(200, -0.6)),
  random_walk = columns(2, function(k) cumsum(rnorm(150))),
  cauchy = columns(4, function(k) rcauchy(200)),
  skewed = columns(3, function(k) rexp(120)^3),
  different_means = columns(4, function(k) rnorm(100, mean = k / 2)),
  different_scales = columns(4, function(k) rnorm(100, sd = k)),
  one_stuck_chain = cbind(columns(3, function(k) rnorm(100)), 0.25),
  stuck_chains = columns(3, function(k) rep(k, 50)),
  large_offset = columns(4, function(k) 1e6 + rnorm(100)),
  tiny_scale = columns(4, function(k) 1e-7 * rnorm(100)),
  integers = columns(4, function(k) as.numeric(rpois(100, 3))),
  odd_length = columns(4, function(k) ar1(101, 0.5)),
  one_chain = columns(1, function(k) ar1(301, 0.7)),
  alternating = columns(2, function(k) rep(c(-1, 1), 30) + k / 8),
  short_6 = columns(4, function(k) rnorm(6)),
  short_7 = columns(3, function(k) rnorm(7)),
  short_10 = columns(2, function(k) rnorm(10)),
  short_12 = columns(4, function(k) ar1(12, 0.5)),
  short_13 = columns(1, function(k) rnorm(13)),
  short_15 = columns(4, function(k) ar1(15, 0.8)),
  four_draws = columns(4, function(k) rnorm(4)),
  constant = matrix(2.5, 50, 4),
  ar1_very_slow = columns(2, function(k) ar1(601, 0.99))
)

probabilities <- c(0.025, 0.25, 0.5, 0.95)
answer <- function(x) {
  # Constant quantities are NA in posterior; they become null here and undefined in Sparrow.
  suppressWarnings(list(
    draws = lapply(seq_len(ncol(x)), function(k) x[, k]),
    # JSON has no infinity; only R-hat of chains stuck at different values needs one.
    rhat = if (is.infinite(rhat(x))) "Infinity" else rhat(x), essBulk = ess_bulk(x), essTail = ess_tail(x), essMean = ess_mean(x),
    mcseMean = mcse_mean(x),
    essQuantile = lapply(probabilities, function(p) ess_quantile(x, p, names = FALSE))
  ))
}
rounded <- lapply(cases, function(x) signif(x, 9))
cat(toJSON(
  list(posterior = as.character(packageVersion("posterior")), probabilities = probabilities,
       cases = lapply(rounded, answer)),
  digits = NA, na = "null", auto_unbox = TRUE
))
cat("\n")
