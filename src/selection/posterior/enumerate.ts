/** Every model over the candidates, by depth-first search: each model is its parent plus one variable. */

import type { Evidence } from "./evidence.js";
import { largestSize, type ModelSpace, type ModelWeights, type WeightedModel } from "./model-weights.js";

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

export function enumerateModels(evidence: Evidence, space: ModelSpace): ModelWeights {
  const { size } = evidence;
  const free = Array.from({ length: size }, (_, j) => j).filter((j) => !space.always.includes(j));
  const maxSize = largestSize(space, size);
  evidence.rebuild(space.always);
  const logs: number[] = [];
  const models: number[][] = [];
  const chosen: number[] = [];
  // Restoring saved pivots, rather than undoing the addition, keeps rounding from piling up.
  const saved = Array.from({ length: free.length + 1 }, () => ({
    pivot: new Float64Array(size),
    score: new Float64Array(size),
  }));

  const { offsets } = space;
  const offsetOf = (members: readonly number[]): number =>
    offsets ? members.reduce((sum, j) => sum + offsets[j], 0) : 0;

  function visit(from: number): void {
    const depth = chosen.length;
    logs.push(evidence.logMarginal() + space.logModel[depth] + offsetOf(chosen));
    models.push([...chosen]);
    if (depth === maxSize) return;
    saved[depth].pivot.set(evidence.pivot);
    saved[depth].score.set(evidence.score);
    for (let f = from; f < free.length; f++) {
      const j = free[f];
      if (!evidence.canAdd(j)) continue;
      const mark = evidence.add(j);
      chosen.push(j);
      visit(f + 1);
      chosen.pop();
      evidence.undo(mark);
      evidence.pivot.set(saved[depth].pivot);
      evidence.score.set(saved[depth].score);
    }
  }
  visit(0);
  return weigh(logs, models, size, space);
}

function weigh(
  logs: readonly number[],
  models: readonly number[][],
  size: number,
  space: ModelSpace,
): ModelWeights {
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
