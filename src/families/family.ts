/** A family: everything that depends on what kind of target there is. One file a family, listed in register.ts. */

import type { Kernels } from "../kernels/interface.js";
import type { Rng } from "../math/rng.js";
import type { CountEvidence } from "./counts.js";
import type { FitCheck } from "./fit-check.js";
import type { Part } from "./mixture-quantiles.js";
import type { Interval } from "./observations.js";
import type { Response } from "./response.js";

export interface Family<S extends ScoreRecord = ScoreRecord> {
  readonly name: string;
  /**
   * Whether the log-likelihood is a quadratic function of the linear predictor η: then sums of products say all that
   * the data have to say, and no posterior needs an expansion.
   * Of the others the third derivative of a row's log-likelihood in η must be at most its second: so far Laplace's
   * method is trusted without a look (selection/expansion/straight.ts).
   */
  readonly quadratic: boolean;
  /** The variance of the response about its mean, where that is a parameter of its own; absent where it follows. */
  readonly noise?: NoiseParameter;
  /** The likelihood as the sampler sees it, over the rows of a batch. */
  likelihood(kernels: Kernels, noise: Noise): Likelihood;
  /** The same of one row, for a database that sums over the rows itself. */
  written(eta: string, y: string, functions: SqlFunctions): WrittenLikelihood;
  /** The model with an intercept and one variable, by which columns are screened. */
  readonly oneVariable: {
    kernel(kernels: Kernels): OneVariable;
    /** Rounding of its log-likelihood, relative: a loss below it is none. */
    readonly rounding: number;
  };
  /** How one response tells of its own linear predictor. */
  response(noiseVariance: number): Response;
  /** What log p(y) of a row has beside its `logDensity` and η has no part in; `weight` is its precision, or its trials. */
  logBase(y: number, weight: number, noiseVariance: number): number;
  /** A response with this linear predictor. */
  draw(rng: Rng, eta: number, noiseVariance: number): number;
  /** η of a mean; of the mean of all rows it is the intercept of the model without variables. */
  link(mean: number): number;
  inverseLink(eta: number): number;
  /** Of the response, up to the noise variance, by its mean. */
  variance(mean: number): number;
  /**
   * How far a response is from its mean, as a number that is about normal with a variance of one, or of the noise where
   * that is a parameter; absent where one row cannot be far.
   */
  departure?(y: number, mean: number): number;
  /** E[g⁻¹(η)], η ~ N(mean, sd²). */
  meanOver(mean: number, sd: number): number;
  /** Adds so many times that to `means`, of many laws, mean and standard deviation each; absent where no loop is faster. */
  addMeansOver?(means: Float64Array, laws: Float64Array, times: number): void;
  /** Weights that, once drawn, make the likelihood quadratic; absent where nobody knows any. */
  readonly augmentation?: Augmentation;
  readonly target: TargetRules;
  readonly prediction: PredictionRules<S>;
  /** The settings of the paper's example for such a target. */
  readonly paper: PaperSettings;
  /** How the default search goes about it. */
  readonly search: SearchSettings;
  /** What the peer methods can do for it. */
  readonly peers: { readonly penalized?: "least squares" | "logistic" };
  /** Looks whether targets vary as the family says; absent where one row cannot tell. Some models have their own remedy. */
  check?(variables: readonly string[], remedy?: string): FitCheck;
  readonly words: FamilyWords;
}

/** σ² of a batch; its holder may change it between batches. */
export interface Noise {
  readonly variance: number;
}

export interface NoiseParameter {
  /** A diffusion of log σ²: from the variance and the mean squared residual of a batch to the next variance. */
  steps(rng: Rng, rows: number): (variance: number, meanSquare: number) => number;
}

/** Functions of the linear predictor η, summed over the rows of a batch; arguments are pointers as in the kernels. */
export interface Likelihood {
  /** Σ log p(y | η), up to a constant in η. */
  logLikelihood(eta: number, y: number, n: number): number;
  /** What Σ log p(y | η) gains when η moves by d. */
  change(d: number, eta: number, y: number, n: number): number;
  /** out = ∂ log p(y | η) / ∂η, row by row, times the dispersion. */
  score(out: number, eta: number, y: number, n: number): void;
  /** out = −∂² log p(y | η) / ∂η², row by row, times the dispersion. */
  weights(out: number, eta: number, n: number): void;
  /** `score` over this is the gradient: σ² for the Gaussian, whose score is kept as a residual. */
  readonly dispersion: number;
}

