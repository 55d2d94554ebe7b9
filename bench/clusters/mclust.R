# Rscript mclust.R VALUES NUMBER: labels of mclust's fit with full covariances, and of that of its best model by BIC.
suppressMessages(library(mclust))
args <- commandArgs(TRUE)
values <- as.matrix(read.csv(args[1], header = FALSE))
number <- as.integer(args[2])
set.seed(1)
fitted <- function(models = NULL) {
  fit <- try(Mclust(values, G = number, modelNames = models, verbose = FALSE), silent = TRUE)
  if (inherits(fit, "try-error")) NULL else fit
}
full <- fitted("VVV")
liked <- fitted()
cat(jsonlite::toJSON(list(
  model = jsonlite::unbox(liked$modelName), full = full$classification, liked = liked$classification
)))
