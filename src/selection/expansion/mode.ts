/**
 * The posterior mode of a generalised linear model with given columns: Newton's method on full-data passes,
 *
 *     δ = (H + Λ)⁻¹(s − Λθ),   Λ = diag(0, 1/v, …, 1/v)
 *
 * with a flat intercept. The slab keeps the mode finite when the data are separated. A step is cut so that no column
 * moves the linear predictor of any row by more than MAX_MOVE: a column with three ones among 200,000 rows is three
 * hundred standard deviations tall there. It is halved while it lowers the penalised log-likelihood by more than the
 * kernels' single precision can tell, or does not come nearer to the mode.
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
  /** The largest size of a column as the model sees it. */
  readonly tallest: (column: number) => number;
  /** The share of its numbers that are stored: of one that is not sparse, all. */
  readonly density: (column: number) => number;
  readonly run?: RunOptions;
}

/** The mode with the expansion there; or, where it was not found, the best place that was. Nobody can overlook which. */
export type ModeSearch =
  | { readonly found: true; readonly mode: Expansion; readonly passes: number }
  | { readonly found: false; readonly nearest: Expansion; readonly passes: number };

const MAX_PASSES = 50;
/** Most that a column may move the linear predictor of a row in one step. */
const MAX_MOVE = 4;
/** The mode is found when one more step would gain less log-likelihood than this. */
const CONVERGED = 1e-5;
/**
 * For an integral, whose logarithm is rounded as the log-likelihood is, than this share of that; but only where the last
 * step has left so small a part of what there was to gain: along a likelihood that flattens, as that of separated
 * classes does, every step leaves a third, and the mode may still be far away.
 */
const OF_ROUNDING = 0.01;
const RAPIDLY = 1 / 20;
/** For a place than this for every row: weights there are off by a thousandth, in root mean square. */
const NEARBY = 1e-7;
/**
 * Rounding of the log-likelihood in single precision, of itself and for every row: a loss below it is none. With 23
 * events among 10,000 rows the same point to six digits had log-likelihoods 0.001 apart.
 */
const ROUNDING = { relative: 1e-6, row: 1.5e-7 };
const SMALLEST_SHARE = 1e-6;

/** With `draw` the weights of a binomial target are drawn. */
export async function expansionAt(
  settings: ModeSettings,
  point: GlmPoint,
  draw?: Streams,
): Promise<Expansion> {
  const { store, pool, family, scaling, run } = settings;
  const numbers = point.columns.reduce((sum, j) => sum + settings.density(j), 0);
  const jobs = expansionJobs(store.layout, { family, scaling, point, ...(draw && { draw }) }, numbers);
  // Half a pass would be a wrong answer: it runs to its end even when the run is being stopped.
  return addExpansions(point, await pool.run(expansionJob, jobs, run && { onProgress: run.onProgress }));
}

interface Place {
  readonly expansion: Expansion;
  readonly objective: number;
  readonly step: NewtonStep;
}

/**
 * What the search for one mode goes by; `wanted` are its digits, as many as the integral around it needs, or a place near
 * it where the likelihood may be expanded for the time being.
 */
export interface ModeQuestion {
  readonly start: GlmPoint;
  readonly wanted: "digits" | "integral" | "place";
  readonly rows: number;
  readonly slabVariance: number;
  readonly hasIntercept: boolean;
  /** The largest size of each of the columns as the model sees it. */
  readonly tallest: Float64Array;
}

export function modeQuestion(
  { store, slabVariance, hasIntercept, tallest }: ModeSettings,
  start: GlmPoint,
  wanted: ModeQuestion["wanted"],
): ModeQuestion {
  const { rows } = store.layout;
  return {
    start,
    wanted,
    rows,
    slabVariance,
    hasIntercept,
    tallest: Float64Array.from(start.columns, tallest),
  };
}

export async function modeOf(
  settings: ModeSettings,
  start: GlmPoint,
  wanted: ModeQuestion["wanted"] = "digits",
): Promise<ModeSearch> {
  const isStopped = () => settings.run?.signal?.aborted === true;
  const walk = modeWalk(modeQuestion(settings, start, wanted), isStopped);
  let next = walk.next();
  while (!next.done) next = walk.next(await expansionAt(settings, next.value));
  return next.value;
}

/** Says from where to where it goes, and is told of the likelihood there. */
export function* modeWalk(
  { start, wanted, rows, slabVariance, hasIntercept, tallest }: ModeQuestion,
  isStopped: () => boolean = () => false,
): Generator<GlmPoint, ModeSearch, Expansion> {
  const placeOf = (expansion: Expansion): Place => {
    const squares = expansion.point.theta.reduce((sum, t) => sum + t * t, 0);
    const objective = expansion.logLikelihood - squares / (2 * slabVariance);
    return { expansion, objective, step: newtonStep(expansion, slabVariance, hasIntercept) };
  };
  let best = placeOf(yield start);
  let before = Number.NaN;
  for (let passes = 1; ; ) {
    const { delta, gain } = best.step;
    const slack = ROUNDING.relative * Math.abs(best.objective) + ROUNDING.row * rows;
    const rapid = wanted === "integral" && gain < RAPIDLY * before ? OF_ROUNDING * slack : 0;
    const enough = wanted === "place" ? NEARBY * rows : rapid;
    if (!(gain > Math.max(CONVERGED, enough))) return { found: true, mode: best.expansion, passes };
    before = gain;
    const furthest = tallest.reduce(
      (most, height, i) => Math.max(most, Math.abs(delta[i + 1]) * height),
      Math.abs(delta[0]),
    );
    let share = Math.min(1, MAX_MOVE / furthest);
    for (let accepted = false; !accepted; share /= 2) {
      if (passes === MAX_PASSES || share < SMALLEST_SHARE || isStopped()) {
        return { found: false, nearest: best.expansion, passes };
      }
      const { point } = best.expansion;
      const next = placeOf(
        yield {
          columns: start.columns,
          theta: point.theta.map((t, i) => t + share * delta[i + 1]),
          intercept: point.intercept + share * delta[0],
        },
      );
      passes += 1;
      // A difference below rounding says nothing; whether less is left to gain does.
      accepted =
        next.objective > best.objective + slack ||
        (next.objective >= best.objective - slack && next.step.gain < best.step.gain);
      if (accepted) best = next;
    }
  }
}

interface NewtonStep {
  readonly delta: Float64Array;
  /** ½g'H⁻¹g: what a quadratic objective still has to gain. */
  readonly gain: number;
}

function newtonStep(
  { point, score, information }: Expansion,
  slabVariance: number,
  hasIntercept: boolean,
): NewtonStep {
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
