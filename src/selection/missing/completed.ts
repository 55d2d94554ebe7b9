/**
 * What a sweep needs to know of the completed data: statistics to weigh models by, where the regression passes
 * through, and the scatter of the predictors. A quadratic likelihood takes one pass for all of it. Another becomes
 * quadratic by drawn weights, where its family knows any and rows are not too many; or it is expanded at the mode of
 * the current model.
 */

import type { Regression } from "../../latent/missing.js";
import type { Scatter } from "../../models/joint-gaussian.js";
import { type ColumnShapes, columnShapes } from "../expansion/column-shapes.js";
import { expandAtMode, modeSettings } from "../expansion/expanded.js";
import {
  type Expansion,
  quadraticStatistics,
  type Streams,
  type WeightedCentre,
} from "../expansion/expansion.js";
import { expansionAt, type ModeSettings } from "../expansion/mode.js";
import type { SufficientStatistics } from "../posterior/evidence.js";
import { addGrams } from "../posterior/gram.js";
import { standardStatistics } from "../posterior/standard-statistics.js";
import { type FirstValues, pairwiseStatistics } from "./pairwise.js";
import type { HoledProblem } from "./problem.js";
import { scatterJob, scatterJobs } from "./scatter.js";

export interface Completed {
  readonly statistics: SufficientStatistics;
  /** The variance is that of the intercept over σ². */
  readonly centre: WeightedCentre;
  readonly scatter: Scatter;
  /** Of a likelihood that is not quadratic. */
  readonly expansion?: Expansion;
}

/** Where a chain stands: the model as positions among the candidates, and what was drawn of it last. */
export interface ChainState {
  readonly members: readonly number[];
  readonly regression?: Regression;
  readonly streams: Streams;
}

export interface Completion {
  /** What was learnt of the columns at the first look. */
  readonly shapes: ColumnShapes;
  /** `first` is for the first values, which are means. */
  look(state: ChainState, before: Completed | undefined, first?: FirstValues): Promise<Completed>;
}

/** Whether the likelihood of the completed data is Gaussian, given the weights that are drawn where it needs them. */
export function isExact({ store, target: { family } }: HoledProblem): boolean {
  return family.quadratic || store.layout.rows <= (family.augmentation?.mostRows ?? 0);
}

export function completion(problem: HoledProblem, candidates: readonly number[]): Completion {
  const { store, pool, scaling, screen, target, spec } = problem;
  const { rows, columns } = store.layout;
  const size = candidates.length;
  // The target is complete: its mean is known.
  const targetMean = screen.mean[columns];
  const intercept = target.scaling.slope * targetMean + target.scaling.offset;
  const crossed = {
    columns: [...candidates, columns],
    slope: Float64Array.from([...candidates.map((j) => scaling.slope[j]), 1]),
    offset: Float64Array.from([...candidates.map((j) => scaling.offset[j]), -targetMean]),
  };
  const shape = columnShapes(problem);
  const asTheyAre = new Float64Array(size).fill(1);
  const pointOf = (regression: Regression | undefined, { nullIntercept = 0 }: ModeSettings) => ({
    columns: candidates,
    theta: regression?.coefficients ?? new Float64Array(size),
    intercept: regression?.intercept ?? nullIntercept,
  });

  return {
    shapes: shape.known,
    async look({ members, regression, streams }, before, first) {
      const sums = addGrams(await pool.run(scatterJob, scatterJobs(store.layout, crossed)));
      const mean = sums.slice(0, size).map((sum) => sum / rows);
      const filled = standardStatistics(sums, rows, asTheyAre, { centred: true });
      const centred = first ? pairwiseStatistics(filled, first) : filled;
      const scatter = { rows, mean, squares: centred.gram };
      if (!target.family.quadratic) {
        await shape.learn(candidates);
        const settings = modeSettings(problem, shape);
        const active = members.map((i) => candidates[i]).sort((a, b) => a - b);
        const expansion = isExact(problem)
          ? await expansionAt(settings, pointOf(regression, settings), streams)
          : (await expandAtMode(settings, candidates, active, { before: before?.expansion })).expansion;
        return { ...quadraticStatistics(expansion, rows, spec.centred), scatter, expansion };
      }
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
