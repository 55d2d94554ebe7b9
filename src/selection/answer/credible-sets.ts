/**
 * Groups of correlated substitutes: sets of variables of which at least one is in the model with probability 0.95 or
 * more, although no single one may be. Built greedily from the most probable variable down; within a set every
 * variable correlates with the first by at least 0.7, so a set is one effect seen through several columns. What counts
 * is the mass that a set covers, however thinly it is spread over the members: two of 0.5 or a hundred of 0.01.
 *
 * Where models were sampled, those members are picked that were seen most, luck included: with a hundred substitutes of
 * 0.01 ± 0.001 a set of 0.95 is overstated by 0.015. The probability of all substitutes together is not.
 */

import { CoveredModels } from "../posterior/covered-models.js";
import type { SufficientStatistics } from "../posterior/evidence.js";
import type { ModelWeights } from "../posterior/model-weights.js";
import { packedModels } from "../posterior/packed-models.js";

export interface CandidateSet {
  /** Positions among the candidates, in the order in which they add most. */
  readonly members: readonly number[];
  /** Probability that at least one of them is in. */
  readonly probability: number;
  /** All substitutes, of which the set holds as many as 0.95 takes, and the probability that one of these is in. */
  readonly group: { readonly count: number; readonly probability: number };
}

const COVERAGE = 0.95;
const MIN_CORRELATION = 0.7;
/** Rounding of a sum of as many probabilities as there are models. */
const NOTHING = 1e-10;

export function credibleSets(weights: ModelWeights, statistics: SufficientStatistics): CandidateSet[] {
  const { inclusion } = weights;
  const models = new CoveredModels(packedModels(weights.models), inclusion.length);
  const { share } = models;
  const order = Array.from(share.keys())
    .filter((j) => share[j] > 0)
    .sort((a, b) => inclusion[b] - inclusion[a]);
  const taken = new Set<number>();
  const sets: CandidateSet[] = [];
  for (const first of order) {
    if (taken.has(first)) continue;
    const group = order.filter(
      (j) => j === first || (!taken.has(j) && Math.abs(correlation(statistics, first, j)) >= MIN_CORRELATION),
    );
    // Of several at least one is in with no more than the sum of their probabilities.
    if (group.reduce((sum, j) => sum + share[j], 0) < COVERAGE) continue;
    const set = covering(models, first, group);
    if (set.probability < COVERAGE) continue;
    for (const j of set.members) taken.add(j);
    sets.push(set);
  }
  return sets;
}

/** The fewest of a group, the first among them, that cover enough; or all of its substitutes, if that is not enough. */
function covering(models: CoveredModels, first: number, alike: readonly number[]): CandidateSet {
  const { share } = models;
  models.forget();
  const waiting = new Set(alike);
  const joined: number[] = [];
  let reached = 0;
  let enough: CandidateSet["group"] | undefined;
  // From what is missed, so that a certainty is one and no sum of roundings.
  const soFar = () => ({
    count: joined.length,
    probability: 1 - models.missed,
  });
  for (let next: number | undefined = first; next !== undefined; next = largest(waiting, models.gain)) {
    waiting.delete(next);
    const gain = models.gain[next];
    if (gain <= NOTHING) break;
    // A substitute is likelier to be in when the others are out.
    if (joined.length > 0 && gain <= share[next] * (1 - reached)) continue;
    joined.push(next);
    reached += gain;
    // Nobody is left to gain anything: nothing to keep up, which for certain variables by themselves is most work.
    models.cover(next, waiting.size > 0);
    if (reached >= COVERAGE) enough ??= soFar();
  }
  const group = soFar();
  const { count, probability: known } = enough ?? group;
  return { members: joined.slice(0, count), probability: known, group };
}

function largest(waiting: ReadonlySet<number>, gain: Float64Array): number | undefined {
  let best: number | undefined;
  for (const j of waiting) if (best === undefined || gain[j] > gain[best]) best = j;
  return best;
}

function correlation({ gram, size }: SufficientStatistics, a: number, b: number): number {
  return gram[a * size + b] / Math.sqrt(gram[a * size + a] * gram[b * size + b]);
}
