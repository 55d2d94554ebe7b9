/** Made by `npm run options` from the tables beside this file; change them, not it. */

import type { FamilyName } from "../families/register.js";
import type { IntegratorName } from "../integrators/named.js";
import type { StepSizes } from "../sampling/schedule.js";

/** How files and values are read. */
export interface ReadAsked {
  /** Values that mean a missing one, besides NA, ?, -, #N/A and their like. */
  readonly na?: readonly string[];
  /** The decimal sign, where a column leaves it open. Unless told: judged by column. */
  readonly decimal?: "." | ",";
  /**
   * What stands between the values of a line. Unless told: the one of comma, tab, semicolon and bar that cuts
   * the first line most often.
   */
  readonly delimiter?: string;
  /** The first line holds values; the columns are called column1, column2, …. */
  readonly noHeader?: boolean;
  /** What stands around values. Unless told: ". */
  readonly quote?: string;
  /**
   * The order of day, month and year, or a pattern like %d.%m.%Y. Unless told: judged by column, and refused
   * where both orders fit.
   */
  readonly dateFormat?: string;
  /** The sheet of a workbook, by name or number. Unless told: the first. */
  readonly sheet?: string;
  /** Columns whose numbers are names of categories. */
  readonly categorical?: readonly string[];
  /** Columns of numbers, whatever they look like. */
  readonly number?: readonly string[];
  /** Columns of words, even where they are numbers. */
  readonly text?: readonly string[];
  /** Columns of words in which missing is a category of its own. */
  readonly missingLevel?: readonly string[];
  /** Columns to take in that would be set aside: those that name their row, or have too many values. */
  readonly keep?: readonly string[];
}

export interface FitAsked extends ReadAsked {
  /** The column to explain. */
  readonly target: string;
  /** The kind of target. Unless told: auto. */
  readonly family?: "auto" | FamilyName;
  /**
   * Everything chosen from the data (auto), or the settings of Song et al. (2020) (paper). Unless told: auto.
   */
  readonly preset?: "auto" | "paper";
  /** Independent chains. Unless told: 2, or 1 with the paper's settings. */
  readonly chains?: number;
  /** Iterations of each chain. Unless told: until the chains agree, or 5000 with the paper's settings. */
  readonly iterations?: number;
  /** Iterations to discard at the start. Unless told: half of them, or 40% with the paper's settings. */
  readonly burnIn?: number;
  /**
   * Rows in a mini-batch. Unless told: from the data, or 200 (classes and counts: 300) with the paper's
   * settings.
   */
  readonly batch?: number;
  /**
   * What a mini-batch is made of: whole blocks of the shuffled store, which is fast, or single rows with or
   * without replacement. Unless told: blocks.
   */
  readonly sampling?: "blocks" | "rows" | "rows-with-replacement";
  /** Models drawn per iteration. Unless told: 5, or 10 with the paper's settings. */
  readonly models?: number;
  /** Reversible-jump moves per model. Unless told: from the data, or 1 with the paper's settings. */
  readonly moves?: number;
  /**
   * Step of the dynamics: a number, a(b + t)^−κ (on the command line polynomial:a,b,κ), or cycles
   * (cyclical:a,length). Unless told: from the curvature, or 1e-6 (classes and counts: 1e-5) with the paper's
   * settings.
   */
  readonly stepSize?: StepSizes;
  /** The dynamics of the coefficients. Unless told: sgld. */
  readonly integrator?: IntegratorName;
  /** 1 targets the posterior, 0 switches the noise off. Unless told: 1. */
  readonly temperature?: number;
  /** Prior over models. Unless told: beta-binomial. */
  readonly modelPrior?: "inclusion" | "beta-binomial" | "uniform";
  /** Prior probability that a variable is in. Unless told: 1/(p + 1)^1.1 for p variables. */
  readonly priorInclusion?: number;
  /**
   * Instead: how many variables are expected to be in. Unless told: p/(1 + √p) of the beta-binomial prior.
   */
  readonly expectedSize?: number;
  /** Prior of the coefficients that are in. Unless told: independent. */
  readonly slab?: "independent" | "zellner";
  /**
   * Prior variance of a coefficient that is in; times the noise variance where that is unknown. Unless told:
   * learned from the data, or 25 with the paper's settings.
   */
  readonly slabVariance?: number;
  /** Scale of the zellner slab. Unless told: learned from the data (scalePrior). */
  readonly g?: number;
  /**
   * Prior of the slab's variance or g, or fixed at what one row tells (1, or the number of rows). Unless
   * told: hyper-g-n.
   */
  readonly scalePrior?: "hyper-g-n" | "zellner-siow" | "hyper-g" | "fixed";
  /** C0 of the paper's prior for classes and counts. Unless told: 10. */
  readonly priorC0?: number;
  /** Zeta of the paper's prior for classes and counts. Unless told: 0.5. */
  readonly priorZeta?: number;
  /** Residual variance, if it is known. Unless told: unknown, or 1 with the paper's settings. */
  readonly noiseVariance?: number | "unknown";
  /**
   * Largest number of variables in a model. Unless told: 300, or 50 (classes and counts: 500) with the
   * paper's settings.
   */
  readonly maxSize?: number;
  /** Bayesian false-discovery rate of the wider selection. Unless told: 0.05. */
  readonly fdr?: number;
  /** Whether columns are standardised inside. Unless told: standard, or none with the paper's settings. */
  readonly scale?: "standard" | "none";
  /** How the intercept is treated. Unless told: always, or select with the paper's settings. */
  readonly intercept?: "always" | "select" | "none";
  /** Columns that are in every model. */
  readonly always?: readonly string[];
  /** Columns to leave out. */
  readonly exclude?: readonly string[];
  /** Columns to consider; * and ? stand for any text. Unless told: all. */
  readonly columns?: readonly string[];
  /**
   * Missing predictors: draw them along with the model, leave their rows out, put the column's mean in their
   * place, or refuse. Unless told: impute, and NaN is refused.
   */
  readonly missing?: "impute" | "drop" | "mean" | "error";
  /** Completed copies of the data to keep, where predictors are missing. Unless told: none. */
  readonly imputations?: number;
  /** Memory for the data; larger data stay on disk. Unless told: half of what the machine has. */
  readonly memory?: number;
  /**
   * Leave Parquet files where they are and ask DuckDB for sums over their rows (a table in ClickHouse is
   * always asked). Unless told: files are read.
   */
  readonly engine?: "duckdb";
  /** Only rows that meet a condition in the SQL of the database that is asked. */
  readonly where?: string;
  /** A query in the place of the table, which ClickHouse reads and nothing more. */
  readonly query?: string;
  /** Time for everything after reading; the answer is the best found by then. */
  readonly seconds?: number;
  /** Share of the rows to score predictions on, such as 0.2. */
  readonly holdout?: number;
  /** Threads to use; the answer does not depend on it. Unless told: one for each core, 8 at most. */
  readonly threads?: number;
  /** Seed of the random numbers; the same seed gives the same answer. Unless told: 1. */
  readonly seed?: number;
}

