# Reference values of the special functions and distributions. Run: Rscript test/reference/special.R
here <- dirname(sub("--file=", "", grep("--file=", commandArgs(), value = TRUE)))
table <- function(f, ...) {
  grid <- expand.grid(..., KEEP.OUT.ATTRS = FALSE)
  cbind(as.matrix(grid), do.call(f, unname(as.list(grid))))
}
positive <- c(1e-10, 0.01, 0.3, 0.5, 0.9, 0.999, 1, 1.001, 1.4, 1.6, 1.99, 2, 2.01, 2.6, 3, 5.5, 9.9, 10, 15, 100, 1e4, 1e8)
real <- c(-30, -8, -5, -3, -2, -1, -0.7, -0.4, -0.01, -1e-9, 0, 1e-9, 0.01, 0.4, 0.7, 1, 2, 3, 5, 8)
shape <- c(0.01, 0.5, 1, 2.5, 9, 30, 1000, 1e5)
ratio <- c(0.01, 0.5, 0.9, 0.99, 1, 1.01, 1.1, 1.5, 3)
probability <- c(1e-300, 1e-100, 1e-20, 1e-6, 0.001, 0.02, 0.2, 0.3, 0.4999, 0.5, 0.50001, 0.7, 0.9, 0.999, 1 - 1e-9)
freedom <- c(0.3, 1, 2, 3.5, 10, 100, 1e5)
reference <- list(
  logGamma = table(lgamma, positive),
  erf = table(function(x) sign(x) * pgamma(x^2, 0.5), real[abs(real) < 6]),
  erfc = table(function(x) 2 * pnorm(-x * sqrt(2)), c(-3, -0.7, -0.2, 0, 0.2, 0.5, 0.7, 1, 2, 3)),
  normalCdf = table(pnorm, c(-37, real)),
  logNormalCdf = table(function(x) pnorm(x, log.p = TRUE), c(-1e5, -300, real)),
  normalQuantile = table(qnorm, probability),
  incompleteGamma = table(function(a, r) pgamma(a * r, a), shape, ratio),
  incompleteGammaUpper = table(function(a, r) pgamma(a * r, a, lower.tail = FALSE), shape, ratio),
  incompleteBeta = table(pbeta, c(1e-8, 0.05, 0.3, 0.5, 0.8, 0.99), c(0.1, 1, 4, 50, 2000), c(0.5, 1, 7, 300)),
  studentTCdf = table(pt, c(-1e6, -40, -5, -2, -0.5, -1e-5, 0, 0.3, 1.5, 10), freedom),
  studentTQuantile = table(qt, c(1e-12, 1e-6, 0.001, 0.025, 0.2, 0.45, 0.5, 0.6, 0.975, 0.9999), freedom),
  chiSquareCdf = table(pchisq, c(0.001, 0.5, 2, 10, 80, 1000), c(0.5, 1, 2, 7, 100, 1000))
)
rows <- function(m) paste0("[", apply(m, 1, function(row) paste(sprintf("%.17g", row), collapse = ",")), "]", collapse = ",\n")
entries <- paste0("\"", names(reference), "\": [\n", vapply(reference, rows, ""), "\n]", collapse = ",\n")
writeLines(c("{", entries, "}"), file.path(here, "special.json"))
