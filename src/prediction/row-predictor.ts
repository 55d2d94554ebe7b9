/**
 * Predictions row by row. With a base row r, and e = x − r, a model's linear predictor has
 *
 *     m = m_r + e'b,   s² = s_r² + 2e'V(r − c) + e'Ve
 *
 * so that a row costs what it differs from the base by: next to nothing where the base is zero and so are nearly all
 * columns in a row. Of measurements only the models that intervals come from are looked at one by one.
 */

import { mixtureEnds } from "../families/mixture-ends.js";
import type { Part } from "../families/mixture-quantiles.js";
import { familyNamed } from "../families/register.js";
import { type Prepared, placing, type RowBlock } from "./placing.js";
import type { Prediction, Predictor, PredictorModel } from "./predictor.js";
import { type Unknown, varianceOfHoles } from "./predictor-law.js";

/** Models that the intervals are computed from. */
const INTERVAL_MODELS = 25;
/** Of intervals, and the ends of those with equal tails. */
const COVERAGE = 0.95;
const ENDS: readonly [number, number] = [0.5 * (1 - COVERAGE), 0.5 * (1 + COVERAGE)];

export interface RowPredictor {
  /** Whether predictions tell where a new observation will lie. */
  readonly observes: boolean;
  /** From the values of the variables in a row, some of which may be means of what is `unknown`. */
  predict(x: ArrayLike<number>, unknown?: Unknown): Prediction;
  /** Of many rows at a time, which takes a fraction of the time: one model after the other stays at hand. */
  predictAll(block: RowBlock): Predictions;
  /** The means alone. */
  means(block: RowBlock): Float64Array;
}

/** Of one row after the other. */
export interface Predictions {
  readonly mean: Float64Array;
  readonly lower: Float64Array;
  readonly upper: Float64Array;
  /** Where a new observation will lie. */
  readonly observation?: { readonly lower: Float64Array; readonly upper: Float64Array };
}

export function rowPredictor(
  { centre, family: name, noiseVariance }: Predictor,
  models: readonly PredictorModel[],
  base: ArrayLike<number> = baseOf(centre, models),
): RowPredictor {
  const family = familyNamed(name);
  const prepared = models.map((model) => prepare(model, centre, base));
  /** The parts that carry most, by the place of their model. */
  const few = strongest(models);
  /** Of the present model: where it has each variable, or −1. */
  const place = new Int32Array(centre.length).fill(-1);

  const addMeansOver =
    family.addMeansOver ??
    ((means, laws, times) => {
      for (let r = 0; r < means.length; r++)
        means[r] += times * family.meanOver(laws[2 * r], laws[2 * r + 1]);
    });
  /** For the laws of the parts, kept from one block to the next: fresh memory takes longer than the numbers. */
  let kept: Float64Array[] = [];
  const rooms = (rows: number): readonly Float64Array[] => {
    if (kept[0]?.length !== 2 * rows) kept = few.map(() => new Float64Array(2 * rows));
    return kept;
  };
  const { intervals } = family.prediction;
  // One sum for all models.
  const linear = family.prediction.linear && linearMeans(prepared, base);
  const observes = intervals !== undefined && (!family.noise || noiseVariance !== undefined);

  /** The means of the mixture; the laws of the models that intervals are computed from go to `laws`, two numbers each. */
  function look(block: RowBlock, laws = new Map<number, Float64Array>()): Float64Array {
    const means = linear ? linear(block) : new Float64Array(block.rows);
    if (linear && laws.size === 0) return means;
    const placed = placing(base, block);
    const passing = new Float64Array(2 * block.rows);
    const holed = [...(block.unknown ?? [])];
    prepared.forEach((one, m) => {
      if (linear && !laws.has(m)) return;
      const { probability, members } = one.model;
      const law = laws.get(m) ?? passing;
      members.forEach((j, a) => {
        place[j] = a;
      });
      placed(one, place, law);
      for (const [r, unknown] of holed)
        law[2 * r + 1] += varianceOfHoles(unknown, place, one.mean, one.covariance);
      // Differences may leave a rounding error of less than nothing.
      for (let at = 1; at < law.length; at += 2) law[at] = Math.sqrt(Math.max(0, law[at]));
      if (!linear) addMeansOver(means, law, probability);
      for (const j of members) place[j] = -1;
    });
    return means;
  }

  function predictAll(block: RowBlock): Predictions {
    const laws = rooms(block.rows);
    const parts = few.map((m): Part => {
      return { weight: models[m].probability, mean: 0, sd: 0, freedom: models[m].freedom };
    });
    const mean = look(block, new Map(few.map((m, f) => [m, laws[f]])));
    const ends = mixtureEnds(parts, laws, ENDS);
    const observed = observes ? intervals(parts, laws, COVERAGE, noiseVariance ?? 1) : undefined;
    const side = (of: Float64Array, which: 0 | 1, seen: (value: number) => number): Float64Array => {
      const out = new Float64Array(block.rows);
      for (let r = 0; r < out.length; r++) out[r] = seen(of[2 * r + which]);
      return out;
    };
    const same = (value: number): number => value;
    const { inverseLink } = family;
    const credible = { mean, lower: side(ends, 0, inverseLink), upper: side(ends, 1, inverseLink) };
    if (!observed) return credible;
    return { ...credible, observation: { lower: side(observed, 0, same), upper: side(observed, 1, same) } };
  }

  return {
    observes,
    predictAll,
    means: look,
    predict(x, unknown) {
      const columns = Array.from(x, (value) => Float64Array.of(value));
      const block = { rows: 1, columns, ...(unknown && { unknown: new Map([[0, unknown]]) }) };
      const { mean, lower, upper, observation } = predictAll(block);
      const credible = { mean: mean[0], lower: lower[0], upper: upper[0] };
      if (!observation) return credible;
      return { ...credible, observation: { lower: observation.lower[0], upper: observation.upper[0] } };
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
    members: Int32Array.from(members),
    mean: Float64Array.from(mean),
    covariance: Float64Array.from(covariance),
    eta,
    variance,
    tilt,
  };
}

/** The average of the models' linear predictors. */
function linearMeans(
  models: readonly Prepared[],
  base: ArrayLike<number>,
): (block: RowBlock) => Float64Array {
  const slopes = new Float64Array(base.length);
  let eta = 0;
  for (const { model, members, mean, eta: own } of models) {
    eta += model.probability * own;
    members.forEach((j, a) => {
      slopes[j] += model.probability * mean[a];
    });
  }
  return ({ rows, columns }) => {
    const means = new Float64Array(rows).fill(eta);
    columns.forEach((column, j) => {
      const [slope, from] = [slopes[j], base[j]];
      if (slope !== 0) for (let r = 0; r < rows; r++) means[r] += slope * (column[r] - from);
    });
    return means;
  };
}

/** Places of the models that carry most. */
function strongest(models: readonly PredictorModel[]): number[] {
  return Array.from(models.keys())
    .sort((a, b) => models[b].probability - models[a].probability)
    .slice(0, INTERVAL_MODELS);
}
