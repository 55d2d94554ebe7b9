# Reference scores of predictions: Rscript test/reference/predictive.R > test/reference/predictive.json
# Written with R 4.2.2; only base R and jsonlite.
suppressPackageStartupMessages(library(jsonlite))
set.seed(7)
n <- 60
eta <- rnorm(n)
binomial_y <- rbinom(n, 1, plogis(0.4 + 0.6 * eta))
# Two digits make ties.
p <- round(plogis(1.5 * eta), 2)
p <- pmin(pmax(p, 0.01), 0.99)
recalibrated <- glm(binomial_y ~ qlogis(p), family = binomial, control = list(epsilon = 1e-14, maxit = 100))
wilcoxon <- suppressWarnings(wilcox.test(p[binomial_y == 1], p[binomial_y == 0]))$statistic

poisson_y <- rpois(n, exp(0.3 * eta))
mu <- signif(exp(0.2 + 0.3 * eta), 6)
gaussian_y <- signif(eta + rnorm(n), 6)
fitted <- signif(fitted(lm(gaussian_y ~ eta)), 9)

cat(toJSON(list(
  binomial = list(
    y = binomial_y, p = p,
    errorRate = mean((p > 0.5) != binomial_y & p != 0.5) + 0.5 * mean(p == 0.5),
    logLoss = -mean(dbinom(binomial_y, 1, p, log = TRUE)),
    brier = mean((binomial_y - p)^2),
    auc = unname(wilcoxon) / (sum(binomial_y == 1) * sum(binomial_y == 0)),
    intercept = unname(coef(recalibrated)[1]), slope = unname(coef(recalibrated)[2])
  ),
  poisson = list(y = poisson_y, mu = mu, deviance = mean(poisson()$dev.resids(poisson_y, mu, 1))),
  gaussian = list(
    y = gaussian_y, mu = fitted, rmse = sqrt(mean((gaussian_y - fitted)^2)),
    r2 = summary(lm(gaussian_y ~ eta))$r.squared
  )
), digits = NA, auto_unbox = TRUE))
cat("\n")