/** Expressions in SQL of the linear predictor and the target of a row; what they stand for is as in `Likelihood`. */
export interface WrittenLikelihood {
  readonly logLikelihood: string;
  readonly score: string;
  readonly weight: string;
}

/** Functions that databases spell differently. */
export interface SqlFunctions {
  /** The natural logarithm. */
  ln(x: string): string;
}

/** out[0…6) += ℓ, g0, g1, h00, h01, h11 of the model η = a + b·(x − center)·scale. */
export type OneVariable = Kernels["binomialOneVariable"];

/** Given the weight ω the log-likelihood is score·δ − ½ω·δ² in the move δ of η. */
export interface Augmentation {
  /** Beyond so many rows drawn weights slow a chain down more than an expansion errs. */
  readonly mostRows: number;
  weight(rng: Rng, eta: number): number;
  score(y: number, eta: number, weight: number): number;
}

/** What is known of the values of a target: stored numbers, which lack the shift. */
export interface TargetValues {
  readonly shift: number;
  readonly least: number;
  readonly most: number;
  /** A value that is neither the least nor the most, if there is one. */
  readonly between?: number;
  /** Given if all values are whole and none is negative. */
  readonly counts?: CountEvidence;
}

/** How a target becomes the response of the family. */
export interface TargetRules {
  /** Whether it is a choice of two, so that two texts will do. */
  readonly classes: boolean;
  /** Whether a target like this is taken for the family unless told. */
  likely(values: TargetValues): boolean;
  /** Fails with a sentence where the values do not fit. `name` is the column's. */
  take(values: TargetValues, name: string): TakenTarget;
  /** What to say where nobody asked for the family; `success` is what counts as 1, where that has to be said. */
  remark(values: TargetValues, name: string, success: string | undefined): string | undefined;
}

export interface TakenTarget {
  /** From the stored numbers to those of the family: 0 and 1 for classes, counts, or the target as it came. */
  readonly scaling: { readonly slope: number; readonly offset: number };
  /** For classes: the values of the target that count as 0 and 1. */
  readonly classes?: readonly [number, number];
}

/** How predictions are judged by what was observed. */
export interface PredictionRules<S extends ScoreRecord> {
  /** Observed targets as the family sees them, or the first that cannot be one and what is wanted in its place. */
  observed(y: Float64Array, classes: readonly [number, number] | undefined): Observed;
  scores(y: Float64Array, mean: Float64Array): S;
  /** Whether the mean of an observation is its linear predictor, whatever law that has. */
  readonly linear?: true;
  /** Where a new observation lies, given the law of its linear predictor; absent where its probability says all. */
  interval?(parts: readonly Part[], coverage: number, noiseVariance: number): Interval;
  /** The same of many rows, two numbers each; `laws` are mean and standard deviation of every row by parts. */
  intervals?(
    parts: readonly Part[],
    laws: readonly Float64Array[],
    coverage: number,
    noiseVariance: number,
  ): Float64Array;
  /** Of one row and its linear predictor: what the error on rows left out is the mean of. */
  error(y: number, eta: number): number;
}

export type Observed =
  | { readonly values: Float64Array }
  | { readonly unfit: number; readonly wanted: string };

/** Scores by name, of so many rows. */
export interface ScoreRecord {
  readonly rows: number;
}

/** Algorithm 1 as the paper ran it (section 4 and supplement S4). */
export interface PaperSettings {
  /** n and ε. */
  readonly batch: number;
  readonly stepSize: number;
  readonly maxSize: number;
  /** Of proposals: by correlations with the target, or by the deviances of one-variable models (supplement S3). */
  readonly weights: "correlation" | "deviance";
  readonly interceptWeight: number;
  /** Coefficients N(0, v) (eq. prioreq2), or with a variance that falls with the size of the model (GLMprioreq2). */
  readonly prior: { readonly slabVariance: number } | { readonly c0: number; readonly zeta: number };
}

export interface SearchSettings {
  /** Rows of a batch. */
  batch(rows: number): number;
  /** Models per iteration, moves per model, and variables in a model. */
  readonly models: number;
  moves(columns: number): number;
  readonly maxSize: number;
  /**
   * Whether births are tried with what the Langevin walk has left behind, on a target that is centred and in standard
   * units; or around one-step estimates, with an intercept among the variables.
   */
  readonly births: "walk" | "informed";
  /** Rows on which proposal weights are refreshed. */
  readonly refreshRows: number;
}

export interface FamilyWords {
  /** What an effect is an effect on, before the target's name: "the log odds of ". */
  readonly effectOn: string;
  /** Of rows left out. */
  readonly error: string;
}
