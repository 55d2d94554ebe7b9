# glmnet or susieR on the data of run.ts: Rscript peers.R glmnet|susie FOLDER
arguments <- commandArgs(TRUE)
method <- arguments[1]; folder <- arguments[2]
package <- if (method == "glmnet") "glmnet" else "susieR"
if (!requireNamespace(package, quietly = TRUE)) stop(package, " is not installed", call. = FALSE)
number <- function(key) as.integer(sub(paste0('.*"', key, '":([0-9]+).*'), "\\1", readLines(file.path(folder, "shape.json"), warn = FALSE)))
n <- number("rows"); p <- number("columns")
x <- matrix(readBin(file.path(folder, "x.f32"), "numeric", n * p, size = 4), n, p)
y <- readBin(file.path(folder, "y.f32"), "numeric", n, size = 4)
invisible(gc())
if (method == "glmnet") {
  # Residual updates are the faster of glmnet's two algorithms for hundreds of columns or more, and its default there.
  time <- system.time(fit <- glmnet::glmnet(x, y, nlambda = 100))
  bic <- n * log(1 - fit$dev.ratio) + fit$df * log(n)
  beta <- as.vector(fit$beta[, which.min(bic)])
  selected <- which(beta != 0) - 1
  note <- sprintf("%d values of lambda", length(fit$lambda))
} else {
  time <- system.time(fit <- susieR::susie(x, y, L = 10))
  beta <- unname(coef(fit))[-1]
  selected <- which(fit$pip > 0.5) - 1
  note <- sprintf("L = 10, %d iterations", fit$niter)
}
status <- if (file.exists("/proc/self/status")) grep("VmHWM", readLines("/proc/self/status"), value = TRUE) else "0"
megabytes <- as.numeric(gsub("[^0-9]", "", status)) / 1024
list_of <- function(v) paste0("[", paste(format(v, digits = 12, trim = TRUE), collapse = ","), "]")
cat(sprintf('{"version":"%s %s, %s, BLAS %s","seconds":%.4f,"cpuSeconds":%.4f,"megabytes":%.1f,"note":"%s","selected":%s,"coefficients":%s}\n',
  package, packageVersion(package), R.version.string, basename(extSoftVersion()[["BLAS"]]), time[["elapsed"]],
  time[["user.self"]] + time[["sys.self"]], megabytes, note, if (length(selected)) list_of(selected) else "[]", list_of(beta)))
