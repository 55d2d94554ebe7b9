/** A model of the user's own with every integrator. */

import {
  cyclical,
  type InnerKernel,
  type Model,
  polynomial,
  psgld,
  Rng,
  type Rows,
  rowSample,
  type Schedule,
  sample,
  sgfs,
  sgfsFull,
  sghmc,
  sgld,
  sgnht,
  withNoise,
} from "../../src/index.js";
import { normal } from "../../src/math/normal.js";
import type { Case } from "./kept.js";
import { plain } from "./plain.js";

/** Rows are N(a, 1) or N(b, 1) with equal odds; which one is latent. */
const model: Model<{ second: Uint8Array }, Rows> = {
  names: ["a", "b"],
  logJoint(theta, { second }, { rows, weight, values }) {
    let sum = 0;
    for (let i = 0; i < rows; i++) sum -= (values[i] - theta[second[i]]) ** 2 / 2;
    return weight * sum - (theta[0] ** 2 + theta[1] ** 2) / 20;
  },
  addGrad(out, scale, theta, { second }, { rows, weight, values }) {
    for (let i = 0; i < rows; i++) out[second[i]] += scale * weight * (values[i] - theta[second[i]]);
    for (const j of [0, 1]) out[j] -= (scale * theta[j]) / 10;
  },
};
const kernel: InnerKernel<{ second: Uint8Array }, Rows> = {
  init: () => ({ second: new Uint8Array(100) }),
  enter() {},
  step(rng, { second }, [a, b], { rows, values }) {
    for (let i = 0; i < rows; i++) {
      const odds = Math.exp(((values[i] - a) ** 2 - (values[i] - b) ** 2) / 2);
      second[i] = Number(rng.uniform() < odds / (1 + odds));
    }
    return true;
  },
};

function settings(stepSize: Schedule) {
  const rng = Rng.seeded(31);
  const values = Float64Array.from({ length: 400 }, () => (rng.uniform() < 0.5 ? -1.5 : 1.5) + normal(rng));
  const theta = Float64Array.of(-1, 1);
  const batches = rowSample(values, 1, 100);
  return {
    model,
    kernel,
    batches,
    stepSize,
    iterations: 200,
    theta,
    rng: Rng.seeded(32),
    draws: 2,
    moves: 1,
  };
}

function kept(draws: ReturnType<typeof sample>): unknown {
  const rows: number[] = [];
  for (const { theta, weight } of draws) rows.push(...theta, weight);
  return plain({ draws: rows, last: rows.slice(-3) });
}

const simple = { sgld, psgld, sghmc, sgnht };

export const sampleCases: readonly Case[] = [
  ...Object.entries(simple).map(([name, integrator]) => ({
    name: `sample-${name}`,
    run: async () =>
      // Each integrator has a state of its own, which only it reads.
      kept(sample({ ...settings(1e-3), integrator: integrator() as ReturnType<typeof sgld> })),
  })),
  {
    name: "sample-sgfs",
    run: async () => kept(sample({ ...settings(0.1), integrator: sgfs({ relative: true }) }, withNoise)),
  },
  {
    name: "sample-sgfs-full",
    run: async () => kept(sample({ ...settings(0.1), integrator: sgfsFull({ relative: true }) }, withNoise)),
  },
  {
    name: "sample-polynomial",
    run: async () =>
      kept(sample({ ...settings(polynomial({ a: 0.02, b: 10, kappa: 0.6 })), integrator: sgld() })),
  },
  {
    name: "sample-cyclical",
    run: async () => kept(sample({ ...settings(cyclical({ a: 5e-3, length: 40 })), integrator: sgld() })),
  },
];
