# Zellner's prior with a prior on g, on the crime data of bms.R, all 2^15 models with the same probability:
#   Rscript test/reference/scale-priors.R > test/reference/scale-priors.json
# - hyperG: BMS, which has the hyper-g prior of Liang et al. (2008) with a = 3 in closed form.
# - zellnerSiow, hyperGN: the integral over log g by the trapezoidal rule on 721 points, written out here.
suppressMessages({
  library(BMS)
  library(MASS)
  library(jsonlite)
})
crime <- UScrime
crime[-2] <- log(crime[-2])
crime <- crime[c("y", setdiff(names(crime), "y"))]
found <- coef(bms(crime, g = "hyper=3", mprior = "uniform", mcmc = "enumerate", nmodel = 2^15, user.int = FALSE),
              order.by.pip = FALSE, exact = TRUE)

X <- scale(as.matrix(crime[-1]), scale = FALSE)
y <- crime$y - mean(crime$y)
n <- nrow(X)
p <- ncol(X)
u <- seq(-18, 18, length.out = 721)
g <- n * exp(u)
integrated <- function(logDensity) {
  logs <- apply(members, 1, function(s) {
    k <- sum(s)
    l <- logDensity + (n - 1 - k) / 2 * log1p(g) - (n - 1) / 2 * log1p(g * (1 - r2[sum(s * 2^(0:(p - 1))) + 1]))
    max(l) + log(sum(exp(l - max(l))))
  })
  w <- exp(logs - max(logs))
  unname(colSums(members * w) / sum(w))
}
members <- t(sapply(0:(2^p - 1), function(m) bitwAnd(m, 2^(0:(p - 1))) > 0))
r2 <- apply(members, 1, function(s) if (any(s)) sum(qr.fitted(qr(X[, s, drop = FALSE]), y)^2) / sum(y^2) else 0)
all <- list(
  names = names(crime)[-1],
  hyperG = list(pip = unname(found[, 1]), mean = unname(found[, 2]), sd = unname(found[, 3])),
  zellnerSiow = integrated(-0.5 * u - 1 / (2 * exp(u))),
  hyperGN = integrated(u - 1.5 * log1p(exp(u)))
)
cat(toJSON(all, digits = 8, auto_unbox = TRUE, pretty = TRUE), "\n")
