# Ridge and lasso by cross-validation on the rows of bench/sparse-events.ts: predicted probabilities, one file each.
# Rscript sparse-events.R train.svm test.svm columns ridge.txt lasso.txt
suppressMessages({ library(glmnet); library(Matrix) })
arguments <- commandArgs(TRUE)
columns <- as.integer(arguments[3])
rows <- function(path) {
  lines <- strsplit(readLines(path, warn = FALSE), " ", fixed = TRUE)
  ones <- lapply(lines, function(line) as.integer(sub(":1", "", line[-1], fixed = TRUE)))
  x <- sparseMatrix(rep(seq_along(ones), lengths(ones)), unlist(ones), x = 1, dims = c(length(ones), columns))
  list(x = x, y = as.numeric(vapply(lines, `[`, "", 1)))
}
train <- rows(arguments[1])
test <- rows(arguments[2])
set.seed(1)
for (alpha in 0:1) {
  fit <- cv.glmnet(train$x, train$y, family = "binomial", alpha = alpha, nfolds = 5)
  p <- predict(fit, test$x, s = "lambda.min", type = "response")
  writeLines(format(as.numeric(p), digits = 10), arguments[4 + alpha])
}
