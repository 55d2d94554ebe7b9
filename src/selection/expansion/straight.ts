/**
 * Whether a log posterior can bend away from Laplace's at all, as far as that is known without looking at it. Along an
 * axis on which rows go by z_i the log-likelihood is, with gradient s and curvature h at the mode,
 *
 *     L(t) = t·s − ½t²·h + R(t),   |R(t)| ≤ |t|³/6 · e^{|t|·max|z|} · Σ w_i·|z_i|³   (Taylor),
 *
 * since the third derivative of a row's log-likelihood is at most its second, the weight w, and that grows by e at most
 * while η moves by one. With Σ w·z² = 1, the sum is at most max|z|: where columns are short that settles it without a
 * look at the rows. Else one pass takes the sums of all axes, a tenth of the work of looks along them.
 */

import { blockPieces } from "../../workers/pieces.js";
import { cubesJob } from "./changes.js";
import type { Expansion } from "./expansion.js";
import type { CoefficientPrior } from "./integral.js";
import type { ModeSettings } from "./mode.js";

/**
 * Laplace's method is in doubt where the log density two standard deviations from the mode, along any axis, is off by
 * more than this: a skewness of 0.075, as of a count of 180.
 */
export const DOUBT = 0.1;
/** Axes that reach further than so many times what is short are not worth a pass: they bend. */
const HOPEFUL = 8;
/** Standard deviations from the mode. */
const LOOKED = 2;

/** Moves along axes, the columns of L⁻ᵀ: those of intercept and coefficients, one axis after the other. */
export interface AxisMoves {
  readonly size: number;
  readonly moves: Float64Array;
  /** How far each moves the linear predictor of any row at most. */
  readonly reach: readonly number[];
}

/** Whether no row's linear predictor moves so far that Laplace's method could be in doubt. */
export const isShort = (reach: number): boolean => (LOOKED ** 3 / 6) * reach < DOUBT;

/** What there is at a mode. */
export interface AtMode {
  readonly settings: ModeSettings;
  readonly mode: Expansion;
  readonly prior: CoefficientPrior;
  /** Sums of third powers along the axes in doubt, where they are known. */
  readonly cubes?: Float64Array | undefined;
}

/** Whether all axes are known to be straight; nothing is known where the answer is no. */
export async function areStraight(at: AtMode, axes: AxisMoves): Promise<boolean> {
  const { size, reach } = axes;
  const { long, moves } = inDoubt(axes);
  if (long.length === 0) return true;
  if (moves.length === 0) return false;
  const cubes = at.cubes ?? (await cubesOf(at, moves));
  return long.every((a, m) => {
    const furthest = (LOOKED ** 3 / 6) * Math.exp(LOOKED * reach[a]) * cubes[m];
    const axis = moves.subarray(m * size, (m + 1) * size);
    return [-LOOKED, LOOKED].every((t) => Math.abs(bendBesideRows(at, axis, t)) + furthest < DOUBT);
  });
}

/** The axes that are not short, and the moves along them, one after the other; none where one of them is hopeless. */
export function inDoubt({ size, reach, moves }: AxisMoves): { long: number[]; moves: Float64Array } {
  const long = Array.from(reach.keys()).filter((a) => !isShort(reach[a]));
  const asked = long.every((a) => isShort(reach[a] / HOPEFUL)) ? long : [];
  const along = new Float64Array(asked.length * size);
  asked.forEach((a, m) => {
    along.set(moves.subarray(a * size, (a + 1) * size), m * size);
  });
  return { long, moves: along };
}

async function cubesOf(
  { settings: { store, pool, family, scaling }, mode: { point } }: AtMode,
  moves: Float64Array,
): Promise<Float64Array> {
  const pieces = blockPieces(store.layout, store.layout.rows * moves.length);
  const [first, ...others] = await pool.run(
    cubesJob,
    pieces.map((piece) => ({ family, scaling, point, moves, ...piece })),
  );
  return first.map((sum, m) => others.reduce((all, part) => all + part[m], sum));
}

/** How far t·s − ½t²·h and the prior are from −½t². */
function bendBesideRows({ mode, prior }: AtMode, axis: Float64Array, t: number): number {
  const { point, score, information } = mode;
  const size = axis.length;
  let [slope, curvature] = [0, 0];
  for (let i = 0; i < size; i++) {
    slope += axis[i] * score[i];
    for (let j = 0; j < size; j++) curvature += axis[i] * axis[j] * information[i * size + j];
  }
  const moved = point.theta.map((theta, i) => theta + t * axis[i + 1]);
  const prices = prior.logDensity(moved) - prior.logDensity(point.theta);
  return t * slope - 0.5 * t * t * curvature + prices + 0.5 * t * t;
}
