/**
 * A model outside the library: zero-inflated Poisson counts. A share q of the rows can only be 0, the others are
 * Poisson with log rate a + b·x; which zeros are of the first kind is latent.
 *
 *     z_i = 1 with probability q,   y_i = 0 if z_i = 1,   y_i ~ Poisson(e^{a + b·x_i}) if z_i = 0
 *
 * θ = (logit q, a, b), each N(0, 10). Run it: npx tsx examples/zero-inflated.ts
 */

import { pathToFileURL } from "node:url";
// Outside this repository: from "sparrow-bayes".
import type { InnerKernel, Model, Rows } from "../src/index.js";
import { Rng, rowSample, sample, sgfsFull, withNoise } from "../src/index.js";

/** Whether each row is a structural zero. */
export interface Structural {
  zeros: Uint8Array;
}

/** A batch has two columns: x and the count y. */
export const model: Model<Structural, Rows> = {
  names: ["logit of the share of structural zeros", "intercept", "slope"],
  logJoint([logit, a, b], { zeros }, { rows, weight, values }) {
    let sum = 0;
    for (let i = 0; i < rows; i++) {
      const [x, y] = [values[2 * i], values[2 * i + 1]];
      sum -= Math.log1p(Math.exp(zeros[i] ? -logit : logit));
      if (!zeros[i]) sum += y * (a + b * x) - Math.exp(a + b * x);
    }
    return weight * sum - (logit ** 2 + a ** 2 + b ** 2) / 20;
  },
  addGrad(out, scale, [logit, a, b], { zeros }, { rows, weight, values }) {
    const w = scale * weight;
    const share = 1 / (1 + Math.exp(-logit));
    for (let i = 0; i < rows; i++) {
      const [x, y] = [values[2 * i], values[2 * i + 1]];
      out[0] += w * (zeros[i] - share);
      if (zeros[i]) continue;
      const residual = y - Math.exp(a + b * x);
      out[1] += w * residual;
      out[2] += w * residual * x;
    }
    out[0] -= (scale * logit) / 10;
    out[1] -= (scale * a) / 10;
    out[2] -= (scale * b) / 10;
  },
};

/** Given θ the rows are independent: a 0 is structural with odds e^{logit} : e^{−rate}, a positive count never is. */
export const kernel: InnerKernel<Structural, Rows> = {
  init: () => ({ zeros: new Uint8Array(0) }),
  enter(z, _theta, batch) {
    if (z.zeros.length < batch.rows) z.zeros = new Uint8Array(batch.rows);
  },
  step(rng, z, [logit, a, b], { rows, values }) {
    for (let i = 0; i < rows; i++) {
      const rate = Math.exp(a + b * values[2 * i]);
      const p = values[2 * i + 1] > 0 ? 0 : 1 / (1 + Math.exp(-logit - rate));
      z.zeros[i] = rng.uniform() < p ? 1 : 0;
    }
    return true;
  },
};

/** Rows of (x, y): x uniform on (−1, 1), y by the multiplication method. */
export function simulate(rng: Rng, rows: number, [logit, a, b]: readonly number[]): Float32Array {
  const values = new Float32Array(2 * rows);
  for (let i = 0; i < rows; i++) {
    const x = 2 * rng.uniform() - 1;
    const limit = rng.uniform() < 1 / (1 + Math.exp(-logit)) ? 1 : Math.exp(-Math.exp(a + b * x));
    let count = 0;
    for (let product = rng.uniform(); product > limit; product *= rng.uniform()) count += 1;
    values.set([x, count], 2 * i);
  }
  return values;
}

export function posterior(values: Float32Array, iterations = 5000): { mean: number[]; sd: number[] } {
  const sampler = {
    model,
    kernel,
    batches: rowSample(values, 2, 1000),
    integrator: sgfsFull({ relative: true }),
  };
  const settings = { ...sampler, stepSize: 0.2, iterations, theta: new Float64Array(3), rng: Rng.seeded(1) };
  const kept: Float64Array[] = [];
  for (const { t, theta } of sample(settings, withNoise)) if (t > iterations / 5) kept.push(theta.slice());
  const mean = [0, 1, 2].map((j) => kept.reduce((sum, theta) => sum + theta[j], 0) / kept.length);
  const square = mean.map((m, j) => kept.reduce((sum, theta) => sum + (theta[j] - m) ** 2, 0) / kept.length);
  return { mean, sd: square.map(Math.sqrt) };
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href)
  console.log(posterior(simulate(Rng.seeded(7), 50_000, [-1, 0.5, 1])));
