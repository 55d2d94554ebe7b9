# Bayesian model averaging by BMS (Zeugner and Feldkircher 2015), unit information prior (g = N), on public data:
#   Rscript test/reference/bms.R > test/reference/bms.json
# - crime: Ehrlich's data as corrected by Vandaele, logarithms of all columns but the dummy; Raftery, Madigan and
#   Hoeting (1997) and many after them. All 2^15 models are enumerated.
# - growth: the first 14 regressors of Fernandez, Ley and Steel (2001), 72 countries. Enumerated.
# - growthWhole: all 41 regressors of the same, g = max(N, K^2), uniform model prior, as published there. 2^41 models
#   are too many: six hundred thousand steps of the birth-death sampler, in three chains for the Monte Carlo error.
# - swiss: fertility in 47 provinces, 5 regressors. Enumerated.
suppressMessages({
  library(BMS)
  library(MASS)
  library(jsonlite)
})

crime <- UScrime
crime[-2] <- log(crime[-2])
crime <- crime[c("y", setdiff(names(crime), "y"))]
data(datafls)
growth <- datafls[, 1:15]

fixed <- function(data, mprior, mprior.size = NA) {
  fit <- bms(data, mcmc = "enumeration", g = "UIP", mprior = mprior, mprior.size = mprior.size,
             user.int = FALSE, nmodel = 500)
  found <- coef(fit, order.by.pip = FALSE)
  # BMS 0.3.5 does not normalise the model probabilities of an enumeration: only their ratios are right.
  top <- pmp.bma(fit)[1:2, "PMP (Exact)"]
  list(pip = found[, "PIP"], mean = found[, "Post Mean"], sd = found[, "Post SD"],
       size = sum(found[, "PIP"]), odds = unname(top[1] / top[2]))
}

analysis <- function(data) {
  data <- as.data.frame(data)
  k <- ncol(data) - 1
  list(
    target = names(data)[1],
    columns = as.list(data),
    fits = list(
      list(modelPrior = "uniform", answer = fixed(data, "uniform")),
      # BMS's "random" is the beta-binomial with a = 1 and b such that the mean is mprior.size; k/2 gives b = 1.
      list(modelPrior = "beta-binomial", answer = fixed(data, "random", k / 2)),
      list(modelPrior = "beta-binomial", expectedSize = 2, answer = fixed(data, "random", 2)),
      list(modelPrior = "inclusion", expectedSize = 3, answer = fixed(data, "fixed", 3))
    )
  )
}

chains <- sapply(1:3, function(seed) {
  set.seed(seed)
  fit <- bms(datafls, burn = 2e4, iter = 2e5, mcmc = "bd", g = "BRIC", mprior = "uniform",
             start.value = 10 * seed, nmodel = 500, user.int = FALSE)
  found <- coef(fit, order.by.pip = FALSE)
  c(found[, "PIP"], found[, "Post Mean"])
})
growthWhole <- list(
  target = names(datafls)[1], columns = as.list(datafls), g = max(72, 41^2),
  pip = rowMeans(chains[1:41, ]), mean = rowMeans(chains[42:82, ]),
  pipError = apply(chains[1:41, ], 1, sd) / sqrt(3)
)

all <- list(versions = list(R = as.character(getRversion()), BMS = as.character(packageVersion("BMS"))),
            crime = analysis(crime), growth = analysis(growth), swiss = analysis(swiss),
            growthWhole = growthWhole)
cat(toJSON(all, auto_unbox = TRUE, digits = 10, pretty = FALSE), "\n")
