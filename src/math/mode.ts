/**
 * The maximum of a smooth log density from its gradient alone: Newton steps with the curvature by central differences
 * of the gradient, damped (Levenberg 1944) until the density rises. A climb may be long where a density is a sum over
 * many rows, so it is a generator that pauses after every step; `mode` and `refined` are for those who wait.
 */

import { choleskyInPlace, packedSize, solveLower, solveUpper } from "./packed.js";

export interface LogDensity {
  value(theta: Float64Array): number;
  /** out ← ∇ */
  gradient(out: Float64Array, theta: Float64Array): void;
}

/** −∇² log density at θ, packed: symmetrised differences of the gradient. */
export function curvature(density: LogDensity, theta: Float64Array): Float64Array {
  const size = theta.length;
  const up = new Float64Array(size);
  const down = new Float64Array(size);
  const out = new Float64Array(packedSize(size));
  const at = theta.slice();
  for (let j = 0; j < size; j++) {
    const h = 1e-4 * Math.max(1, Math.abs(theta[j]));
    at[j] = theta[j] + h;
    density.gradient(up, at);
    at[j] = theta[j] - h;
    density.gradient(down, at);
    at[j] = theta[j];
    for (let k = 0; k < size; k++) {
      const value = (down[k] - up[k]) / (2 * h);
      if (k === j) out[packedSize(j) + j] += value;
      else out[k < j ? packedSize(j) + k : packedSize(k) + j] += 0.5 * value;
    }
  }
  return out;
}

/** Cholesky factor of the curvature, with as much added to its diagonal as makes it positive definite. */
export function dampedFactor(curvature: Float64Array, size: number, damping = 0): Float64Array {
  for (let added = damping; ; added = Math.max(10 * added, 1e-8)) {
    const factor = curvature.slice();
    for (let j = 0, at = 0; j < size; j++, at += j + 1)
      factor[at] += added * Math.max(1e-12, Math.abs(factor[at]));
    if (choleskyInPlace(factor, 0, size)) return factor;
    if (!(added < 1e8)) throw new RangeError("the curvature is not a number");
  }
}

type Climb<T> = Generator<undefined, T, void>;

function finished<T>(climb: Climb<T>): T {
  for (;;) {
    const { done, value } = climb.next();
    if (done) return value;
  }
}

export function mode(...of: Parameters<typeof climb>): Float64Array {
  return finished(climb(...of));
}

/** To the mode. */
export function* climb(density: LogDensity, start: Float64Array, iterations = 50): Climb<Float64Array> {
  const size = start.length;
  let theta = start.slice();
  let value = density.value(theta);
  const gradient = new Float64Array(size);
  for (let t = 0; t < iterations; t++) {
    density.gradient(gradient, theta);
    const bend = curvature(density, theta);
    let decrement = 0;
    let accepted = false;
    for (let damping = 0; !accepted && damping < 1e6; damping = Math.max(10 * damping, 1e-3)) {
      const step = gradient.slice();
      const factor = dampedFactor(bend, size, damping);
      solveLower(step, 0, factor, 0, size);
      decrement = step.reduce((sum, x) => sum + x * x, 0);
      solveUpper(step, 0, factor, 0, size);
      const next = theta.map((x, j) => x + step[j]);
      const nextValue = density.value(next);
      if (nextValue >= value) {
        theta = next;
        value = nextValue;
        accepted = true;
      }
    }
    // The decrement is the squared length of the step in posterior standard deviations.
    if (!accepted || decrement < 1e-6) return theta;
    yield undefined;
  }
  return theta;
}

export interface Refined {
  readonly theta: Float64Array;
  readonly gradient: Float64Array;
}

export function refined(...of: Parameters<typeof refine>): Refined {
  return finished(refine(...of));
}

/**
 * The same from nearby with a curvature that is only about right, for densities that are dear: one value and one
 * gradient a step, until the step is shorter than `near` in the metric of the curvature, or the density rises no more.
 */
export function* refine(
  density: LogDensity,
  start: Float64Array,
  factor: Float64Array,
  near: number,
  steps = 20,
): Climb<Refined> {
  const size = start.length;
  let theta = start;
  let value = density.value(theta);
  const gradient = new Float64Array(size);
  density.gradient(gradient, theta);
  for (let t = 0; t < steps; t++) {
    const step = gradient.slice();
    solveLower(step, 0, factor, 0, size);
    if (Math.hypot(...step) < near) break;
    solveUpper(step, 0, factor, 0, size);
    let next = theta.map((x, j) => x + step[j]);
    let nextValue = density.value(next);
    for (let shrink = 0.5; !(nextValue >= value) && shrink > 1e-3; shrink /= 2) {
      next = theta.map((x, j) => x + shrink * step[j]);
      nextValue = density.value(next);
    }
    if (!(nextValue >= value)) break;
    theta = next;
    value = nextValue;
    yield undefined;
    density.gradient(gradient, theta);
  }
  return { theta, gradient };
}
