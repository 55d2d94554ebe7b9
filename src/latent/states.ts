/**
 * A hidden path by forward filtering and backward sampling (Carter and Kohn 1994; Chib 1996), exact on its stretch:
 *
 *     f_t(k) ∝ p(x_t | k)·Σ_l f_{t−1}(l)·A_lk,    z_T ~ f_T,    P(z_t = k | z_{t+1}) ∝ f_t(k)·A_{k z_{t+1}}
 *
 * The filter runs once per batch and θ, and every move is an independent path. A stretch cut out of a longer chain
 * starts from the uniform law and knows nothing beyond its end: its buffers are there to forget that. Where a sequence
 * begins, the filter starts again from the law of first states and the path has no successor to agree with.
 */

import type { Rng } from "../math/rng.js";
import type { InnerKernel, Stretch } from "../types.js";

export interface Path {
  path: Uint16Array;
  /** f_t(k), step after step. */
  filtered: Float64Array;
  /** A, row after row. */
  readonly transitions: Float64Array;
  /** log p(stretch | θ), which the filter gives for nothing. */
  logLikelihood: number;
}

export interface StateTerms {
  readonly states: number;
  /** The law of first states; uniform where it is not given. */
  initial?(out: Float64Array, theta: Float64Array): void;
  transitions(out: Float64Array, theta: Float64Array): void;
  logEmissions(out: Float64Array, theta: Float64Array, batch: Stretch): void;
}

export function states(model: StateTerms): InnerKernel<Path, Stretch> {
  const { states: size } = model;
  const predicted = new Float64Array(size);
  const probabilities = new Float64Array(size);
  const first = new Float64Array(size).fill(1 / size);

  return {
    init: () => ({
      path: new Uint16Array(0),
      filtered: new Float64Array(0),
      transitions: new Float64Array(size * size),
      logLikelihood: 0,
    }),
    enter(z, theta, batch) {
      if (z.path.length < batch.rows) {
        z.path = new Uint16Array(batch.rows);
        z.filtered = new Float64Array(batch.rows * size);
      }
      const { filtered, transitions } = z;
      model.transitions(transitions, theta);
      model.initial?.(first, theta);
      model.logEmissions(filtered, theta, batch);
      z.logLikelihood = 0;
      for (let t = 0; t < batch.rows; t++) {
        if (batch.starts?.[t] === 1) predicted.set(first);
        else if (t === 0) predicted.fill(1 / size);
        z.logLikelihood += update(filtered, t * size);
        predicted.fill(0);
        for (let l = 0; l < size; l++) {
          const f = filtered[t * size + l];
          for (let k = 0; k < size; k++) predicted[k] += f * transitions[l * size + k];
        }
      }
    },
    step(rng, z, _theta, batch) {
      const { path, filtered, transitions } = z;
      let next = -1;
      for (let t = batch.rows - 1; t >= 0; t--) {
        if (batch.starts?.[t + 1] === 1) next = -1;
        let total = 0;
        for (let k = 0; k < size; k++) {
          total += filtered[t * size + k] * (next < 0 ? 1 : transitions[k * size + next]);
          probabilities[k] = total;
        }
        next = choose(rng, total);
        path[t] = next;
      }
      return true;
    },
  };

  /** Log emissions at [at, at + K) times `predicted` become the filter; returns the log of what it was divided by. */
  function update(filtered: Float64Array, at: number): number {
    let top = Number.NEGATIVE_INFINITY;
    for (let k = 0; k < size; k++) if (filtered[at + k] > top) top = filtered[at + k];
    let sum = 0;
    for (let k = 0; k < size; k++) {
      filtered[at + k] = predicted[k] * Math.exp(filtered[at + k] - top);
      sum += filtered[at + k];
    }
    for (let k = 0; k < size; k++) filtered[at + k] /= sum;
    return top + Math.log(sum);
  }

  /** From the cumulative, unnormalised `probabilities`. */
  function choose(rng: Rng, total: number): number {
    const u = rng.uniform() * total;
    let k = 0;
    while (k < size - 1 && u >= probabilities[k]) k++;
    return k;
  }
}
