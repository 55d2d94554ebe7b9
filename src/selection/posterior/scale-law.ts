/** What a model says of the scale of the slab: p(scale | S, y), and log p(y | S) with the scale integrated out. */

import type { Rng } from "../../math/rng.js";
import type { SufficientStatistics } from "./evidence.js";
import type { ModelWeights } from "./model-weights.js";
import { type FixedSlab, logSum, type Slab, slabAt } from "./slab.js";
import { worthOf } from "./worth.js";

export interface ScaleLaw {
  /** log p(y | S) up to a constant that all models share. */
  readonly logMarginal: number;
  /** p(scale | S, y), in the order of the slab's scales. */
  readonly probability: Float64Array;
}

/** By one small Cholesky factor a scale: a sampler asks for it at every other model. */
export function scaleLaw(
  statistics: SufficientStatistics,
  slab: Slab,
  noiseVariance: number | undefined,
  members: readonly number[],
): ScaleLaw {
  const fitAt = fitter(statistics, members);
  const k = members.length;
  const flat = slab.kind === "zellner" ? fitAt(0) : undefined;
  const logs = slab.scales.map((scale, s) => {
    const ridge = (noiseVariance ?? 1) / scale;
    const { fit, logDeterminant } = flat ?? fitAt(ridge);
    const penalty = flat ? k * Math.log1p(scale) : logDeterminant - k * Math.log(ridge);
    const explained = flat ? (fit * scale) / (1 + scale) : fit;
    return slab.logPrior[s] - 0.5 * penalty + worthOf(explained, statistics, noiseVariance);
  });
  const total = logSum(logs);
  return { logMarginal: total, probability: Float64Array.from(logs, (log) => Math.exp(log - total)) };
}

/** b'A⁻¹b and log |A| of a model, A = G + ρI, for one ridge ρ after the other. */
function fitter({ size, gram, cross }: SufficientStatistics, members: readonly number[]) {
  const k = members.length;
  const factor = new Float64Array(k * k);
  const z = new Float64Array(k);
  return (ridge: number): { readonly fit: number; readonly logDeterminant: number } => {
    for (let i = 0; i < k; i++) {
      const row = size * members[i];
      for (let j = 0; j <= i; j++) factor[k * i + j] = gram[row + members[j]] + (i === j ? ridge : 0);
      z[i] = cross[members[i]];
    }
    let fit = 0;
    let logDeterminant = 0;
    for (let j = 0; j < k; j++) {
      reduceColumn(factor, k, j);
      // Members that depend on each other leave rounding where the ridge should be.
      const pivot = Math.max(factor[k * j + j], 0.5 * ridge, Number.MIN_VALUE);
      const root = Math.sqrt(pivot);
      logDeterminant += Math.log(pivot);
      z[j] /= root;
      fit += z[j] * z[j];
      for (let i = j + 1; i < k; i++) {
        factor[k * i + j] /= root;
        z[i] -= factor[k * i + j] * z[j];
      }
    }
    return { fit, logDeterminant };
  };
}

/** Takes what the columns before j explain out of column j, from its diagonal down: four rows at a time. */
function reduceColumn(factor: Float64Array, k: number, j: number): void {
  const own = k * j;
  let i = j;
  for (; i + 4 <= k; i += 4) {
    const at = k * i;
    let [a, b, c, d] = [factor[at + j], factor[at + k + j], factor[at + 2 * k + j], factor[at + 3 * k + j]];
    for (let x = 0; x < j; x++) {
      const y = factor[own + x];
      a -= factor[at + x] * y;
      b -= factor[at + k + x] * y;
      c -= factor[at + 2 * k + x] * y;
      d -= factor[at + 3 * k + x] * y;
    }
    factor[at + j] = a;
    factor[at + k + j] = b;
    factor[at + 2 * k + j] = c;
    factor[at + 3 * k + j] = d;
  }
  for (; i < k; i++) {
    let sum = factor[k * i + j];
    for (let x = 0; x < j; x++) sum -= factor[k * i + x] * factor[own + x];
    factor[k * i + j] = sum;
  }
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
