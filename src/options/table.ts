/** The options of `fit`, many of which other commands share, each declared once. */

import { FAMILIES, INTEGRATORS, MISSING_WITHOUT_MODEL } from "./choices.js";
import {
  choice,
  columns,
  count,
  notNegative,
  or,
  positive,
  share,
  size,
  steps,
  text,
  whole,
} from "./kinds.js";
import type { OptionTable } from "./option.js";
import { readingOptions } from "./reading.js";

export const options = {
  target: { kind: text, symbol: "COLUMN", words: "the column to explain", required: true },
  family: { kind: choice("auto", ...FAMILIES), words: "the kind of target", usual: "auto" },
  preset: {
    kind: choice("auto", "paper"),
    words: "everything chosen from the data (auto), or the settings of Song et al. (2020) (paper)",
    usual: "auto",
  },
  chains: {
    kind: count,
    symbol: "K",
    words: "independent chains",
    usually: "2, or 1 with the paper's settings",
  },
  iterations: {
    kind: count,
    symbol: "T",
    words: "iterations of each chain",
    usually: "until the chains agree, or 5000 with the paper's settings",
  },
  burnIn: {
    kind: whole,
    symbol: "B",
    words: "iterations to discard at the start",
    usually: "half of them, or 40% with the paper's settings",
  },
  batch: {
    kind: count,
    symbol: "n",
    words: "rows in a mini-batch",
    usually: "from the data, or 200 (classes and counts: 300) with the paper's settings",
  },
  sampling: {
    kind: choice("blocks", "rows", "rows-with-replacement"),
    words:
      "what a mini-batch is made of: whole blocks of the shuffled store, which is fast, or single rows with or without replacement",
    usual: "blocks",
  },
  models: {
    kind: count,
    symbol: "m",
    words: "models drawn per iteration",
    usually: "5, or 10 with the paper's settings",
  },
  moves: {
    kind: count,
    symbol: "k",
    words: "reversible-jump moves per model",
    usually: "from the data, or 1 with the paper's settings",
  },
  stepSize: {
    kind: steps,
    symbol: "ε",
    words:
      "step of the dynamics: a number, a(b + t)^−κ (on the command line polynomial:a,b,κ), or cycles (cyclical:a,length)",
    usually: "from the curvature, or 1e-6 (classes and counts: 1e-5) with the paper's settings",
  },
  integrator: { kind: choice(...INTEGRATORS), words: "the dynamics of the coefficients", usual: "sgld" },
  temperature: {
    kind: notNegative,
    symbol: "τ",
    words: "1 targets the posterior, 0 switches the noise off",
    usual: 1,
  },
  modelPrior: {
    kind: choice("inclusion", "beta-binomial", "uniform"),
    words: "prior over models",
    usual: "beta-binomial",
  },
  priorInclusion: {
    kind: share,
    symbol: "λ",
    words: "prior probability that a variable is in",
    usually: "1/(p + 1)^1.1 for p variables",
  },
  expectedSize: {
    kind: positive,
    symbol: "k",
    words: "instead: how many variables are expected to be in",
    usually: "p/(1 + √p) of the beta-binomial prior",
  },
  slab: {
    kind: choice("independent", "zellner"),
    words: "prior of the coefficients that are in",
    usual: "independent",
  },
  slabVariance: {
    kind: positive,
    symbol: "v",
    words: "prior variance of a coefficient that is in; times the noise variance where that is unknown",
    usually: "learned from the data, or 25 with the paper's settings",
  },
  g: {
    kind: positive,
    symbol: "G",
    words: "scale of the zellner slab",
    usually: "learned from the data (scalePrior)",
  },
  scalePrior: {
    kind: choice("hyper-g-n", "zellner-siow", "hyper-g", "fixed"),
    words: "prior of the slab's variance or g, or fixed at what one row tells (1, or the number of rows)",
    usual: "hyper-g-n",
  },
  priorC0: {
    kind: positive,
    symbol: "C0",
    words: "C0 of the paper's prior for classes and counts",
    usual: 10,
  },
  priorZeta: {
    kind: positive,
    symbol: "ζ",
    words: "zeta of the paper's prior for classes and counts",
    usual: 0.5,
  },
  noiseVariance: {
    kind: or("unknown", positive),
    symbol: "s2|unknown",
    words: "residual variance, if it is known",
    usually: "unknown, or 1 with the paper's settings",
  },
  maxSize: {
    kind: count,
    symbol: "q",
    words: "largest number of variables in a model",
    usually: "300, or 50 (classes and counts: 500) with the paper's settings",
  },
  fdr: {
    kind: share,
    symbol: "RATE",
    words: "Bayesian false-discovery rate of the wider selection",
    usual: 0.05,
  },
  scale: {
    kind: choice("standard", "none"),
    words: "whether columns are standardised inside",
    usually: "standard, or none with the paper's settings",
  },
  intercept: {
    kind: choice("always", "select", "none"),
    words: "how the intercept is treated",
    usually: "always, or select with the paper's settings",
  },
  always: { kind: columns, symbol: "COLUMN,...", words: "columns that are in every model" },
  exclude: { kind: columns, symbol: "COLUMN,...", words: "columns to leave out" },
  columns: {
    kind: columns,
    symbol: "COLUMN,...",
    words: "columns to consider; * and ? stand for any text",
    usually: "all",
  },
  missing: {
    kind: choice("impute", ...MISSING_WITHOUT_MODEL),
    words:
      "missing predictors: draw them along with the model, leave their rows out, put the column's mean in their place, or refuse",
    usually: "impute, and NaN is refused",
  },
  imputations: {
    kind: count,
    symbol: "m",
    words: "completed copies of the data to keep, where predictors are missing",
    usually: "none",
  },
  memory: {
    kind: size,
    symbol: "SIZE",
    words: "memory for the data; larger data stay on disk",
    usually: "half of what the machine has",
  },
  engine: {
    kind: choice("duckdb"),
    words:
      "leave Parquet files where they are and ask DuckDB for sums over their rows (a table in ClickHouse is always asked)",
    usually: "files are read",
  },
  where: {
    kind: text,
    symbol: "CONDITION",
    words: "only rows that meet a condition in the SQL of the database that is asked",
  },
  query: {
    kind: text,
    symbol: "SELECT",
    words: "a query in the place of the table, which ClickHouse reads and nothing more",
  },
  seconds: {
    kind: positive,
    symbol: "S",
    words: "time for everything after reading; the answer is the best found by then",
  },
  holdout: {
    kind: share,
    symbol: "SHARE",
    words: "share of the rows to score predictions on, such as 0.2",
  },
  threads: {
    kind: count,
    symbol: "K",
    words: "threads to use; the answer does not depend on it",
    usually: "one for each core, 8 at most",
  },
  seed: {
    kind: whole,
    symbol: "s",
    words: "seed of the random numbers; the same seed gives the same answer",
    usual: 1,
  },
  ...readingOptions,
} satisfies OptionTable;