export interface ImportAsked extends ReadAsked {
  /** The column to explain. */
  readonly target: string;
  /**
   * Missing predictors: leave their rows out, put the column's mean in their place, or refuse. Unless told:
   * error.
   */
  readonly missing?: "drop" | "mean" | "error";
  /**
   * Rows of a block, the smallest mini-batch there can be. Unless told: a fiftieth of the rows, 500 to 20000.
   */
  readonly blockRows?: number;
  /** The kind of target. Unless told: auto. */
  readonly family?: "auto" | FamilyName;
  /** Columns to consider; * and ? stand for any text. Unless told: all. */
  readonly columns?: readonly string[];
  /** Columns to leave out. */
  readonly exclude?: readonly string[];
  /** Memory for the data; larger data stay on disk. Unless told: half of what the machine has. */
  readonly memory?: number;
  /** Seed of the random numbers; the same seed gives the same answer. Unless told: 1. */
  readonly seed?: number;
}

export interface CompareAsked extends ReadAsked {
  /** The column to explain. */
  readonly target: string;
  /** The methods to compare. Unless told: all that fit the target. */
  readonly methods?: readonly string[];
  /**
   * Missing predictors, the same for all methods: leave their rows out, put the column's mean in their place,
   * or refuse. Unless told: error.
   */
  readonly missing?: "drop" | "mean" | "error";
  /** Share of the rows to measure errors on; 0 for none. Unless told: 0.2. */
  readonly holdout?: number;
  /** The kind of target. Unless told: auto. */
  readonly family?: "auto" | FamilyName;
  /** Columns to leave out. */
  readonly exclude?: readonly string[];
  /** Memory for the data; larger data stay on disk. Unless told: half of what the machine has. */
  readonly memory?: number;
  /**
   * Leave Parquet files where they are and ask DuckDB for sums over their rows (a table in ClickHouse is
   * always asked). Unless told: files are read.
   */
  readonly engine?: "duckdb";
  /** Only rows that meet a condition in the SQL of the database that is asked. */
  readonly where?: string;
  /** A query in the place of the table, which ClickHouse reads and nothing more. */
  readonly query?: string;
  /** Threads to use; the answer does not depend on it. Unless told: one for each core, 8 at most. */
  readonly threads?: number;
  /** Seed of the random numbers; the same seed gives the same answer. Unless told: 1. */
  readonly seed?: number;
}

