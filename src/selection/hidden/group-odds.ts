/**
 * Groups of columns, weighed exactly: with the sums of products of all columns concerned, the probability that a
 * group G belongs beside a model S is odds/(1 + odds),
 *
 *     odds = p(S + G | y) / p(S | y),
 *
 * averaged over the judges.
 */

import { Evidence, type SufficientStatistics, subsetStatistics } from "../posterior/evidence.js";
import type { WeightedModel } from "../posterior/model-weights.js";
import { scaleLaw } from "../posterior/scale-law.js";
import { slabAt } from "../posterior/slab.js";
import type { Specification } from "../posterior/specification.js";

/** All members are positions in `statistics`. */
export interface GroupTrial {
  readonly statistics: SufficientStatistics;
  readonly spec: Pick<Specification, "slab" | "noiseVariance" | "prior" | "maxSize">;
  /** Models that judge, with probabilities that add up to one. */
  readonly judges: readonly WeightedModel[];
  /** How many members of every model are in it whatever the data say. */
  readonly forced: number;
  readonly groups: readonly (readonly number[])[];
}

export interface GroupVerdict {
  readonly probability: number;
  /** log p(S + G | y)/p(S | y) for the most probable judge. */
  readonly logOdds: number;
}

export function weighGroups({ statistics, spec, judges, forced, groups }: GroupTrial): GroupVerdict[] {
  const { slab, noiseVariance, prior, maxSize } = spec;
  const logMarginal = (members: readonly number[]): number =>
    scaleLaw(statistics, slab, noiseVariance, members).logMarginal;
  /** Whether the last of some columns depend neither on the others nor on each other. */
  const canJoin = (columns: readonly number[], held: number): boolean => {
    // At any scale: it only tells whether columns depend on each other.
    const evidence = new Evidence(subsetStatistics(statistics, columns), slabAt(slab, 0), noiseVariance);
    evidence.rebuild(Array.from({ length: held }, (_, i) => i));
    for (let j = held; j < columns.length; j++) {
      if (!evidence.canAdd(j)) return false;
      evidence.add(j);
    }
    return true;
  };
  const probability = new Float64Array(groups.length);
  const logOdds = new Float64Array(groups.length);
  judges.forEach((judge, m) => {
    const isHeld = new Set(judge.members);
    const free = judge.members.length - forced;
    const before = logMarginal(judge.members);
    groups.forEach((group, g) => {
      const joining = group.filter((j) => !isHeld.has(j));
      // A judge that holds them all already has nothing to say.
      if (joining.length === 0) return;
      const size = free + joining.length;
      const joined = [...judge.members, ...joining];
      const gain =
        size <= maxSize && canJoin(joined, judge.members.length)
          ? logMarginal(joined) - before + prior.logModel(size) - prior.logModel(free)
          : Number.NEGATIVE_INFINITY;
      if (m === 0) logOdds[g] = gain;
      probability[g] += judge.probability / (1 + Math.exp(-gain));
    });
  });
  return groups.map((_, g) => ({ probability: probability[g], logOdds: logOdds[g] }));
}
