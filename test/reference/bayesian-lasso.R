# The Bayesian Lasso by the sampler of Park and Casella (2008) to the letter: all of beta at once. 200,000 iterations.
# Rscript test/reference/bayesian-lasso.R > test/reference/bayesian-lasso.json
suppressMessages(library(jsonlite))
set.seed(3)
n <- 40; p <- 6; lambda <- 6
common <- rnorm(n)
x <- sapply(1:p, function(j) round(64 * (common + rnorm(n))) / 64)
y <- round(64 * (drop(x %*% c(1, -0.5, 0.2, 0, 0, 0)) + rnorm(n))) / 64
xc <- scale(x, scale = FALSE); yc <- y - mean(y)
G <- crossprod(xc); b <- drop(crossprod(xc, yc))
rinvgauss <- function(mu, shape) {
  v <- rnorm(length(mu))^2; a <- mu * v / (2 * shape); r <- 1 + a + sqrt(a * (a + 2))
  ifelse(runif(length(mu)) * (1 + r) < r, mu / r, mu * r)
}
run <- function(known, iterations = 200000) {
  s2 <- 1; beta <- rep(0.1, p); out <- matrix(0, iterations, p + 1)
  for (t in -1000:iterations) {
    tau <- rinvgauss(lambda * sqrt(s2) / abs(beta), rep(lambda^2, p))
    R <- chol(G + diag(tau))
    beta <- backsolve(R, backsolve(R, b, transpose = TRUE) + sqrt(s2) * rnorm(p))
    if (!known) s2 <- 1 / rgamma(1, (n - 1 + p) / 2, (sum((yc - xc %*% beta)^2) + sum(beta^2 * tau)) / 2)
    if (t > 0) out[t, ] <- c(beta, s2)
  }
  batches <- apply(out, 2, function(v) colMeans(matrix(v, 2000)))
  list(mean = colMeans(out), error = apply(batches, 2, sd) / sqrt(nrow(batches)))
}
cat(toJSON(list(lambda = lambda, x = t(x), y = y, known = run(TRUE), unknown = run(FALSE)), digits = 10, auto_unbox = TRUE), "\n")
