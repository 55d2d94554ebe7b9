/**
 * The posterior mode of a generalised linear model with given columns: Newton's method on full-data passes,
 *
 *     δ = (H + Λ)⁻¹(s − Λθ),   Λ = diag(0, 1/v, …, 1/v)
 *
 * with a flat intercept. The slab keeps the mode finite when the data are separated. A step is cut so that no
 * coefficient moves by more than MAX_STEP, and halved while it lowers the penalised log-likelihood.
 */

import type { FamilyName } from "../../families/register.js";
import { cholesky, solve } from "../../math/linear.js";
import type { Scaling } from "../../store/batch/scaling.js";
import type { Store } from "../../store/store.js";
import type { Pool, RunOptions } from "../../workers/pool.js";
import {
  addExpansions,
  type Expansion,
  expansionJob,
  expansionJobs,
  type GlmPoint,
  type Streams,
} from "./expansion.js";

export interface ModeSettings {
  readonly store: Store;
  readonly pool: Pool;
  readonly family: FamilyName;
  readonly scaling: Scaling;
  readonly slabVariance: number;
  readonly hasIntercept: boolean;
  /** The intercept of the model without variables, where there is no better start. */
  readonly nullIntercept?: number;
  readonly run?: RunOptions;
}

export interface Mode extends Expansion {
  readonly passes: number;
  readonly converged: boolean;
}

const MAX_PASSES = 50;
const MAX_STEP = 4;
/** The mode is found when one more step would gain less log-likelihood than this. */
const CONVERGED = 1e-5;
/** Rounding of the log-likelihood, relative: a loss below it is none. */
const ROUNDING = 1e-6;

/** With `draw` the weights of a binomial target are drawn. */
export async function expansionAt(
  settings: ModeSettings,
  point: GlmPoint,
  draw?: Streams,
): Promise<Expansion> {
  const { store, pool, family, scaling, run } = settings;
  const jobs = expansionJobs(store.layout, { family, scaling, point, ...(draw && { draw }) });
  // Half a pass would be a wrong answer: it runs to its end even when the run is being stopped.
  return addExpansions(point, await pool.run(expansionJob, jobs, run && { onProgress: run.onProgress }));
}

export async function modeOf(settings: ModeSettings, start: GlmPoint): Promise<Mode> {
  const { slabVariance, hasIntercept } = settings;
  const k = start.columns.length;
  const objective = ({ logLikelihood, point }: Expansion): number =>
    logLikelihood - point.theta.reduce((sum, t) => sum + t * t, 0) / (2 * slabVariance);
  let best = await expansionAt(settings, start);
  let passes = 1;
  for (; passes < MAX_PASSES; passes++) {
    const { delta, gain } = newtonStep(best, slabVariance, hasIntercept);
    if (!(gain > CONVERGED)) return { ...best, passes, converged: true };
    if (settings.run?.signal?.aborted) break;
    let share = Math.min(1, MAX_STEP / delta.reduce((most, d) => Math.max(most, Math.abs(d)), 0));
    const slack = ROUNDING * Math.abs(objective(best)) * Math.min(1, gain);
    for (; passes < MAX_PASSES; passes++) {
      const next = await expansionAt(settings, {
        columns: start.columns,
        theta: best.point.theta.map((t, i) => t + share * delta[i + 1]),
        intercept: best.point.intercept + share * delta[0],
      });
      if (objective(next) >= objective(best) - slack) {
        best = next;
        break;
      }
      share /= 2;
      // Nothing but rounding is left to gain.
      if (share < 1e-6) return { ...best, passes, converged: gain < 1e-2 * (1 + k) };
    }
  }
  return { ...best, passes, converged: false };
}

function newtonStep(
  { point, score, information }: Expansion,
  slabVariance: number,
  hasIntercept: boolean,
): { delta: Float64Array; gain: number } {
  const size = score.length;
  const matrix = information.slice();
  const gradient = score.slice();
  for (let i = 1; i < size; i++) {
    matrix[i * size + i] += 1 / slabVariance;
    gradient[i] -= point.theta[i - 1] / slabVariance;
  }
  if (!hasIntercept) {
    gradient[0] = 0;
    for (let i = 0; i < size; i++) matrix[i] = matrix[i * size] = i === 0 ? 1 : 0;
  }
  // A flat likelihood in the direction of the intercept: all that is left is rounding.
  if (matrix[0] < 1e-9) matrix[0] += 1e-3;
  const delta = gradient.slice();
  const factor = matrix.slice();
  for (let ridge = 1e-10; !cholesky(factor, size); ridge *= 100) {
    for (let i = 0; i < factor.length; i++) factor[i] = matrix[i];
    for (let i = 0; i < size; i++) factor[i * size + i] *= 1 + ridge;
    if (ridge > 1) return { delta: delta.fill(0), gain: 0 };
  }
  solve(factor, size, delta);
  const gain = 0.5 * delta.reduce((sum, d, i) => sum + d * gradient[i], 0);
  return { delta, gain };
}
