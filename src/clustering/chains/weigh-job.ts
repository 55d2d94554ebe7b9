/**
 * Which of the modes that chains have found are worth beginning at. Two chains in modes of which one holds next to
 * nothing of the posterior disagree for as long as they run, and all of the fault is that of a start.
 *
 * Modes are compared on the same rows, since each was found on some of its own, and where that is cheap by the mass about
 * them (Laplace), log π(θ̂) + ½p·log 2π − ½log|−∇² log π(θ̂)|, at the mode in θ next to the one that EM has found in
 * covariances.
 */

import { curvature, type LogDensity, refine } from "../../math/mode.js";
import { choleskyInPlace, placeOf } from "../../math/packed.js";
import type { Job } from "../../workers/job.js";
import type { Mode } from "../exact/mode.js";

export interface WeighTask<D> {
  readonly problem: D;
  readonly mode: Mode;
}

export interface Weighed {
  /** `Mode.value`, on the rows of all chains. */
  readonly value: number;
  /** The log of the mass about it, where that is known. */
  readonly mass?: number | undefined;
}

/** Undefined where it was stopped. */
export type WeighJob<D> = Job<WeighTask<D>, Weighed | undefined, unknown>;

/** To the mode in θ, in posterior standard deviations of all directions together, and steps there. */
const [NEAR, STEPS] = [0.01, 100];

/**
 * The log of the mass about the mode next to θ; undefined where nothing bends down there. On 200 bank notes in two
 * clusters it is −1354.9 and −1359.9 at the two modes, where bridge sampling from 9000 draws of either has −1354.8 and
 * −1359.8; `Mode.value`, −1287.7 and −1290.5, sees half of the distance.
 */
export function* massAbout(
  density: LogDensity,
  theta: Float64Array,
): Generator<undefined, number | undefined, void> {
  const size = theta.length;
  const rough = curvature(density, theta);
  yield undefined;
  if (!choleskyInPlace(rough, 0, size)) return undefined;
  const { theta: mode } = yield* refine(density, theta, rough, NEAR, STEPS);
  const factor = curvature(density, mode);
  if (!choleskyInPlace(factor, 0, size)) return undefined;
  let mass = density.value(mode) + 0.5 * size * Math.log(2 * Math.PI);
  for (let j = 0; j < size; j++) mass -= Math.log(factor[placeOf(j, j)]);
  return mass;
}

/**
 * Seconds for a mode, by an estimate that is ten times too long. Chains that cannot meet take more in vain: 14 s on 157
 * rows of nine columns in five clusters, where the masses differ by 35 and take 0.14 s each.
 */
const AFFORDABLE = 10;

/**
 * By its mass where the numbers of θ are free and every row is whole, as gradients have it, and where that is affordable:
 * two curvatures, each of two gradients a number.
 */
export function* weighed(
  { theta, value, sharpness }: Mode,
  density: LogDensity,
  { isFree, seconds }: { readonly isFree: boolean; readonly seconds: number },
): Generator<undefined, Weighed, void> {
  if (!isFree || 4 * theta.length * seconds > AFFORDABLE) return { value };
  const mass = yield* massAbout(density, theta);
  return { value, mass: mass === undefined ? undefined : mass - sharpness };
}

/** A mode that is lower than another by this holds a share of the posterior that nobody would miss: by `Mode.value`, … */
const NEGLIGIBLE = 10;
/** … which is rough, and by its mass: a hundredth. */
const HUNDREDTH = Math.log(100);

/** Where each chain begins: at its own mode, or at the best of all where its own is out of the question. */
export function beginnings(modes: readonly Mode[], weighed: readonly Weighed[]): readonly Mode[] {
  const masses = weighed.flatMap(({ mass }) => mass ?? []);
  const isWhole = masses.length === modes.length;
  const heights = isWhole ? masses : weighed.map(({ value }) => value);
  const most = Math.max(...heights);
  const best = modes[heights.indexOf(most)];
  return modes.map((mode, c) => (most - heights[c] > (isWhole ? HUNDREDTH : NEGLIGIBLE) ? best : mode));
}
