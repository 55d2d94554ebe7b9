/** Three posteriors to compare integrators on, each on as many simulated data sets as are asked for. */

import { simulate, kernel as zeroKernel, model as zeroModel } from "../../examples/zero-inflated.js";
import { withNoise } from "../../src/gradients/differences.js";
import { labels } from "../../src/latent/labels.js";
import type { LogDensity } from "../../src/math/mode.js";
import { normal } from "../../src/math/normal.js";
import type { Rng } from "../../src/math/rng.js";
import { gaussian } from "../../src/models/gaussian.js";
import { mixture } from "../../src/models/mixture.js";
import { rowSample } from "../../src/sampling/row-sample.js";
import { type Draw, sample } from "../../src/sampling/sample.js";
import type { GradientWithNoise, InnerKernel, Integrator, Model, Rows } from "../../src/types.js";

export type AnyIntegrator = Integrator<{ readonly theta: Float64Array }, GradientWithNoise>;

/** One data set: log π(θ | D) with z summed out, and the sampler on mini-batches of it. */
export interface Posterior extends LogDensity {
  /** Rows over batch. */
  readonly weight: number;
  /** Somewhere near the mode. */
  readonly near: Float64Array;
  run(settings: {
    integrator: AnyIntegrator;
    stepSize: number;
    theta: Float64Array;
    iterations: number;
    rng: Rng;
  }): Iterable<Draw>;
}

function posterior<Z>(settings: {
  model: Model<Z, Rows>;
  kernel: InnerKernel<Z, Rows>;
  values: Rows["values"];
  columns: number;
  batch: number;
  near: Float64Array;
  logPosterior: (theta: Float64Array, all: Rows) => number;
  /** Of it; by differences unless told. */
  addGradient?: (out: Float64Array, theta: Float64Array, all: Rows) => void;
}): Posterior {
  const { model, kernel, values, columns, batch, near } = settings;
  const all: Rows = { rows: values.length / columns, columns, weight: 1, values };
  const value = (theta: Float64Array): number => settings.logPosterior(theta, all);
  return {
    weight: all.rows / batch,
    near,
    value,
    gradient(out, theta) {
      if (settings.addGradient) return settings.addGradient(out.fill(0), theta, all);
      const moved = theta.slice();
      for (let j = 0; j < theta.length; j++) {
        const h = 1e-5 * (1 + Math.abs(theta[j]));
        moved[j] = theta[j] + h;
        const above = value(moved);
        moved[j] = theta[j] - h;
        out[j] = (above - value(moved)) / (2 * h);
        moved[j] = theta[j];
      }
    },
    run: (how) => sample({ model, kernel, batches: rowSample(values, columns, batch), ...how }, withNoise),
  };
}

/** Rows (x_1 … x_6, y) of a logistic regression without latent variables: z is nothing. */
const logistic: Model<null, Rows> = {
  names: Array.from({ length: 6 }, (_, j) => `x${j + 1}`),
  logJoint(theta, _z, { rows, columns, weight, values }) {
    let sum = 0;
    for (let i = 0; i < rows; i++) {
      const eta = linear(theta, values, i * columns);
      sum += values[i * columns + columns - 1] * eta - Math.log1p(Math.exp(eta));
    }
    return weight * sum - theta.reduce((total, x) => total + x * x, 0) / 20;
  },
  addGrad(out, scale, theta, _z, { rows, columns, weight, values }) {
    for (let i = 0; i < rows; i++) {
      const eta = linear(theta, values, i * columns);
      const residual = scale * weight * (values[i * columns + columns - 1] - 1 / (1 + Math.exp(-eta)));
      for (let j = 0; j < columns - 1; j++) out[j] += residual * values[i * columns + j];
    }
    for (let j = 0; j < columns - 1; j++) out[j] -= (scale * theta[j]) / 10;
  },
};
const nothing: InnerKernel<null, Rows> = { init: () => null, enter: () => {}, step: () => false };

function linear(theta: Float64Array, values: Rows["values"], at: number): number {
  let eta = 0;
  for (let j = 0; j < theta.length; j++) eta += theta[j] * values[at + j];
  return eta;
}

