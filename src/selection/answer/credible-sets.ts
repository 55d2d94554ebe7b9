/**
 * Groups of correlated substitutes: sets of variables of which at least one is in the model with probability 0.95 or
 * more, although no single one may be. Built greedily from the most probable variable down; within a set every
 * variable correlates with the first by at least 0.7, so a set is one effect seen through several columns.
 */

import type { SufficientStatistics } from "../posterior/evidence.js";
import { type ModelWeights, thinnedModels } from "../posterior/model-weights.js";

export interface CandidateSet {
  /** Positions among the candidates, most probable first. */
  readonly members: readonly number[];
  /** Probability that at least one of them is in. */
  readonly probability: number;
}

const COVERAGE = 0.95;
const MIN_CORRELATION = 0.7;
/** Variables that can start or join a set. */
const MIN_INCLUSION = 0.01;
const MAX_MODELS = 2000;

export function credibleSets(weights: ModelWeights, statistics: SufficientStatistics): CandidateSet[] {
  const { inclusion } = weights;
  const models = thinnedModels(weights.models, MAX_MODELS);
  const order = Array.from(inclusion.keys())
    .filter((j) => inclusion[j] >= MIN_INCLUSION)
    .sort((a, b) => inclusion[b] - inclusion[a]);
  const taken = new Set<number>();
  const sets: CandidateSet[] = [];
  for (const first of order) {
    if (taken.has(first)) continue;
    const members = [first];
    // Models without any member so far: a newcomer adds what it covers of these.
    let missed = models.filter((model) => !model.members.includes(first));
    const probability = () => 1 - missed.reduce((sum, model) => sum + model.probability, 0);
    const substitutes = order.filter(
      (j) => j !== first && !taken.has(j) && Math.abs(correlation(statistics, first, j)) >= MIN_CORRELATION,
    );
    while (probability() < COVERAGE && substitutes.length > 0) {
      const gain = (j: number) =>
        missed.reduce((sum, model) => sum + (model.members.includes(j) ? model.probability : 0), 0);
      const best = substitutes.reduce((a, b) => (gain(b) > gain(a) ? b : a));
      substitutes.splice(substitutes.indexOf(best), 1);
      const share = missed.reduce((sum, model) => sum + model.probability, 0);
      // A substitute is likelier to be in when the others are out.
      if (gain(best) / share <= inclusion[best]) continue;
      members.push(best);
      missed = missed.filter((model) => !model.members.includes(best));
    }
    if (probability() < COVERAGE) continue;
    for (const j of members) taken.add(j);
    sets.push({ members, probability: probability() });
  }
  return sets;
}

function correlation({ gram, size }: SufficientStatistics, a: number, b: number): number {
  return gram[a * size + b] / Math.sqrt(gram[a * size + a] * gram[b * size + b]);
}
