/**
 * What a run knows about new rows: a mixture over models, each with a normal (or t) law of its coefficients. In the
 * units of the data, with the intercept at a centre c where it is independent of the slopes:
 *
 *     η = a + Σ_j β_j (x_j − c_j),   η | model ~ t_ν(m, s²),  m = a + d'b,  s² = Var a + d'Vd,  d = x − c
 *
 * The predicted mean is Σ_models p·E[g⁻¹(η)], its interval the equal-tailed one of the mixture of g⁻¹(η). This is the
 * content of `model.json` in a run folder; it is plain JSON.
 */

import { type FamilyName, familyNamed } from "../families/register.js";
import { normalCdf, studentTCdf } from "../math/distributions.js";
import type { Encoding } from "../store/layout/encoding.js";
import { type PredictorLaw, type Unknown, varianceOfHoles } from "./predictor-law.js";

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
}

interface Part {
  readonly weight: number;
  readonly mean: number;
  readonly sd: number;
  readonly freedom: number | undefined;
}

/** Models that the intervals are computed from. */
const INTERVAL_MODELS = 25;

/** Predicts from the values of `variables` in a row, some of which may be means of what is `unknown`. */
export function predictRow(
  predictor: Predictor,
  models: readonly PredictorModel[],
  x: ArrayLike<number>,
  unknown?: Unknown,
): Prediction {
  const { centre } = predictor;
  const family = familyNamed(predictor.family);
  const parts = models.map((model) => linearPredictorOf(model, centre, x, unknown));
  const mean = parts.reduce((sum, part) => sum + part.weight * family.meanOver(part.mean, part.sd), 0);
  const few = strongest(parts);
  const bound = (q: number): number => family.inverseLink(mixtureQuantile(few, q));
  return { mean, lower: bound(0.025), upper: bound(0.975) };
}

function linearPredictorOf(
  model: PredictorModel,
  centre: readonly number[],
  x: ArrayLike<number>,
  unknown: Unknown | undefined,
): Part {
  const { members, mean, covariance } = model;
  const k = members.length;
  const away = members.map((j) => x[j] - centre[j]);
  let eta = model.intercept;
  let variance = model.interceptVariance;
  for (let a = 0; a < k; a++) {
    eta += mean[a] * away[a];
    for (let b = 0; b < k; b++) variance += away[a] * away[b] * covariance[a * k + b];
  }
  if (unknown) variance += varianceOfHoles(unknown, members, mean, covariance);
  return { weight: model.probability, mean: eta, sd: Math.sqrt(variance), freedom: model.freedom };
}

/** The parts that carry most, with weights that add up to one. */
function strongest(parts: readonly Part[]): Part[] {
  const kept = [...parts].sort((a, b) => b.weight - a.weight).slice(0, INTERVAL_MODELS);
  const total = kept.reduce((sum, part) => sum + part.weight, 0);
  return kept.map((part) => ({ ...part, weight: part.weight / total }));
}

/** Beyond this the t distribution is the normal one to 1e-5. */
const NEARLY_NORMAL = 20_000;

function mixtureQuantile(parts: readonly Part[], q: number): number {
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  for (const { mean, sd } of parts) {
    low = Math.min(low, mean - 12 * sd);
    high = Math.max(high, mean + 12 * sd);
  }
  const below = (x: number): number =>
    parts.reduce((sum, { weight, mean, sd, freedom }) => {
      const z = sd > 0 ? (x - mean) / sd : x >= mean ? Infinity : -Infinity;
      if (!Number.isFinite(z)) return sum + (z > 0 ? weight : 0);
      const isT = freedom !== undefined && freedom <= NEARLY_NORMAL;
      return sum + weight * (isT ? studentTCdf(z, freedom) : normalCdf(z));
    }, 0);
  for (let i = 0; i < 50 && high - low > 1e-9 * (1 + Math.abs(low) + Math.abs(high)); i++) {
    const middle = 0.5 * (low + high);
    if (below(middle) < q) low = middle;
    else high = middle;
  }
  return 0.5 * (low + high);
}
