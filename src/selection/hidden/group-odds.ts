/**
 * Groups of columns, weighed exactly: with the sums of products of all columns concerned, the probability that a
 * group G belongs beside a model S is odds/(1 + odds),
 *
 *     odds = p(S + G | y) / p(S | y),
 *
 * averaged over the judges.
 */

import { Evidence, type SufficientStatistics } from "../posterior/evidence.js";
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
  // At any scale: it only tells whether columns depend on each other.
  const evidence = new Evidence(statistics, slabAt(slab, 0), noiseVariance);
  const probability = new Float64Array(groups.length);
  const logOdds = new Float64Array(groups.length);
  judges.forEach((judge, m) => {
    evidence.rebuild(judge.members);
    const free = judge.members.length - forced;
    const before = logMarginal(judge.members);
    groups.forEach((group, g) => {
      const joining = group.filter((j) => evidence.place[j] < 0);
      // A judge that holds them all already has nothing to say.
      if (joining.length === 0) return;
      const size = free + joining.length;
      const gain =
        size <= maxSize && canJoin(evidence, joining)
          ? logMarginal([...judge.members, ...joining]) - before + prior.logModel(size) - prior.logModel(free)
          : Number.NEGATIVE_INFINITY;
      if (m === 0) logOdds[g] = gain;
      probability[g] += judge.probability / (1 + Math.exp(-gain));
    });
  });
  return groups.map((_, g) => ({ probability: probability[g], logOdds: logOdds[g] }));
}

/** Whether columns depend neither on the model nor on each other; the evidence is as before afterwards. */
function canJoin(evidence: Evidence, joining: readonly number[]): boolean {
  const held = [...evidence.members];
  const free = joining.every((j) => {
    if (!evidence.canAdd(j)) return false;
    evidence.add(j);
    return true;
  });
  evidence.rebuild(held);
  return free;
}
