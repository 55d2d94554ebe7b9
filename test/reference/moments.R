# Reference values of the moments and of the type-7 quantile. Run: Rscript test/reference/moments.R
here <- dirname(sub("--file=", "", grep("--file=", commandArgs(), value = TRUE)))
x <- c(3.1, -2, 7.25, 0, 0, 11, 5.5, -8.125, 2, 2.5)
w <- c(1, 2, 0.5, 3, 0, 1.25, 4, 0.1, 2, 1)
p <- c(0, 0.025, 0.1, 0.25, 1 / 3, 0.5, 0.9, 0.975, 1)
weighted <- cov.wt(cbind(x), w / sum(w), method = "unbiased")
numbers <- function(v) paste0("[", paste(sprintf("%.17g", v), collapse = ", "), "]")
writeLines(c(
  "{",
  paste0("\"x\": ", numbers(x), ","),
  paste0("\"w\": ", numbers(w), ","),
  paste0("\"p\": ", numbers(p), ","),
  paste0("\"mean\": ", sprintf("%.17g", mean(x)), ","),
  paste0("\"variance\": ", sprintf("%.17g", var(x)), ","),
  paste0("\"weightedMean\": ", sprintf("%.17g", weighted$center), ","),
  paste0("\"weightedVariance\": ", sprintf("%.17g", weighted$cov), ","),
  paste0("\"quantiles\": ", numbers(quantile(x, p))),
  "}"
), file.path(here, "moments.json"))
