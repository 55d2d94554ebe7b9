/**
 * The options that commands share, and those of `fit`, each declared once. The comment above an entry is what editors
 * show; a test sees to it that it says what the entry says.
 */

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

export const options = {
  /** The column to explain. */
  target: { kind: text, symbol: "COLUMN", words: "the column to explain", required: true },
  /** The kind of target. Unless told: auto. */
  family: { kind: choice("auto", ...FAMILIES), words: "the kind of target", usual: "auto" },
  /** Everything chosen from the data (auto), or the settings of Song et al. (2020) (paper). Unless told: auto. */
  preset: {
    kind: choice("auto", "paper"),
    words: "everything chosen from the data (auto), or the settings of Song et al. (2020) (paper)",
    usual: "auto",
  },
  /** Independent chains. Unless told: 2, or 1 with the paper's settings. */
  chains: {
    kind: count,
    symbol: "K",
    words: "independent chains",
    usually: "2, or 1 with the paper's settings",
  },
  /** Iterations of each chain. Unless told: until the chains agree, or 5000 with the paper's settings. */
  iterations: {
    kind: count,
    symbol: "T",
    words: "iterations of each chain",
    usually: "until the chains agree, or 5000 with the paper's settings",
  },
  /** Iterations to discard at the start. Unless told: half of them, or 40% with the paper's settings. */
  burnIn: {
    kind: whole,
    symbol: "B",
    words: "iterations to discard at the start",
    usually: "half of them, or 40% with the paper's settings",
  },
  /** Rows in a mini-batch. Unless told: from the data, or 200 (classes and counts: 300) with the paper's settings. */
  batch: {
    kind: count,
    symbol: "n",
    words: "rows in a mini-batch",
    usually: "from the data, or 200 (classes and counts: 300) with the paper's settings",
  },
  /**
   * What a mini-batch is made of: whole blocks of the shuffled store, which is fast, or single rows with or without
   * replacement. Unless told: blocks.
   */
  sampling: {
    kind: choice("blocks", "rows", "rows-with-replacement"),
    words:
      "what a mini-batch is made of: whole blocks of the shuffled store, which is fast, or single rows with or without replacement",
    usual: "blocks",
  },
  /** Models drawn per iteration. Unless told: 10, or 5 for classes and counts without the paper's settings. */
  models: {
    kind: count,
    symbol: "m",
    words: "models drawn per iteration",
    usually: "10, or 5 for classes and counts without the paper's settings",
  },
  /** Reversible-jump moves per model. Unless told: from the data, or 1 with the paper's settings. */
  moves: {
    kind: count,
    symbol: "k",
    words: "reversible-jump moves per model",
    usually: "from the data, or 1 with the paper's settings",
  },
  /**
   * Step of the dynamics: a number, a(b + t)^−κ (on the command line polynomial:a,b,κ), or cycles (cyclical:a,length).
   * Unless told: from the curvature, or 1e-6 (classes and counts: 1e-5) with the paper's settings.
   */
  stepSize: {
    kind: steps,
    symbol: "ε",
    words:
      "step of the dynamics: a number, a(b + t)^−κ (on the command line polynomial:a,b,κ), or cycles (cyclical:a,length)",
    usually: "from the curvature, or 1e-6 (classes and counts: 1e-5) with the paper's settings",
  },
  /** The dynamics of the coefficients. Unless told: sgld. */
  integrator: { kind: choice(...INTEGRATORS), words: "the dynamics of the coefficients", usual: "sgld" },
  /** 1 targets the posterior, 0 switches the noise off. Unless told: 1. */
  temperature: {
    kind: notNegative,
    symbol: "τ",
    words: "1 targets the posterior, 0 switches the noise off",
    usual: 1,
  },
  /** Prior over models. Unless told: inclusion. */
  modelPrior: {
    kind: choice("inclusion", "beta-binomial", "uniform"),
    words: "prior over models",
    usual: "inclusion",
  },
  /** Prior probability that a variable is in. Unless told: 1/(p + 1)^1.1 for p variables. */
  priorInclusion: {
    kind: share,
    symbol: "λ",
    words: "prior probability that a variable is in",
    usually: "1/(p + 1)^1.1 for p variables",
  },
  /** Instead: how many variables are expected to be in. */
  expectedSize: {
    kind: positive,
    symbol: "k",
    words: "instead: how many variables are expected to be in",
  },
  /** Prior of the coefficients that are in. Unless told: independent. */
  slab: {
    kind: choice("independent", "zellner"),
    words: "prior of the coefficients that are in",
    usual: "independent",
  },
  /**
   * Prior variance of a coefficient that is in; times the noise variance where that is unknown. Unless told: 1, or 25
   * with the paper's settings.
   */
  slabVariance: {
    kind: positive,
    symbol: "v",
    words: "prior variance of a coefficient that is in; times the noise variance where that is unknown",
    usually: "1, or 25 with the paper's settings",
  },
  /** Scale of the zellner slab. Unless told: the number of rows. */
  g: { kind: positive, symbol: "G", words: "scale of the zellner slab", usually: "the number of rows" },
  /** C0 of the paper's prior for classes and counts. Unless told: 10. */
  priorC0: {
    kind: positive,
    symbol: "C0",
    words: "C0 of the paper's prior for classes and counts",
    usual: 10,
  },
  /** Zeta of the paper's prior for classes and counts. Unless told: 0.5. */
  priorZeta: {
    kind: positive,
    symbol: "ζ",
    words: "zeta of the paper's prior for classes and counts",
    usual: 0.5,
  },
  /** Residual variance, if it is known. Unless told: unknown, or 1 with the paper's settings. */
  noiseVariance: {
    kind: or("unknown", positive),
    symbol: "s2|unknown",
    words: "residual variance, if it is known",
    usually: "unknown, or 1 with the paper's settings",
  },
  /**
   * Largest number of variables in a model. Unless told: 300, or 50 (classes and counts: 500) with the paper's
   * settings.
   */
  maxSize: {
    kind: count,
    symbol: "q",
    words: "largest number of variables in a model",
    usually: "300, or 50 (classes and counts: 500) with the paper's settings",
  },
  /** Bayesian false-discovery rate of the wider selection. Unless told: 0.05. */
  fdr: {
    kind: share,
    symbol: "RATE",
    words: "Bayesian false-discovery rate of the wider selection",
    usual: 0.05,
  },
  /** Whether columns are standardised inside. Unless told: standard, or none with the paper's settings. */
  scale: {
    kind: choice("standard", "none"),
    words: "whether columns are standardised inside",
    usually: "standard, or none with the paper's settings",
  },
  /** How the intercept is treated. Unless told: always, or select with the paper's settings. */
  intercept: {
    kind: choice("always", "select", "none"),
    words: "how the intercept is treated",
    usually: "always, or select with the paper's settings",
  },
  /** Columns that are in every model. */
  always: { kind: columns, symbol: "COLUMN,...", words: "columns that are in every model" },
  /** Columns to leave out. */
  exclude: { kind: columns, symbol: "COLUMN,...", words: "columns to leave out" },
  /** Columns to consider; * and ? stand for any text. Unless told: all. */
  columns: {
    kind: columns,
    symbol: "COLUMN,...",
    words: "columns to consider; * and ? stand for any text",
    usually: "all",
  },
  /**
   * Missing predictors: draw them along with the model, leave their rows out, put the column's mean in their place, or
   * refuse. Unless told: impute, and NaN is refused.
   */
  missing: {
    kind: choice("impute", ...MISSING_WITHOUT_MODEL),
    words:
      "missing predictors: draw them along with the model, leave their rows out, put the column's mean in their place, or refuse",
    usually: "impute, and NaN is refused",
  },
  /** Memory for the data; larger data stay on disk. Unless told: half of what the machine has. */
  memory: {
    kind: size,
    symbol: "SIZE",
    words: "memory for the data; larger data stay on disk",
    usually: "half of what the machine has",
  },
  /** Time for everything after reading; the answer is the best found by then. */
  seconds: {
    kind: positive,
    symbol: "S",
    words: "time for everything after reading; the answer is the best found by then",
  },
  /** Share of the rows to score predictions on, such as 0.2. */
  holdout: {
    kind: share,
    symbol: "SHARE",
    words: "share of the rows to score predictions on, such as 0.2",
  },
  /** Threads to use; the answer does not depend on it. Unless told: one for each core, 8 at most. */
  threads: {
    kind: count,
    symbol: "K",
    words: "threads to use; the answer does not depend on it",
    usually: "one for each core, 8 at most",
  },
  /** Seed of the random numbers; the same seed gives the same answer. Unless told: 1. */
  seed: {
    kind: whole,
    symbol: "s",
    words: "seed of the random numbers; the same seed gives the same answer",
    usual: 1,
  },
} satisfies OptionTable;
