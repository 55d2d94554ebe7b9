/**
 * What a run knows about new rows: a mixture over models, each with a normal (or t) law of its coefficients. In the
 * units of the data, with the intercept at a centre c where it is independent of the slopes:
 *
 *     η = a + Σ_j β_j (x_j − c_j),   η | model ~ t_ν(m, s²),  m = a + d'b,  s² = Var a + d'Vd,  d = x − c
 *
 * The predicted mean is Σ_models p·E[g⁻¹(η)], its interval the equal-tailed one of the mixture of g⁻¹(η). This is the
 * content of `model.json` in a run folder; it is plain JSON.
 */

import type { FamilyName } from "../families/register.js";
import type { Encoding } from "../store/layout/encoding.js";
import type { PredictorLaw } from "./predictor-law.js";

export interface Predictor {
  /** Tells it from the predictor of a mixed model. */
  readonly format: "sparrow-predictor";
  /** Of this format. */
  readonly version: 1;
  /** The kind of target. */
  readonly family: FamilyName;
  /** How the columns of data become the variables; absent where they are the variables. */
  readonly encoding?: Encoding;
  /** The column that is predicted. */
  readonly target: string;
  /** For classes: what the target holds where the model sees 0 and 1. */
  readonly classes?: readonly [number, number];
  /** σ² of a Gaussian target. */
  readonly noiseVariance?: number;
  /** Columns that at least one of the models uses, and their centres. */
  readonly variables: readonly string[];
  /** Where intercepts are told, one number a variable. */
  readonly centre: readonly number[];
  /** Where the data had holes: the law of `variables`, by which rows with holes can be predicted. */
  readonly law?: PredictorLaw;
  /** The model average. Probabilities add up to one. */
  readonly average: readonly PredictorModel[];
  /** The median-probability model. */
  readonly median: PredictorModel;
}

export interface PredictorModel {
  /** Its share in the average. */
  readonly probability: number;
  /** Positions in `variables`. */
  readonly members: readonly number[];
  /** Mean of the intercept, at the centre. */
  readonly intercept: number;
  /** Variance of the intercept. */
  readonly interceptVariance: number;
  /** Means of the coefficients. */
  readonly mean: readonly number[];
  /** Row-major. */
  readonly covariance: readonly number[];
  /** Degrees of freedom; absent for a normal law. */
  readonly freedom?: number;
}

export interface Prediction {
  readonly mean: number;
  /** 95% credible interval of the mean. */
  readonly lower: number;
  readonly upper: number;
  /** 95% interval of a new observation; absent where its probability says all, or σ² is not known. */
  readonly observation?: { readonly lower: number; readonly upper: number };
}
