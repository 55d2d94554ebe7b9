/**
 * Every integrator on the same three posteriors, from the same mini-batches: effective draws per second and kernel Stein
 * discrepancy. Each runs at five step sizes; the one with the smallest discrepancy is shown.
 * `node --import tsx bench/integrators.ts [iterations] [seed]` prints the table of docs/integrators.md.
 */

import { readFileSync } from "node:fs";
import { simulate, kernel as zeroKernel, model as zeroModel } from "../examples/zero-inflated.js";
import { essBulk } from "../src/diagnostics/ess.js";
import { steinDiscrepancy } from "../src/diagnostics/stein.js";
import { withNoise } from "../src/gradients/differences.js";
import { psgld } from "../src/integrators/psgld.js";
import { sgfs } from "../src/integrators/sgfs.js";
import { sgfsFull } from "../src/integrators/sgfs-full.js";
import { sghmc } from "../src/integrators/sghmc.js";
import { sgld } from "../src/integrators/sgld.js";
import { sgnht } from "../src/integrators/sgnht.js";
import { labels } from "../src/latent/labels.js";
import { normal } from "../src/math/normal.js";
import { Rng } from "../src/math/rng.js";
import { gaussian } from "../src/models/emissions.js";
import { mixture } from "../src/models/mixture.js";
import { rowSample } from "../src/sampling/row-sample.js";
import { sample } from "../src/sampling/sample.js";
import type { GradientWithNoise, InnerKernel, Integrator, Model, Rows } from "../src/types.js";

const iterations = Number(process.argv[2] ?? 20_000);
const seed = Number(process.argv[3] ?? 5);
const KEPT = 400;

interface Problem {
  readonly name: string;
  readonly names: readonly string[];
  readonly start: Float64Array;
  readonly weight: number;
  logPosterior(theta: Float64Array): number;
  run(
    integrator: Run,
    stepSize: number,
    start: Float64Array,
    steps: number,
  ): Generator<{ theta: Float64Array }>;
}
type Run = Integrator<{ readonly theta: Float64Array }, GradientWithNoise>;

/** Rows (x_1 … x_d, y) of a logistic regression without latent variables: z is nothing. */
const logistic: Model<null, Rows> = {
  names: Array.from({ length: 6 }, (_, j) => `x${j + 1}`),
  logJoint(theta, _z, { rows, columns, weight, values }) {
    let sum = 0;
    for (let i = 0; i < rows; i++) {
      let eta = 0;
      for (let j = 0; j < columns - 1; j++) eta += theta[j] * values[i * columns + j];
      sum += values[i * columns + columns - 1] * eta - Math.log1p(Math.exp(eta));
    }
    return weight * sum - theta.reduce((total, x) => total + x * x, 0) / 20;
  },
  addGrad(out, scale, theta, _z, { rows, columns, weight, values }) {
    for (let i = 0; i < rows; i++) {
      let eta = 0;
      for (let j = 0; j < columns - 1; j++) eta += theta[j] * values[i * columns + j];
      const residual = scale * weight * (values[i * columns + columns - 1] - 1 / (1 + Math.exp(-eta)));
      for (let j = 0; j < columns - 1; j++) out[j] += residual * values[i * columns + j];
    }
    for (let j = 0; j < columns - 1; j++) out[j] -= (scale * theta[j]) / 10;
  },
};
const nothing: InnerKernel<null, Rows> = { init: () => null, enter: () => {}, step: () => false };

