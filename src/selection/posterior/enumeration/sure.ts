/**
 * Candidates that no model worth weighing lacks. A model without j explains no more than all candidates but j with the
 * weakest ridge, and nothing but its prior can speak for it besides; where even that, times the number of all models, is
 * nothing beside one model that can be named, models without j need not be visited.
 */

import { cholesky, inverse } from "../../../math/linear.js";
import type { SufficientStatistics } from "../evidence.js";
import { largestSize, type ModelSpace } from "../model-weights.js";
import { scaleLaw } from "../scale-law.js";
import { logPriorAt, type Slab } from "../slab.js";
import { worthOf } from "../worth.js";

/** All models that are left out weigh less than this together, in logs, beside the one that is named. */
const NOTHING = -40;
/** More candidates are not enumerated, sure or not. */
const MOST = 64;

export function sureCandidates(
  statistics: SufficientStatistics,
  slab: Slab,
  noiseVariance: number | undefined,
  space: ModelSpace,
): number[] {
  const { size } = statistics;
  if (size > MOST) return [];
  const ridge = slab.kind === "zellner" ? 0 : (noiseVariance ?? 1) / Math.max(...slab.scales);
  const without = fitsWithout(statistics, ridge);
  if (!without) return [];
  const { always, logModel, offsets } = space;
  const worth = (fit: number): number => worthOf(fit, statistics, noiseVariance);
  // As many models as there are, each with the best prior of all.
  let prior = size * Math.LN2 + logModel.reduce((a, b) => Math.max(a, b));
  prior += Math.max(...slab.scales.map((_, s) => Math.max(0, slab.logPrior[s], logPriorAt(slab, s, size))));
  if (offsets) for (const offset of offsets) prior += Math.max(0, offset);
  const isFree = (j: number): boolean => !always.includes(j);
  const free = Array.from(without.each.keys()).filter(isFree);
  const strong = free.filter((j) => worth(without.each[j]) < worth(without.none) + NOTHING);
  if (strong.length > largestSize(space, size)) return [];
  const named = [...always, ...strong].sort((a, b) => a - b);
  let known = scaleLaw(statistics, slab, noiseVariance, named).logMarginal + logModel[strong.length];
  if (offsets) for (const j of strong) known += offsets[j];
  return strong.filter((j) => prior + worth(without.each[j]) < known + NOTHING);
}

/** b'A⁻¹b of all candidates, and of all but one; undefined where they depend on each other. */
function fitsWithout({ size, gram, cross }: SufficientStatistics, ridge: number) {
  const factor = gram.slice();
  for (let j = 0; j < size; j++) factor[j * size + j] += ridge;
  if (!cholesky(factor, size)) return undefined;
  const inverted = new Float64Array(size * size);
  inverse(inverted, factor, size);
  const mean = cross.map((_, i) => cross.reduce((sum, b, j) => sum + inverted[i * size + j] * b, 0));
  const none = cross.reduce((sum, b, j) => sum + b * mean[j], 0);
  return { none, each: mean.map((value, j) => none - (value * value) / inverted[j * size + j]) };
}
