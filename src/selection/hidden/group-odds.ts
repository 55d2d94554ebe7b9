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
  const evidence = new Evidence(statistics, spec.slab, spec.noiseVariance);
  const probability = new Float64Array(groups.length);
  const logOdds = new Float64Array(groups.length);
  judges.forEach((judge, m) => {
    evidence.rebuild(judge.members);
    const free = judge.members.length - forced;
    groups.forEach((group, g) => {
      const joining = group.filter((j) => evidence.place[j] < 0);
      const gain = joining.length === 0 ? 0 : gainOf(evidence, joining, spec, free);
      if (m === 0) logOdds[g] = gain;
      // A judge that holds them all already has nothing to say.
      if (joining.length > 0) probability[g] += judge.probability / (1 + Math.exp(-gain));
    });
  });
  return groups.map((_, g) => ({ probability: probability[g], logOdds: logOdds[g] }));
}

/** log p(S + G | y) − log p(S | y); the evidence is as before afterwards. */
function gainOf(
  evidence: Evidence,
  joining: readonly number[],
  { prior, maxSize }: Pick<Specification, "prior" | "maxSize">,
  free: number,
): number {
  if (free + joining.length > maxSize) return Number.NEGATIVE_INFINITY;
  const before = evidence.logMarginal();
  const held = [...evidence.members];
  for (const j of joining) {
    if (!evidence.canAdd(j)) {
      evidence.rebuild(held);
      return Number.NEGATIVE_INFINITY;
    }
    evidence.add(j);
  }
  const gain = evidence.logMarginal() - before;
  evidence.rebuild(held);
  return gain + prior.logModel(free + joining.length) - prior.logModel(free);
}