function problem<Z>(settings: {
  name: string;
  model: Model<Z, Rows>;
  kernel: InnerKernel<Z, Rows>;
  values: Rows["values"];
  columns: number;
  batch: number;
  start: Float64Array;
  logPosterior: (theta: Float64Array, all: Rows) => number;
}): Problem {
  const { name, model, kernel, values, columns, batch, start } = settings;
  const rows = values.length / columns;
  const all: Rows = { rows, columns, weight: 1, values };
  return {
    name,
    names: model.names,
    start,
    weight: rows / batch,
    logPosterior: (theta) => settings.logPosterior(theta, all),
    run: (integrator, stepSize, from, steps) =>
      sample(
        {
          model,
          kernel,
          batches: rowSample(values, columns, batch),
          integrator,
          stepSize,
          iterations: steps,
          theta: from,
          rng: Rng.seeded(seed),
        },
        withNoise,
      ),
  };
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

/** Old Faithful, standardised: two clusters with full covariances, eleven parameters. */
function faithful(): Problem {
  const path = new URL("../test/reference/mclust.json", import.meta.url);
  const { rows }: { rows: [number, number][] } = JSON.parse(readFileSync(path, "utf8"));
  const values = Float64Array.from(rows.flatMap(([x, y]) => [(x - 3.49) / 1.14, (y - 70.9) / 13.6]));
  const model = mixture({
    components: 2,
    emission: gaussian({ columns: 2, covariance: "full", within: 0.5 }),
  });
  const terms = new Float64Array(2 * rows.length);
  return problem({
    name: "mixture, 272 × 2, batch 68",
    model,
    kernel: labels(model),
    values,
    columns: 2,
    batch: 68,
    start: Float64Array.of(0.5, 0.7, 0.66, 1, 1, 0, -1.27, -1.2, 1, 1, 0),
    logPosterior(theta, all) {
      model.logTerms(terms, theta, all);
      let sum = model.logJoint(theta, { labels: [] }, { ...all, rows: 0 });
      for (let i = 0; i < rows.length; i++) {
        const [a, b] = [terms[2 * i], terms[2 * i + 1]];
        sum += Math.max(a, b) + Math.log1p(Math.exp(-Math.abs(a - b)));
      }
      return sum;
    },
  });
}

const problems: Problem[] = [
  problem({
    name: "logistic, 5000 × 6, batch 100",
    model: logistic,
    kernel: nothing,
    values: logisticRows(Rng.seeded(3), 5000),
    columns: 7,
    batch: 100,
    start: new Float64Array(6),
    logPosterior: (theta, all) => logistic.logJoint(theta, null, all),
  }),
  problem({
    name: "zero-inflated counts, 5000 × 1, batch 100",
    model: zeroModel,
    kernel: zeroKernel,
    values: simulate(Rng.seeded(4), 5000, [-1, 0.5, 1]),
    columns: 2,
    batch: 100,
    start: Float64Array.of(-1, 0.5, 1),
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
  }),
  faithful(),
];

/** u is 1 over the largest curvature, so that relative steps mean the same in every problem. */
const integrators: [string, (u: number, weight: number) => { make: () => unknown; steps: number[] }][] = [
  ["sgld", (u) => ({ make: () => sgld(), steps: grid(u) })],
  ["psgld", (u, weight) => ({ make: () => psgld({ decay: 0.999 }), steps: grid(Math.sqrt(weight * u)) })],
  ["sghmc", (u) => ({ make: () => sghmc({ friction: 0.1 }), steps: grid(0.1 * u) })],
  ["sgnht", (u) => ({ make: () => sgnht({ friction: 0.1 }), steps: grid(0.1 * u) })],
  ["sgfs", () => ({ make: () => sgfs({ relative: true }), steps: grid(1) })],
  ["sgfsFull", () => ({ make: () => sgfsFull({ relative: true }), steps: grid(3) })],
];
function grid(top: number): number[] {
  return [0.01, 0.03, 0.1, 0.3, 1].map((c) => c * top);
}

function slopes(f: (theta: Float64Array) => number, theta: Float64Array, order: 1 | 2): Float64Array {
  const centre = f(theta);
  return theta.map((x, j) => {
    const h = order === 1 ? 1e-5 : 1e-3;
    const moved = theta.slice();
    moved[j] = x + h;
    const above = f(moved);
    moved[j] = x - h;
    return order === 1 ? (above - f(moved)) / (2 * h) : (above - 2 * centre + f(moved)) / (h * h);
  });
}

console.log("| posterior | integrator | step size | µs per step | ESS per second | KSD |");
console.log("|---|---|---|---|---|---|");
for (const target of problems) {
  let start = target.start;
  for (const { theta } of target.run(sgfsFull({ relative: true }) as Run, 0.2, start, 3000))
    start = theta.slice();
  const u = 1 / Math.max(...slopes(target.logPosterior, start, 2).map((x) => -x));
  for (const [name, settings] of integrators) {
    const { make, steps } = settings(u, target.weight);
    const results = steps.flatMap((stepSize) => {
      const kept: Float64Array[] = [];
      const started = performance.now();
      try {
        let t = 0;
        const burnIn = iterations / 5;
        for (const { theta } of target.run(make() as Run, stepSize, start, iterations)) {
          if (++t > burnIn && t % ((iterations - burnIn) / KEPT) === 0) kept.push(theta.slice());
        }
      } catch {
        return []; // diverged
      }
      const seconds = (performance.now() - started) / 1000;
      const ess = Math.min(
        ...start.map((_, j) => essBulk([Float64Array.from(kept, (draw) => draw[j])]) ?? 0),
      );
      const gradients = kept.map((draw) => slopes(target.logPosterior, draw, 1));
      const ksd = steinDiscrepancy(kept, gradients).total;
      return Number.isFinite(ksd) ? [{ stepSize, seconds, ess, ksd }] : [];
    });
    const best = results.sort((a, b) => a.ksd - b.ksd)[0];
    console.log(
      best
        ? `| ${target.name} | ${name} | ${best.stepSize.toPrecision(2)} | ${((1e6 * best.seconds) / iterations).toFixed(1)} | ${(best.ess / best.seconds).toFixed(0)} | ${best.ksd.toFixed(2)} |`
        : `| ${target.name} | ${name} | diverged at every step size | | | |`,
    );
  }
}
