# Maximum likelihood fits of lme4 for test/mixed/fit.test.ts. Run: Rscript test/reference/lme4.R
library(lme4)
library(jsonlite)
fit <- lmer(Reaction ~ Days + (Days | Subject), sleepstudy, REML = FALSE)
v <- VarCorr(fit)$Subject
write_json(list(
  source = sprintf("R %s, lme4 %s", getRversion(), packageVersion("lme4")),
  rows = list(reaction = sleepstudy$Reaction, days = sleepstudy$Days, subject = as.character(sleepstudy$Subject)),
  fixed = unname(fixef(fit)), fixedError = unname(sqrt(diag(as.matrix(vcov(fit))))),
  covariance = unname(matrix(v, 2)), noiseVariance = sigma(fit)^2,
  effects = unname(as.matrix(ranef(fit)$Subject)), subjects = rownames(ranef(fit)$Subject)
), "test/reference/lme4.json", digits = 10, auto_unbox = TRUE)
