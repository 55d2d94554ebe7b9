/** The law of the coefficients of one model: a part for every scale of the slab that matters to it. */

import { backSolve, inverse } from "../../../math/linear.js";
import type { Centre } from "../centre.js";
import type { ModelPosterior, SufficientStatistics } from "../evidence.js";
import { type ScaleFactor, scaleLaw, scalesThatMatter, scaleWorth } from "../scale-law.js";
import { type FixedSlab, type Slab, slabAt } from "../slab.js";
import { SATURATED } from "../worth.js";

export interface LawPart {
  /** Of the model. */
  readonly share: number;
  readonly slab: FixedSlab;
  readonly posterior: ModelPosterior;
  readonly centre: Centre | undefined;
}

/** A scale with a smaller share of its model is left to the others. */
export const NEGLIGIBLE = 1e-3;

/** The law of one model at one scale of the slab. */
export function posteriorAt(
  statistics: SufficientStatistics,
  slab: Slab,
  noiseVariance: number | undefined,
  members: readonly number[],
  place: number,
): ModelPosterior {
  const { factorAt, forget } = scaleWorth(statistics, slab, noiseVariance, members);
  const posterior = posteriorOf(factorAt(place), statistics, slabAt(slab, place), noiseVariance, members);
  forget();
  return posterior;
}

/** The law of one model from sums of products; unless it is to be `fine`, at its most probable scale alone. */
export function modelLaw(
  statistics: SufficientStatistics,
  slab: Slab,
  noiseVariance: number | undefined,
  members: readonly number[],
  fine: boolean,
): Omit<LawPart, "centre">[] {
  const { logAt, factorAt, forget } = scaleWorth(statistics, slab, noiseVariance, members);
  const parts = fine
    ? scalesThatMatter(slab, scaleLaw(statistics, slab, noiseVariance, members), NEGLIGIBLE)
    : [{ place: peak(logAt, slab), share: 1 }];
  const laws = parts.map(({ place, share }) => {
    const own = slabAt(slab, place);
    const posterior = posteriorOf(factorAt(place), statistics, own, noiseVariance, members);
    return { share, slab: own, posterior };
  });
  forget();
  return laws;
}

/** The place of the most probable scale, uphill from where a scale is expected: there is one peak. */
function peak(logAt: (s: number) => number, slab: Slab): number {
  const { scales } = slab;
  let at = firstPlace(slab);
  let height = logAt(at);
  for (const step of [1, -1]) {
    const from = at;
    while (at + step >= 0 && at + step < scales.length) {
      const next = logAt(at + step);
      if (!(next > height)) break;
      at += step;
      height = next;
    }
    if (at !== from) break;
  }
  return at;
}

/** The place of the scale that is expected before the data have said anything. */
export function firstPlace({ scales, first }: Slab): number {
  const after = scales.findIndex((scale) => scale >= first);
  return after < 0 ? scales.length - 1 : after;
}

/** β_S ~ t_ν, normal when σ² is known. */
function posteriorOf(
  { fit, rows }: ScaleFactor,
  { targetSquares, freedom }: SufficientStatistics,
  { kind, scale }: FixedSlab,
  noiseVariance: number | undefined,
  members: readonly number[],
): ModelPosterior {
  const k = members.length;
  const shrink = kind === "zellner" ? scale / (1 + scale) : 1;
  const residualSquares = Math.max(targetSquares - shrink * fit, SATURATED * targetSquares);
  const noise = noiseVariance ?? residualSquares / freedom;
  const lower = rows.lower(members.map((_, i) => i));
  const mean = rows.target(k);
  backSolve(lower, k, mean);
  const covariance = new Float64Array(k * k);
  inverse(covariance, lower, k);
  for (let i = 0; i < k; i++) mean[i] *= shrink;
  for (let i = 0; i < k * k; i++) covariance[i] *= shrink * noise;
  return {
    members,
    mean,
    covariance,
    freedom: noiseVariance === undefined ? freedom : Number.POSITIVE_INFINITY,
    residualSquares,
  };
}
