/**
 * Predictions row by row. With a base row r, and e = x − r, a model's linear predictor has
 *
 *     m = m_r + e'b,   s² = s_r² + 2e'V(r − c) + e'Ve
 *
 * so that a row costs what it differs from the base by: next to nothing where the base is zero and so are nearly all
 * columns in a row.
 */

import { mixtureQuantiles, type Part } from "../families/mixture-quantiles.js";
import { familyNamed } from "../families/register.js";
import type { Prediction, Predictor, PredictorModel } from "./predictor.js";
import { type Unknown, varianceOfHoles } from "./predictor-law.js";

/** Models that the intervals are computed from. */
const INTERVAL_MODELS = 25;
/** Of a 95% interval. */
const ENDS = [0.025, 0.975];

export interface RowPredictor {
  /** Whether predictions tell where a new observation will lie. */
  readonly observes: boolean;
  /** From the values of the variables in a row, some of which may be means of what is `unknown`. */
  predict(x: ArrayLike<number>, unknown?: Unknown): Prediction;
  /** The mean alone. */
  mean(x: ArrayLike<number>, unknown?: Unknown): number;
}

/** A model at the base row. */
interface Prepared {
  readonly model: PredictorModel;
  readonly mean: Float64Array;
  readonly covariance: Float64Array;
  readonly eta: number;
  readonly variance: number;
  /** V(r − c). */
  readonly tilt: Float64Array;
  /** Where in `members` the variables are by which the present row differs, and how many there are. */
  readonly differing: Int32Array;
  count: number;
}

export function rowPredictor(
  { centre, family: name, noiseVariance }: Predictor,
  models: readonly PredictorModel[],
  base: ArrayLike<number> = baseOf(centre, models),
): RowPredictor {
  const family = familyNamed(name);
  const prepared = models.map((model) => prepare(model, centre, base));
  /** Of every variable: the models that hold it, and where. */
  const holders = Array.from(centre, (): { in: Prepared; at: number }[] => []);
  for (const one of prepared) one.model.members.forEach((j, at) => void holders[j].push({ in: one, at }));
  const parts = prepared.map(
    ({ model }): Part => ({ weight: model.probability, mean: 0, sd: 0, freedom: model.freedom }),
  );
  const few = strongest(parts);
  const away = new Float64Array(centre.length);

  const { quantiles } = family.prediction;
  const knows = quantiles && (!family.noise || noiseVariance !== undefined);
  const observation = knows
    ? (of: readonly Part[]): NonNullable<Prediction["observation"]> => {
        const [lower, upper] = quantiles(of, ENDS, noiseVariance ?? 1);
        return { lower, upper };
      }
    : undefined;

  /** Brings `parts` up to date, and returns the mean of the mixture. */
  function look(x: ArrayLike<number>, unknown: Unknown | undefined): number {
    for (const one of prepared) one.count = 0;
    for (let j = 0; j < away.length; j++) {
      away[j] = x[j] - base[j];
      if (away[j] === 0) continue;
      for (const holder of holders[j]) holder.in.differing[holder.in.count++] = holder.at;
    }
    let mean = 0;
    for (let m = 0; m < parts.length; m++) {
      const part = parts[m];
      place(part, prepared[m], away, unknown);
      mean += part.weight * family.meanOver(part.mean, part.sd);
    }
    return mean;
  }

  return {
    observes: observation !== undefined,
    mean: look,
    predict(x, unknown) {
      const mean = look(x, unknown);
      const [lower, upper] = mixtureQuantiles(few, ENDS).map(family.inverseLink);
      return { mean, lower, upper, ...(observation && { observation: observation(few) }) };
    },
  };
}

/** One row by itself. */
export function predictRow(
  predictor: Predictor,
  models: readonly PredictorModel[],
  x: ArrayLike<number>,
  unknown?: Unknown,
): Prediction {
  return rowPredictor(predictor, models).predict(x, unknown);
}

/** Standard deviations that zero may be away from the centre: further, differences of large numbers would tell. */
const NEAR = 30;

/** Zero, or where that is far away the centre. */
function baseOf(centre: readonly number[], models: readonly PredictorModel[]): number[] {
  const base = centre.map(() => 0);
  for (const { members, covariance } of models) {
    members.forEach((j, a) => {
      const sd = Math.sqrt(covariance[a * members.length + a]);
      if (Math.abs(centre[j]) * sd > NEAR) base[j] = centre[j];
    });
  }
  return base;
}

function prepare(model: PredictorModel, centre: readonly number[], base: ArrayLike<number>): Prepared {
  const { members, mean, covariance } = model;
  const k = members.length;
  const tilt = new Float64Array(k);
  let eta = model.intercept;
  let variance = model.interceptVariance;
  members.forEach((i, a) => {
    members.forEach((j, b) => {
      tilt[a] += covariance[a * k + b] * (base[j] - centre[j]);
    });
    eta += mean[a] * (base[i] - centre[i]);
    variance += tilt[a] * (base[i] - centre[i]);
  });
  return {
    model,
    mean: Float64Array.from(mean),
    covariance: Float64Array.from(covariance),
    eta,
    variance,
    tilt,
    differing: new Int32Array(k),
    count: 0,
  };
}

function place(part: Part, one: Prepared, away: Float64Array, unknown: Unknown | undefined): void {
  const { model, mean, covariance, tilt, differing, count } = one;
  const { members } = model;
  const k = members.length;
  let { eta, variance } = one;
  for (let p = 0; p < count; p++) {
    const a = differing[p];
    const e = away[members[a]];
    eta += mean[a] * e;
    let slope = tilt[a] + 0.5 * covariance[a * k + a] * e;
    for (let q = 0; q < p; q++) slope += covariance[a * k + differing[q]] * away[members[differing[q]]];
    variance += 2 * e * slope;
  }
  if (unknown) variance += varianceOfHoles(unknown, members, mean, covariance);
  part.mean = eta;
  // Differences may leave a rounding error of less than nothing.
  part.sd = Math.sqrt(Math.max(0, variance));
}

/** The parts that carry most. */
function strongest(parts: readonly Part[]): readonly Part[] {
  return [...parts].sort((a, b) => b.weight - a.weight).slice(0, INTERVAL_MODELS);
}