export interface MixedAsked extends ReadAsked {
  /** The column to explain. */
  readonly target: string;
  /**
   * The column that says which group a row belongs to. Unless told: that of the formula, or of the data where
   * they know it.
   */
  readonly group?: string;
  /**
   * The whole model, in place of target, group, fixed and random: "y ~ x + (1 + x | g) + (1 | h)"; || leaves
   * out correlations, a:b and a/b are levels within levels.
   */
  readonly formula?: string;
  /** The kind of target. Unless told: auto. */
  readonly family?: "auto" | FamilyName;
  /** How many times as precise a row is as one of weight 1. */
  readonly weights?: string;
  /** Of how many trials the target counts the successes. */
  readonly trials?: string;
  /** Added to the linear predictor as it is, such as the logarithm of an exposure. */
  readonly offset?: string;
  /** Columns with an effect common to all groups; the intercept always has one. Unless told: all numbers. */
  readonly fixed?: readonly string[];
  /** Columns whose effect differs between groups, besides the intercept. Unless told: none. */
  readonly random?: readonly string[];
  /**
   * Law of the standard deviations: spike-and-slab, by which an effect differs between groups or does not;
   * half-t, which lets them be small; or the paper's, which does not. Unless told: spike-and-slab, or
   * inverse-wishart with the paper's settings.
   */
  readonly prior?: "spike-and-slab" | "half-t" | "inverse-wishart";
  /**
   * Scale of half-t, beyond which standard deviations become improbable, in those of the target over those of
   * the effect's column. Unless told: 3 with spike-and-slab, 1 with half-t.
   */
  readonly priorScale?: number;
  /** All groups in every sweep (gibbs, exact) or mini-batches of them (esgld). Unless told: auto. */
  readonly method?: "auto" | "esgld" | "gibbs";
  /** Independent chains. Unless told: 4, or 1 with the paper's settings. */
  readonly chains?: number;
  /**
   * Iterations of each chain. Unless told: 1000 of gibbs or 10000 of esgld and on until the chains agree, or
   * 4000 with the paper's settings.
   */
  readonly iterations?: number;
  /**
   * Iterations to discard at the start. Unless told: a tenth of them, or a quarter with the paper's settings.
   */
  readonly burnIn?: number;
  /** Groups in a mini-batch. Unless told: 100, or 500 with the paper's settings. */
  readonly batch?: number;
  /**
   * Draws of the random effects per iteration; 0 integrates them out. Unless told: 0, or 1 with the paper's
   * settings.
   */
  readonly imputations?: number;
  /**
   * Step of the Langevin dynamics, in posterior variances, or in the units of the parameters with the paper's
   * settings. Unless told: 0.1, or 0.002 over the number of groups with the paper's settings.
   */
  readonly stepSize?: number;
  /**
   * Everything chosen from the data (auto), or the settings of Song et al. (2020) (paper). Unless told: auto.
   */
  readonly preset?: "auto" | "paper";
  /** 1 targets the posterior, 0 switches the noise off. Unless told: 1. */
  readonly temperature?: number;
  /** Memory for the data; larger data stay on disk. Unless told: half of what the machine has. */
  readonly memory?: number;
  /**
   * Leave Parquet files where they are and ask DuckDB for sums over their rows (a table in ClickHouse is
   * always asked). Unless told: files are read.
   */
  readonly engine?: "duckdb";
  /** Only rows that meet a condition in the SQL of the database that is asked. */
  readonly where?: string;
  /** A query in the place of the table, which ClickHouse reads and nothing more. */
  readonly query?: string;
  /** Threads to use; the answer does not depend on it. Unless told: one for each core, 8 at most. */
  readonly threads?: number;
  /** Seed of the random numbers; the same seed gives the same answer. Unless told: 1. */
  readonly seed?: number;
}

export interface PredictAsked extends ReadAsked {
  /** Columns of the data to carry over to the predictions, such as those that name a row. */
  readonly id?: readonly string[];
  /** Memory for the data; larger data stay on disk. Unless told: half of what the machine has. */
  readonly memory?: number;
  /**
   * Leave Parquet files where they are and ask DuckDB for sums over their rows (a table in ClickHouse is
   * always asked). Unless told: files are read.
   */
  readonly engine?: "duckdb";
  /** Only rows that meet a condition in the SQL of the database that is asked. */
  readonly where?: string;
  /** A query in the place of the table, which ClickHouse reads and nothing more. */
  readonly query?: string;
}

export interface DescribeAsked extends ReadAsked {
  /** The column to explain. */
  readonly target?: string;
  /** Memory for the data; larger data stay on disk. Unless told: half of what the machine has. */
  readonly memory?: number;
}
