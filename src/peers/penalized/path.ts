/** A path of penalised fits: one for each λ, largest λ first, in the units of the data. */

import type { Penalty } from "./penalty.js";

export interface PathSettings {
  readonly penalty: Penalty;
  /** λ on the scale of the target; chosen when absent. */
  readonly lambdas?: ArrayLike<number> | undefined;
  /** Values of λ to choose. */
  readonly count?: number;
  /** Smallest λ over the largest: 1e-4 when rows outnumber columns, else 1e-2. */
  readonly minRatio?: number;
  /** Columns get standard deviation one (denominator N) before they are penalised. */
  readonly standardize?: boolean;
  readonly intercept?: boolean;
  /** Coordinate descent stops when no move gains more than this share of the null deviance. */
  readonly tolerance?: number;
  /** The path ends before a model with more variables than this. */
  readonly maxSize?: number;
  readonly signal?: AbortSignal | undefined;
}

export interface PathPoint {
  readonly lambda: number;
  readonly intercept: number;
  /** The nonzero coefficients. */
  readonly variables: Uint32Array;
  readonly values: Float64Array;
  /** Share of the null deviance that is explained. */
  readonly devianceRatio: number;
}

export interface Path {
  readonly points: readonly PathPoint[];
  /** Rounds of coordinate descent, all λ together. */
  readonly rounds: number;
}

export const PATH_DEFAULTS = { count: 100, standardize: true, intercept: true, tolerance: 1e-7 } as const;

/** Equally spaced logarithms from the smallest λ that leaves the model empty. */
export function lambdaSequence(largest: number, ratio: number, count: number): Float64Array {
  return Float64Array.from({ length: count }, (_, i) => largest * ratio ** (i / Math.max(1, count - 1)));
}

export function minRatio(settings: PathSettings, rows: number, columns: number): number {
  return settings.minRatio ?? (rows < columns ? 1e-2 : 1e-4);
}

/**
 * Rules of glmnet for a path that it chose itself: little is gained any more, or all is explained. Paths of concave
 * penalties have flat stretches before the end, so the rules do not serve them.
 */
export function pathEnds(ratio: number, before: number, done: number, relative: boolean): boolean {
  if (done < 5) return false;
  return ratio > 0.999 || ratio - before < 1e-5 * (relative ? ratio : 1);
}

/** The fit whose number of variables is nearest to `size`; of equals, the one with the largest λ. */
export function atSize({ points }: Path, size: number): PathPoint {
  const distance = (point: PathPoint) => Math.abs(point.variables.length - size);
  return points.reduce((best, point) => (distance(point) < distance(best) ? point : best));
}

/** All coefficients of a fit, zeros included. */
export function denseCoefficients(point: PathPoint, columns: number): Float64Array {
  const beta = new Float64Array(columns);
  point.variables.forEach((j, i) => {
    beta[j] = point.values[i];
  });
  return beta;
}
