# Deviances of one-variable models by glm, for test/selection/deviances.test.ts.
set.seed(7)
n <- 300
x <- matrix(rnorm(n * 6), n)
x[, 4] <- 1000 + 0.5 * x[, 1] + 0.1 * rnorm(n)   # far from zero
x[, 5] <- as.numeric(x[, 5] > 1)                  # an indicator
x[, 6] <- exp(2 * x[, 6])                         # skewed
eta <- 1.2 * x[, 1] - 0.6 * x[, 2] + 0.4 * x[, 5]
binary <- rbinom(n, 1, plogis(eta))
rare <- rbinom(n, 1, plogis(eta - 5))
count <- rpois(n, exp(0.5 * eta))
large <- rpois(n, exp(13.8 + 0.05 * eta))         # counts of about a million
x <- signif(x, 7)
# −2·log-likelihood without the terms that do not depend on the parameters
minus2 <- function(y, family) apply(x, 2, function(v) {
  mu <- fitted(glm(y ~ v, family = family, control = list(epsilon = 1e-14, maxit = 100)))
  if (family == "binomial") -2 * sum(y * log(mu) + (1 - y) * log1p(-mu)) else -2 * sum(y * log(mu) - mu)
})
targets <- list(binary = binary, rare = rare, count = count, large = large)
families <- c(binary = "binomial", rare = "binomial", count = "poisson", large = "poisson")
jsonlite::write_json(
  list(columns = lapply(seq_len(ncol(x)), function(j) x[, j]), targets = targets, families = as.list(families),
       deviances = Map(function(y, f) minus2(y, f), targets, families)),
  "test/reference/deviances.json", digits = 16, auto_unbox = TRUE)
