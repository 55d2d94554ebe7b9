/** Every model over the candidates, by depth-first search: each model is its parent plus one variable. */

import type { SufficientStatistics } from "./evidence.js";
import { largestSize, type ModelSpace, type ModelWeights, type WeightedModel } from "./model-weights.js";
import { evidences, logMarginal } from "./scale-law.js";
import { logSum, normalized, type Slab } from "./slab.js";

/** A model with a smaller share is counted in the probabilities but not listed; 2¹⁸ of them carry 3e-4 at most. */
const NEGLIGIBLE = 1e-9;

/** How many models there are. */
export function modelCount(candidates: number, space: ModelSpace): number {
  const free = candidates - space.always.length;
  let total = 0;
  let ways = 1;
  for (let k = 0; k <= largestSize(space, candidates); k++) {
    total += ways;
    ways = (ways * (free - k)) / (k + 1);
  }
  return total;
}

export function enumerateModels(
  statistics: SufficientStatistics,
  slab: Slab,
  noiseVariance: number | undefined,
  space: ModelSpace,
): ModelWeights {
  const { size } = statistics;
  const evidence = evidences(statistics, slab, noiseVariance);
  const free = Array.from({ length: size }, (_, j) => j).filter((j) => !space.always.includes(j));
  const maxSize = largestSize(space, size);
  for (const each of evidence) each.rebuild(space.always);
  /** log p(y, S, scale), by scale, and the free members of S. */
  const logs: number[][] = slab.scales.map(() => []);
  const models: number[][] = [];
  const chosen: number[] = [];
  // Restoring saved pivots, rather than undoing the addition, keeps rounding from piling up.
  const saved = Array.from({ length: free.length + 1 }, () =>
    evidence.map(() => ({ pivot: new Float64Array(size), score: new Float64Array(size) })),
  );

  const { offsets } = space;
  const offsetOf = (members: readonly number[]): number =>
    offsets ? members.reduce((sum, j) => sum + offsets[j], 0) : 0;

  function visit(from: number): void {
    const depth = chosen.length;
    const offset = offsetOf(chosen) + space.logModel[depth];
    for (let s = 0; s < logs.length; s++) {
      logs[s].push(slab.logPrior[s] + logMarginal(evidence, slab, s) + offset);
    }
    models.push([...chosen]);
    if (depth === maxSize) return;
    evidence.forEach(({ pivot, score }, s) => {
      saved[depth][s].pivot.set(pivot);
      saved[depth][s].score.set(score);
    });
    for (let f = from; f < free.length; f++) {
      const j = free[f];
      if (!evidence.every((each) => each.canAdd(j))) continue;
      const marks = evidence.map((each) => each.add(j));
      chosen.push(j);
      visit(f + 1);
      chosen.pop();
      evidence.forEach((each, s) => {
        each.undo(marks[s]);
        each.pivot.set(saved[depth][s].pivot);
        each.score.set(saved[depth][s].score);
      });
    }
  }
  visit(0);
  const overScales = logs.length === 1 ? logs[0] : models.map((_, m) => logSum(logs.map((of) => of[m])));
  const scale = Float64Array.from(normalized(logs.map(logSum)), Math.exp);
  return { ...weigh(overScales, models, size, space), slab, scale };
}

function weigh(
  logs: readonly number[],
  models: readonly number[][],
  size: number,
  space: ModelSpace,
): Omit<ModelWeights, "slab" | "scale"> {
  const largest = logs.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY);
  const weights = logs.map((value) => Math.exp(value - largest));
  const total = weights.reduce((a, b) => a + b, 0);
  const inclusion = new Float64Array(size);
  for (const j of space.always) inclusion[j] = 1;
  const sizes = new Float64Array(largestSize(space, size) + 1);
  const listed: WeightedModel[] = [];
  models.forEach((members, i) => {
    const probability = weights[i] / total;
    for (const j of members) inclusion[j] += probability;
    sizes[members.length] += probability;
    if (probability > NEGLIGIBLE) {
      listed.push({ members: [...space.always, ...members].sort((a, b) => a - b), probability });
    }
  });
  return {
    exact: true,
    models: listed.sort((a, b) => b.probability - a.probability),
    // Thousands of roundings can carry a sum past one.
    inclusion: inclusion.map((probability) => Math.min(1, probability)),
    inclusionError: new Float64Array(size),
    size: sizes,
  };
}
