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
      z.logLikelihood = filter(z, first, batch, predicted);
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

  /** From the cumulative, unnormalised `probabilities`. */
  function choose(rng: Rng, total: number): number {
    const u = rng.uniform() * total;
    let k = 0;
    while (k < size - 1 && u >= probabilities[k]) k++;
    return k;
  }
}

/**
 * Log emissions become the filter; returns log p(stretch | θ). All in one function, outside of all closures: sweeps
 * spend half of their time here, and models come and go.
 */
function filter(
  { filtered, transitions }: Path,
  first: Float64Array,
  { rows, starts }: Stretch,
  predicted: Float64Array,
): number {
  const size = first.length;
  let logLikelihood = 0;
  let product = 1;
  for (let k = 0; k < size; k++) predicted[k] = 1 / size;
  for (let t = 0; t < rows; t++) {
    const at = t * size;
    if (starts?.[t] === 1) predicted.set(first);
    let top = Number.NEGATIVE_INFINITY;
    for (let k = at; k < at + size; k++) if (filtered[k] > top) top = filtered[k];
    let sum = 0;
    for (let k = 0; k < size; k++) {
      const log = filtered[at + k];
      const f = log === top ? predicted[k] : predicted[k] * Math.exp(log - top);
      filtered[at + k] = f;
      sum += f;
    }
    for (let k = at; k < at + size; k++) filtered[k] /= sum;
    for (let k = 0; k < size; k++) {
      let next = 0;
      for (let l = 0; l < size; l++) next += filtered[at + l] * transitions[l * size + k];
      predicted[k] = next;
    }
    logLikelihood += top;
    // The logarithm of a product of many steps, rather than of every one.
    if (sum * product < SMALL) {
      logLikelihood += Math.log(sum) + Math.log(product);
      product = 1;
    } else product *= sum;
  }
  return logLikelihood + Math.log(product);
}

/** Products below this are near the end of what numbers can hold. */
const SMALL = 1e-200;
