/** What a model says of the scale of the slab: p(scale | S, y), and log p(y | S) with the scale integrated out. */

import type { Rng } from "../../math/rng.js";
import { Evidence, type SufficientStatistics, subsetStatistics } from "./evidence.js";
import type { ModelWeights } from "./model-weights.js";
import { type FixedSlab, logSum, type Slab, slabAt } from "./slab.js";

export interface ScaleLaw {
  /** log p(y | S) up to a constant that all models share. */
  readonly logMarginal: number;
  /** p(scale | S, y), in the order of the slab's scales. */
  readonly probability: Float64Array;
}

export function scaleLaw(
  statistics: SufficientStatistics,
  slab: Slab,
  noiseVariance: number | undefined,
  members: readonly number[],
): ScaleLaw {
  const evidence = evidences(subsetStatistics(statistics, members), slab, noiseVariance);
  for (const each of evidence) each.rebuild(members.map((_, i) => i));
  const logs = slab.logPrior.map((logPrior, s) => logPrior + logMarginal(evidence, slab, s));
  const total = logSum(logs);
  return { logMarginal: total, probability: Float64Array.from(logs, (log) => Math.exp(log - total)) };
}

/** One for every scale; for all scales of Zellner's prior, which does without a ridge, one will do. */
export function evidences(
  statistics: SufficientStatistics,
  slab: Slab,
  noiseVariance: number | undefined,
): Evidence[] {
  const apart = slab.kind === "zellner" ? slab.scales.slice(0, 1) : slab.scales;
  return apart.map((_, s) => new Evidence(statistics, slabAt(slab, s), noiseVariance));
}

/** log p(y | S) at one of the scales, for the model that `evidences` hold. */
export function logMarginal(evidence: readonly Evidence[], slab: Slab, s: number): number {
  return slab.kind === "zellner" ? evidence[0].logMarginalAt(slab.scales[s]) : evidence[s].logMarginal();
}

/** The slab at the scale that a model finds most probable. */
export function likeliest(slab: Slab, { probability }: ScaleLaw): FixedSlab {
  return slabAt(slab, probability.indexOf(Math.max(...probability)));
}

/** The most probable scale, whatever the model. */
export function likeliestScale({ slab, scale }: Pick<ModelWeights, "slab" | "scale">): number {
  return slab.scales[scale.indexOf(Math.max(...scale))];
}

/** The scales that carry nearly all of a model, with their shares; those with less than `negligible` are left out. */
export function scalesThatMatter(
  slab: Slab,
  { probability }: ScaleLaw,
  negligible: number,
): { readonly slab: FixedSlab; readonly share: number }[] {
  const kept = slab.scales.flatMap((_, s) => (probability[s] >= negligible ? [s] : []));
  const total = kept.reduce((sum, s) => sum + probability[s], 0);
  return kept.map((s) => ({ slab: slabAt(slab, s), share: probability[s] / total }));
}

/** The place of a scale, drawn with these probabilities. */
export function drawFrom(rng: Rng, probability: Float64Array): number {
  if (probability.length === 1) return 0;
  let u = rng.uniform();
  for (let s = 0; s < probability.length - 1; s++) {
    u -= probability[s];
    if (u < 0) return s;
  }
  return probability.length - 1;
}
