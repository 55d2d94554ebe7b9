/**
 * Cluster labels, drawn exactly: P(z_i = k | θ, x_i) ∝ exp(term_ik). The terms are computed once per batch and θ;
 * every move redraws all labels from them, so successive draws are independent.
 */

import type { InnerKernel, Rows } from "../types.js";

export interface Labels {
  labels: Uint16Array;
  /** P(z_i ≤ k), row after row. */
  cumulative: Float64Array;
}

export interface LabelTerms {
  readonly components: number;
  logTerms(out: Float64Array, theta: Float64Array, batch: Rows): void;
}

export function labels(model: LabelTerms): InnerKernel<Labels, Rows> {
  const { components } = model;
  return {
    init: () => ({ labels: new Uint16Array(0), cumulative: new Float64Array(0) }),
    enter(z, theta, batch) {
      if (z.cumulative.length < batch.rows * components) {
        z.labels = new Uint16Array(batch.rows);
        z.cumulative = new Float64Array(batch.rows * components);
      }
      model.logTerms(z.cumulative, theta, batch);
      for (let i = 0; i < batch.rows; i++) accumulate(z.cumulative, i * components, components);
    },
    step(rng, z, _theta, batch) {
      for (let i = 0; i < batch.rows; i++) {
        const u = rng.uniform();
        let k = 0;
        while (k < components - 1 && u >= z.cumulative[i * components + k]) k++;
        z.labels[i] = k;
      }
      return true;
    },
  };
}

/** e^{−40} is 4·10⁻¹⁸. */
const NOTHING = -40;

/** Log terms at [at, at + size) become cumulative probabilities. */
function accumulate(terms: Float64Array, at: number, size: number): void {
  let top = Number.NEGATIVE_INFINITY;
  for (let k = at; k < at + size; k++) if (terms[k] > top) top = terms[k];
  let sum = 0;
  for (let k = at; k < at + size; k++) {
    const below = terms[k] - top;
    // What is certain needs no exponential, nor does what no sum of doubles would show.
    if (below === 0) sum += 1;
    else if (below > NOTHING) sum += Math.exp(below);
    terms[k] = sum;
  }
  for (let k = at; k < at + size; k++) terms[k] /= sum;
}