function logisticRows(rng: Rng, rows: number): Float64Array {
  const beta = [0.5, -1, 0.7, 0, 0.3, -0.2];
  const scales = [1, 1, 0.5, 2, 1, 0.3];
  const values = new Float64Array(rows * 7);
  for (let i = 0; i < rows; i++) {
    const common = normal(rng);
    const x = scales.map((s) => s * Math.SQRT1_2 * (common + normal(rng)));
    const eta = x.reduce((sum, value, j) => sum + value * beta[j], 0);
    values.set([...x, rng.uniform() < 1 / (1 + Math.exp(-eta)) ? 1 : 0], i * 7);
  }
  return values;
}

/** Two clusters like those of the Old Faithful geyser, in standard units. */
function mixtureRows(rng: Rng, rows: number): Float64Array {
  const clusters = [
    { share: 0.64, mean: [0.7, 0.66], sd: [0.36, 0.44], correlation: 0.38 },
    { share: 0.36, mean: [-1.27, -1.2], sd: [0.23, 0.43], correlation: 0.29 },
  ];
  return Float64Array.from(
    Array.from({ length: rows }, () => {
      const { mean, sd, correlation } = clusters[rng.uniform() < clusters[0].share ? 0 : 1];
      const [a, b] = [normal(rng), normal(rng)];
      const second = correlation * a + Math.sqrt(1 - correlation ** 2) * b;
      return [mean[0] + sd[0] * a, mean[1] + sd[1] * second];
    }).flat(),
  );
}

export const problems: readonly { readonly name: string; make(rng: Rng): Posterior }[] = [
  {
    name: "logistic, 5000 × 6, batch 100",
    make: (rng) =>
      posterior({
        ...{ model: logistic, kernel: nothing, columns: 7, batch: 100, near: new Float64Array(6) },
        values: logisticRows(rng, 5000),
        logPosterior: (theta, all) => logistic.logJoint(theta, null, all),
        addGradient: (out, theta, all) => logistic.addGrad(out, 1, theta, null, all),
      }),
  },
  {
    name: "zero-inflated counts, 5000 × 1, batch 100",
    make: (rng) =>
      posterior({
        ...{ model: zeroModel, kernel: zeroKernel, columns: 2, batch: 100 },
        values: simulate(rng, 5000, [-1, 0.5, 1]),
        near: Float64Array.of(-1, 0.5, 1),
        logPosterior([logit, a, b], { rows, values }) {
          const q = 1 / (1 + Math.exp(-logit));
          let sum = -(logit ** 2 + a ** 2 + b ** 2) / 20;
          for (let i = 0; i < rows; i++) {
            const eta = a + b * values[2 * i];
            const y = values[2 * i + 1];
            sum +=
              y === 0
                ? Math.log(q + (1 - q) * Math.exp(-Math.exp(eta)))
                : Math.log(1 - q) + y * eta - Math.exp(eta);
          }
          return sum;
        },
        // Fisher's identity with the probability that a row is a structural zero in place of the draw.
        addGradient(out, [logit, a, b], { rows, values }) {
          const q = 1 / (1 + Math.exp(-logit));
          for (let i = 0; i < rows; i++) {
            const [x, y] = [values[2 * i], values[2 * i + 1]];
            const rate = Math.exp(a + b * x);
            const structural = y > 0 ? 0 : 1 / (1 + Math.exp(-logit - rate));
            out[0] += structural - q;
            out[1] += (1 - structural) * (y - rate);
            out[2] += (1 - structural) * (y - rate) * x;
          }
          [logit, a, b].forEach((x, j) => {
            out[j] -= x / 10;
          });
        },
      }),
  },
  {
    name: "mixture, 272 × 2, batch 68",
    make(rng) {
      const emission = gaussian({ columns: 2, covariance: "full" });
      const model = mixture({ components: 2, emission });
      const terms = new Float64Array(2 * 272);
      return posterior({
        ...{ model, kernel: labels(model), columns: 2, batch: 68, values: mixtureRows(rng, 272) },
        near: Float64Array.of(0.5, 0.7, 0.66, 1, 1, 0, -1.27, -1.2, 1, 1, 0),
        logPosterior(theta, all) {
          model.logTerms(terms, theta, all);
          let sum = model.logJoint(theta, { labels: [] }, { ...all, rows: 0 });
          for (let i = 0; i < all.rows; i++) {
            const [a, b] = [terms[2 * i], terms[2 * i + 1]];
            sum += Math.max(a, b) + Math.log1p(Math.exp(-Math.abs(a - b)));
          }
          return sum;
        },
      });
    },
  },
];
