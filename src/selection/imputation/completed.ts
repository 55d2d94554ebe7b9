/**
 * What a sweep needs to know of the completed data: statistics to weigh models by, where the regression passes
 * through, and the scatter of the predictors. A Gaussian target takes one pass for all of it; a binomial or Poisson
 * one is expanded at the mode of the current model (expansion.ts) besides.
 */

import type { Scatter } from "../../models/joint-gaussian.js";
import type { AutoProblem } from "../candidates.js";
import type { SufficientStatistics } from "../evidence.js";
import { type Expansion, quadraticStatistics, type WeightedCentre } from "../expansion.js";
import { expandAtMode, modeSettings } from "../glm-candidates.js";
import { addGrams, gramJobs } from "../gram.js";
import type { Specification } from "../specification.js";
import { standardStatistics } from "../standard-statistics.js";
import { type FirstValues, pairwiseStatistics } from "./pairwise.js";

export interface Completed {
  readonly statistics: SufficientStatistics;
  /** The variance is that of the intercept over σ². */
  readonly centre: WeightedCentre;
  readonly scatter: Scatter;
  /** Of a binomial or Poisson target. */
  readonly expansion?: Expansion;
}

export interface Completion {
  /** `members` are positions of the current model among the candidates; `first` where means stand in the holes. */
  look(members: readonly number[], before: Completed | undefined, first?: FirstValues): Promise<Completed>;
}

export function completion(
  problem: AutoProblem,
  spec: Specification,
  candidates: readonly number[],
): Completion {
  const { store, team, scaling, target } = problem;
  const { rows, columns } = store.layout;
  const size = candidates.length;
  const slope = Float64Array.from(candidates, (j) => scaling.slope[j]);
  const means = (sums: Float64Array): Float64Array =>
    Float64Array.from(candidates, (j, i) => (slope[i] * sums[i]) / rows + scaling.offset[j]);
  const crossed = [...candidates, columns];

  return {
    async look(members, before, first) {
      const sums = addGrams(await team.run(gramJobs(store.layout, crossed)));
      const mean = means(sums);
      const filled = standardStatistics(sums, rows, slope, { centred: true });
      const centred = first ? pairwiseStatistics(filled, first) : filled;
      const scatter = { rows, mean, squares: centred.gram };
      if (target.family !== "gaussian") {
        const active = members.map((i) => candidates[i]).sort((a, b) => a - b);
        const settings = modeSettings(problem, spec);
        const expansion = await expandAtMode(settings, candidates, active, before?.expansion);
        return { ...quadraticStatistics(expansion, rows, spec.centred), scatter, expansion };
      }
      const intercept = target.scaling.slope * (sums[size] / rows) + target.scaling.offset;
      return {
        statistics: spec.centred ? centred : uncentred(centred, rows, mean, intercept),
        centre: { intercept, variance: 1 / rows, means: mean },
        scatter,
      };
    },
  };
}

/** Without an intercept columns keep their means: Σxx' = S + N·x̄x̄'. */
function uncentred(
  of: SufficientStatistics,
  rows: number,
  means: Float64Array,
  targetMean: number,
): SufficientStatistics {
  const { size } = of;
  return {
    size,
    gram: of.gram.map((value, e) => value + rows * means[Math.floor(e / size)] * means[e % size]),
    cross: of.cross.map((value, j) => value + rows * means[j] * targetMean),
    targetSquares: of.targetSquares + rows * targetMean ** 2,
    freedom: rows,
  };
}
