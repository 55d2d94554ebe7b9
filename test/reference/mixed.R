# Examples of lme4 with crossed and nested groupings, classes and counts: data, estimates, standard errors and profile
# intervals of the standard deviations. Rscript test/reference/mixed.R > test/reference/mixed.json
suppressMessages(library(lme4))

fitted <- function(model, data, formula) {
  sds <- as.data.frame(VarCorr(model))
  sds <- sds[is.na(sds$var2), ]
  interval <- suppressMessages(suppressWarnings(confint(model, parm = "theta_", quiet = TRUE)))
  list(
    formula = formula,
    rows = as.list(data),
    fixed = as.list(fixef(model)),
    fixedError = as.list(sqrt(diag(as.matrix(vcov(model))))),
    sd = lapply(seq_len(nrow(sds)), function(i) {
      list(group = sds$grp[i], sd = sds$sdcor[i], lower = interval[i, 1], upper = interval[i, 2])
    }),
    logLikelihood = as.numeric(logLik(model))
  )
}

text <- function(data, columns) {
  for (name in columns) data[[name]] <- as.character(data[[name]])
  data
}

data(list = c("Penicillin", "Pastes", "cake", "cbpp", "grouseticks"), package = "lme4")
out <- list(
  penicillin = fitted(
    lmer(diameter ~ 1 + (1 | plate) + (1 | sample), Penicillin, REML = FALSE),
    text(Penicillin, c("plate", "sample")), "diameter ~ 1 + (1 | plate) + (1 | sample)"
  ),
  pastes = fitted(
    lmer(strength ~ 1 + (1 | batch/cask), Pastes, REML = FALSE),
    text(Pastes[c("strength", "batch", "cask")], c("batch", "cask")), "strength ~ 1 + (1 | batch/cask)"
  ),
  cake = fitted(
    lmer(angle ~ recipe + temp + (1 | recipe:replicate), cake, REML = FALSE),
    text(cake[c("angle", "recipe", "temp", "replicate")], c("recipe", "replicate")),
    "angle ~ recipe + temp + (1 | recipe:replicate)"
  ),
  sleepstudy = fitted(
    lmer(Reaction ~ Days + (Days || Subject), sleepstudy, REML = FALSE),
    text(sleepstudy, "Subject"), "Reaction ~ Days + (Days || Subject)"
  ),
  cbpp = fitted(
    glmer(incidence / size ~ period + (1 | herd), family = binomial, weights = size, data = cbpp, nAGQ = 9),
    text(cbpp, c("herd", "period")), "incidence ~ factor(period) + (1 | herd)"
  ),
  grouseticks = fitted(
    glmer(TICKS ~ YEAR + cHEIGHT + (1 | BROOD) + (1 | LOCATION), family = poisson, data = grouseticks),
    text(grouseticks[c("TICKS", "YEAR", "cHEIGHT", "BROOD", "LOCATION")], c("YEAR", "BROOD", "LOCATION")),
    "TICKS ~ factor(YEAR) + cHEIGHT + (1 | BROOD) + (1 | LOCATION)"
  )
)
# With nAGQ above 1 lme4 leaves constants out of logLik: by Laplace it does not.
laplace <- glmer(incidence / size ~ period + (1 | herd), family = binomial, weights = size, data = cbpp)
out$cbpp$laplace <- list(
  fixed = as.list(fixef(laplace)), sd = as.data.frame(VarCorr(laplace))$sdcor, logLikelihood = as.numeric(logLik(laplace))
)
cat(jsonlite::toJSON(out, auto_unbox = TRUE, digits = NA), "\n")
