/**
 * A gradient's error from the differences of successive estimates: θ moves little between two steps and the batches
 * are independent, so with e = (ĝ_t − ĝ_{t−1})/√2, E ee' is the covariance of ĝ, whatever its causes: rows, latent
 * draws, both. It costs no further pass over rows and works for coordinates that sleep. One such estimate has a single
 * degree of freedom: the integrator averages them. The covariance due to the rows is weight·I (I: the information of
 * all rows), hence I ≈ covariance/weight, too large by the share of the latent draws in it; SGFS is then colder by
 * at most 1/weight of its temperature.
 */

import type { Coordinates, Gradient, GradientWithNoise } from "../types.js";

/** What is remembered from step to step. Plain data: with it a chain can be continued elsewhere. */
export interface Differences {
  time: number;
  /** The last estimate, and when each of its coordinates was last seen. */
  before: Float64Array;
  seen: Float64Array;
}

export const noDifferences = (): Differences => ({
  time: 0,
  before: new Float64Array(0),
  seen: new Float64Array(0),
});

export function withNoise<B extends { readonly weight: number }>(
  of: (batch: B) => Gradient,
  settings: {
    /**
     * A coordinate seen for the first time since it slept has nothing to be compared with but 0. That bounds the steps
     * along the gradient until the information is known: a start far from the mode may have scores that vary little in
     * the very direction in which they all point. Where the step size bounds them anyway, `false` takes it for no
     * error: a variable that has just entered a model must be free to grow.
     */
    readonly firstCounts?: boolean;
    /** What an earlier chain remembered, and where this one does. */
    readonly memory?: Differences;
  } = {},
): (batch: B) => GradientWithNoise {
  const { firstCounts = true, memory = noDifferences() } = settings;
  let now: Gradient;
  let weight = 1;
  let error = new Float64Array(0);
  let coordinates: Coordinates = { count: 0, indices: new Uint32Array(0) };
  const gradient: GradientWithNoise = {
    at(out, theta) {
      if (memory.before.length !== theta.length) {
        memory.before = new Float64Array(theta.length);
        memory.seen = new Float64Array(theta.length).fill(-1);
      }
      if (error.length !== theta.length) error = new Float64Array(theta.length);
      coordinates = now.at(out, theta);
      const { before, seen } = memory;
      const time = ++memory.time;
      for (let i = 0; i < coordinates.count; i++) {
        const j = coordinates.indices[i];
        const first = firstCounts ? out[j] : 0;
        error[j] = seen[j] === time - 1 ? Math.SQRT1_2 * (out[j] - before[j]) : first;
        before[j] = out[j];
        seen[j] = time;
      }
      return coordinates;
    },
    noise(information, covariance, shape) {
      const { count, indices } = coordinates;
      for (let i = 0; i < count; i++) {
        const a = indices[i];
        if (shape === "diagonal") {
          covariance[a] = error[a] ** 2;
          information[a] = covariance[a] / weight;
          continue;
        }
        for (let k = 0; k < count; k++) {
          covariance[i * count + k] = error[a] * error[indices[k]];
          information[i * count + k] = covariance[i * count + k] / weight;
        }
      }
    },
  };
  return (batch) => {
    now = of(batch);
    weight = batch.weight;
    return gradient;
  };
}
