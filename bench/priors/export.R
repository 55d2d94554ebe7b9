# Writes public data sets as CSV files with the target in column y, for study.ts.
#   Rscript bench/priors/export.R FOLDER [DIABETES.csv]
# Needs R with MASS, mlbench, boot and BMS. DIABETES.csv is the diabetes data of Efron, Hastie, Johnstone and
# Tibshirani (2004) with its ten predictors and y; its 64 terms (squares and products) are made here.
args <- commandArgs(TRUE)
out <- args[1]
dir.create(out, showWarnings = FALSE)
put <- function(name, data, target) {
  data <- na.omit(data)
  x <- model.matrix(reformulate(setdiff(names(data), target)), data)[, -1, drop = FALSE]
  y <- data[[target]]
  if (is.factor(y)) y <- as.integer(y) - 1
  write.csv(data.frame(x, y = y), file.path(out, paste0(name, ".csv")), row.names = FALSE)
}
data(UScrime, Boston, birthwt, cpus, Cars93, biopsy, Pima.tr, Pima.te, cement, hills, package = "MASS")
crime <- UScrime
crime[-2] <- log(crime[-2])
put("uscrime", crime, "y")
put("swiss", swiss, "Fertility")
put("mtcars", mtcars, "mpg")
put("longley", longley, "Employed")
put("attitude", attitude, "rating")
put("savings", LifeCycleSavings, "sr")
air <- na.omit(airquality)
put("airquality", transform(air, Ozone = log(Ozone)), "Ozone")
put("boston", transform(Boston, medv = log(medv)), "medv")
put("birthwt", transform(birthwt[-1], race = factor(race)), "bwt")
cpu <- cpus[c("syct", "mmin", "mmax", "cach", "chmin", "chmax", "perf")]
put("cpus", as.data.frame(log(cpu + 1)), "perf")
cars <- Cars93[sapply(Cars93, is.numeric)]
put("cars93", transform(cars[setdiff(names(cars), c("Min.Price", "Max.Price"))], Price = log(Price)), "Price")
data(nuclear, package = "boot")
put("nuclear", transform(nuclear, cost = log(cost)), "cost")
data(datafls, package = "BMS")
put("growth", datafls, "y")
data(Ozone, Sonar, BreastCancer, PimaIndiansDiabetes, Ionosphere, package = "mlbench")
ozone <- na.omit(Ozone[-(1:3)])
names(ozone)[1] <- "ozone"
put("ozone", transform(ozone, ozone = log(ozone + 1)), "ozone")
put("biopsy", biopsy[-1], "class")
put("pima", rbind(Pima.tr, Pima.te), "type")
put("sonar", Sonar, "Class")
put("ionosphere", transform(Ionosphere[-2], V1 = as.integer(V1)), "Class")
put("lowbwt", transform(birthwt[-10], race = factor(race)), "low")
put("infert", infert[c("age", "parity", "induced", "spontaneous", "case")], "case")
put("insects", transform(warpbreaks, y = breaks)[-1], "y")
if (length(args) > 1) {
  d <- read.csv(args[2])
  put("diabetes", d, "y")
  x <- as.matrix(d[names(d) != "y"])
  squares <- x[, colnames(x) != "sex"]^2
  colnames(squares) <- paste0(colnames(squares), "2")
  pairs <- combn(ncol(x), 2, function(p) x[, p[1]] * x[, p[2]])
  colnames(pairs) <- combn(colnames(x), 2, paste, collapse = ".")
  put("diabetes64", data.frame(x, squares, pairs, y = d$y), "y")
}
