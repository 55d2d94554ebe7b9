# glmnet or susieR on the data in a folder (bench/shapes/data.ts): Rscript peers.R glmnet|relaxed|susie FOLDER
arguments <- commandArgs(TRUE)
method <- arguments[1]; folder <- arguments[2]
package <- if (method == "susie") "susieR" else "glmnet"
if (!requireNamespace(package, quietly = TRUE)) stop(package, " is not installed", call. = FALSE)
text <- readLines(file.path(folder, "shape.json"), warn = FALSE)
number <- function(key) as.integer(sub(paste0('.*"', key, '":([0-9]+).*'), "\\1", text))
word <- function(key) sub(paste0('.*"', key, '":"([a-z]+)".*'), "\\1", text)
n <- number("rows"); p <- number("columns"); family <- word("family")
if (method == "susie" && family != "gaussian") stop("susieR has no ", family, " target", call. = FALSE)

if (word("format") == "dense") {
  x <- readBin(file.path(folder, "x.f32"), "numeric", n * p, size = 4)
  dim(x) <- c(n, p)
  y <- readBin(file.path(folder, "y.f32"), "numeric", n, size = 4)
} else {
  suppressMessages(library(Matrix))
  lines <- strsplit(readLines(file.path(folder, "data.svm")), " ", fixed = TRUE)
  y <- as.numeric(vapply(lines, `[`, "", 1))
  entries <- lengths(lines) - 1L
  columns <- as.integer(sub(":1", "", unlist(lapply(lines, `[`, -1)), fixed = TRUE))
  rm(lines)
  x <- sparseMatrix(rep(seq_len(n), entries), columns, x = 1, dims = c(n, p))
}
invisible(gc())

# The numbers of a path leave by a few large strings: every model is its intercept, its columns and their coefficients.
list_of <- function(v) if (length(v)) paste0("[", paste(format(v, digits = 12, trim = TRUE), collapse = ","), "]") else "[]"
model_of <- function(intercept, beta, deviance) {
  used <- which(beta != 0)
  sprintf('{"intercept":%.12g,"columns":%s,"values":%s%s}', intercept, list_of(used - 1L), list_of(beta[used]),
    if (is.na(deviance)) "" else sprintf(',"deviance":%.12g', deviance))
}
# -2 log likelihood up to a constant, with the noise variance of a Gaussian at its own best.
path_of <- function(fit) {
  deviance <- if (family == "gaussian") n * log(1 - fit$dev.ratio) else fit$nulldev * (1 - fit$dev.ratio)
  beta <- as(fit$beta, "CsparseMatrix")
  vapply(seq_along(fit$lambda), function(k) model_of(fit$a0[k], beta[, k], deviance[k]), "")
}

selected <- ""
if (method == "glmnet") {
  # Residual updates are the faster of glmnet's two algorithms for hundreds of columns or more, and its default there.
  time <- system.time(fit <- glmnet::glmnet(x, y, family = family, nlambda = 100))
  models <- path_of(fit)
  note <- sprintf("%d values of lambda", length(fit$lambda))
} else if (method == "relaxed") {
  # The models along the path, as far as 100 variables, each fitted again without a penalty.
  time <- system.time({
    path <- glmnet::glmnet(x, y, family = family, nlambda = 100, dfmax = 100)
    fit <- glmnet::relax.glmnet(path, x, y = y, family = family, maxp = 150)
  })
  models <- path_of(fit$relaxed)
  note <- sprintf("%d values of lambda, at most 100 variables", length(path$lambda))
} else {
  effects <- number("effects")
  time <- system.time(fit <- susieR::susie(x, y, L = effects))
  beta <- unname(coef(fit))
  models <- model_of(beta[1], beta[-1], NA)
  selected <- sprintf(',"selected":%s', list_of(which(fit$pip > 0.5) - 1L))
  note <- sprintf("L = %d, %d iterations%s", effects, fit$niter, if (isTRUE(fit$converged)) "" else ", not converged")
}
status <- if (file.exists("/proc/self/status")) grep("VmHWM", readLines("/proc/self/status"), value = TRUE) else "0"
megabytes <- as.numeric(gsub("[^0-9]", "", status)) / 1024
all <- proc.time()
cat(sprintf('{"version":"%s %s, %s, BLAS %s","seconds":%.4f,"cpuSeconds":%.4f,"wholeCpuSeconds":%.4f,"megabytes":%.1f,"note":"%s"%s,"models":[',
  package, packageVersion(package), R.version.string, basename(extSoftVersion()[["BLAS"]]), time[["elapsed"]],
  time[["user.self"]] + time[["sys.self"]], all[["user.self"]] + all[["sys.self"]], megabytes, note, ""),
  paste(models, collapse = ","), "]", selected, "}\n", sep = "")
