# Estimates of mclust on the Old Faithful data (datasets::faithful, Azzalini and Bowman 1990), with the data themselves.
# Rscript test/reference/mclust.R > test/reference/mclust.json
suppressMessages({ library(mclust); library(jsonlite) })
set.seed(1)
describe <- function(model) {
  fit <- Mclust(faithful, G = 2, modelNames = model, verbose = FALSE)
  boot <- summary(MclustBootstrap(fit, nboot = 300, type = "bs", verbose = FALSE), what = "se")
  order <- order(-fit$parameters$pro)
  variance <- fit$parameters$variance$sigma
  lapply(order, function(k) list(
    weight = unname(fit$parameters$pro[k]), weightError = unname(boot$pro[k]),
    mean = unname(fit$parameters$mean[, k]), meanError = unname(boot$mean[, k]),
    covariance = unname(variance[, , k]), covarianceError = unname(boot$variance[, , k])))
}
cat(toJSON(list(
  versions = list(R = R.version.string, mclust = as.character(packageVersion("mclust"))),
  columns = names(faithful), rows = unname(as.matrix(faithful)),
  full = describe("VVV"), diagonal = describe("VVI")), digits = 8, auto_unbox = TRUE))
