/**
 * Groups of correlated substitutes: sets of variables of which at least one is in the model with probability 0.95 or
 * more, although no single one may be. Built greedily from the most probable variable down; within a set every
 * variable correlates with the first by at least 0.7, so a set is one effect seen through several columns. What counts
 * is the mass that a set covers, however thinly it is spread over the members: two of 0.5 or a hundred of 0.01.
 *
 * Where models were sampled, those members are picked that were seen most, luck included: with a hundred substitutes of
 * 0.01 ± 0.001 a set of 0.95 is overstated by 0.015. The probability of all substitutes together is not.
 */

import type { SufficientStatistics } from "../posterior/evidence.js";
import type { ModelWeights, WeightedModel } from "../posterior/model-weights.js";
import { packedModels, weightsOfMembers } from "../posterior/packed-models.js";

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
  const models = listed(weights.models, inclusion.length);
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
function covering(models: ListedModels, first: number, alike: readonly number[]): CandidateSet {
  const { share, holding, probability, start, members } = models;
  const covered = new Uint8Array(probability.length);
  /** What each would add: the models that hold it and none of those before it. */
  const gain = share.slice();
  const waiting = new Set(alike);
  const joined: number[] = [];
  let reached = 0;
  let enough: CandidateSet["group"] | undefined;
  // From what is missed, so that a certainty is one and no sum of roundings.
  const soFar = () => ({
    count: joined.length,
    probability: 1 - missed(probability, covered),
  });
  for (let next: number | undefined = first; next !== undefined; next = largest(waiting, gain)) {
    waiting.delete(next);
    if (gain[next] <= NOTHING) break;
    // A substitute is likelier to be in when the others are out.
    if (joined.length > 0 && gain[next] <= share[next] * (1 - reached)) continue;
    joined.push(next);
    reached += gain[next];
    const holders = holding(next);
    for (let h = 0; h < holders.length; h++) {
      const m = holders[h];
      if (covered[m]) continue;
      covered[m] = 1;
      // Nobody is left to gain anything: nothing to keep up, which for certain variables by themselves is most work.
      if (waiting.size === 0) continue;
      for (let at = start[m]; at < start[m + 1]; at++) gain[members[at]] -= probability[m];
    }
    if (reached >= COVERAGE) enough ??= soFar();
  }
  const group = soFar();
  const { count, probability: known } = enough ?? group;
  return { members: joined.slice(0, count), probability: known, group };
}

function missed(probability: Float64Array, covered: Uint8Array): number {
  let sum = 0;
  for (let m = 0; m < probability.length; m++) if (!covered[m]) sum += probability[m];
  return sum;
}

function largest(waiting: ReadonlySet<number>, gain: Float64Array): number | undefined {
  let best: number | undefined;
  for (const j of waiting) if (best === undefined || gain[j] > gain[best]) best = j;
  return best;
}

interface ListedModels {
  /** Of every model, adding up to one. */
  readonly probability: Float64Array;
  /** As they are packed. */
  readonly start: Int32Array;
  readonly members: Int32Array;
  /** Of every candidate: the share of the models that hold it, and which they are. */
  readonly share: Float64Array;
  readonly holding: (candidate: number) => Int32Array;
}

/** All models that are known, also by their members. */
function listed(models: readonly WeightedModel[], candidates: number): ListedModels {
  const packed = packedModels(models);
  const { count, start, members, total } = packed;
  const probability = packed.probability.map((value) => value / total);
  const share = weightsOfMembers(packed, probability, candidates);
  const end = new Int32Array(candidates + 1);
  for (let at = 0; at < members.length; at++) end[members[at] + 1] += 1;
  for (let j = 0; j < candidates; j++) end[j + 1] += end[j];
  const holders = new Int32Array(members.length);
  const next = end.slice();
  for (let m = 0; m < count; m++) {
    for (let at = start[m]; at < start[m + 1]; at++) holders[next[members[at]]++] = m;
  }
  const holding = (j: number) => holders.subarray(end[j], end[j + 1]);
  return { probability, start, members, share, holding };
}

function correlation({ gram, size }: SufficientStatistics, a: number, b: number): number {
  return gram[a * size + b] / Math.sqrt(gram[a * size + a] * gram[b * size + b]);
}
