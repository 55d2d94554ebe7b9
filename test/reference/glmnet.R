# Paths of glmnet at a tight threshold, on data that float32 holds exactly.
# Rscript test/reference/glmnet.R > test/reference/glmnet.json
suppressMessages({library(glmnet); library(jsonlite)})
set.seed(20)
grid <- function(x) round(x * 64) / 64
make <- function(n, p, shift) {
  common <- rnorm(n)
  x <- sapply(seq_len(p), function(j) grid((common + rnorm(n)) * (0.5 + j %% 3) + shift * (j %% 4)))
  beta <- c(1, -0.7, 0.5, 0.3, -0.2, rep(0, p - 5))
  eta <- drop(scale(x) %*% beta)
  list(x = x, y = grid(3 + eta + rnorm(n)), label = as.integer(runif(n) < plogis(eta)))
}
sparse <- function(beta) lapply(seq_len(ncol(beta)), function(i) {
  b <- unname(beta[, i])
  list(at = I(which(b != 0) - 1), value = I(b[b != 0]))
})
path <- function(d, family, alpha, standardize, intercept) {
  y <- if (family == "gaussian") d$y else d$label
  f <- glmnet(d$x, y, family = family, alpha = alpha, standardize = standardize, intercept = intercept,
              nlambda = 25, thresh = 1e-20, maxit = 1e8)
  list(alpha = alpha, standardize = standardize, intercept = intercept, lambda = f$lambda,
       a0 = unname(f$a0), beta = sparse(f$beta), deviance = f$dev.ratio)
}
every <- expand.grid(alpha = c(1, 0.5), standardize = c(TRUE, FALSE), intercept = c(TRUE, FALSE))
case <- function(n, p, shift, settings) {
  d <- make(n, p, shift)
  paths <- function(family) unname(apply(settings, 1, function(s)
    path(d, family, s[["alpha"]], s[["standardize"]] == 1, s[["intercept"]] == 1), simplify = FALSE))
  list(x = unname(t(d$x)), y = d$y, label = d$label, gaussian = paths("gaussian"), binomial = paths("binomial"))
}
out <- list(glmnet = as.character(packageVersion("glmnet")), tall = case(80, 12, 1, every),
            wide = case(40, 60, 0, every[1:2, ]))
cat(toJSON(out, digits = 12, auto_unbox = TRUE), "\n")
