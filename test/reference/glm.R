# Maximum likelihood by glm on the sample of deviances.json, for test/selection/glm-mode.test.ts.
data <- jsonlite::read_json("test/reference/deviances.json", simplifyVector = TRUE)
# The rare class is separated by five columns: glm finds no maximum there.
kept <- c("binary", "count", "large")
x <- t(data$columns)[, 1:5]
fits <- Map(function(y, family) {
  fit <- glm(y ~ x, family = family, control = list(epsilon = 1e-14, maxit = 100))
  list(coefficients = unname(coef(fit)), covariance = unname(vcov(fit)))
}, data$targets[kept], data$families[kept])
jsonlite::write_json(fits, "test/reference/glm.json", digits = 16)
