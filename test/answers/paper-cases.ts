/** The paper's preset: short chains with every integrator, schedule and way to draw rows. */

import { type FitOptions, run } from "../../src/index.js";
import { run as runOnThreads } from "../../src/node.js";
import { regression } from "./data.js";
import { type Case, fitted, kept } from "./kept.js";

const gaussian = () => regression({ rows: 600, columns: 30, seed: 5 });
const classes = () => regression({ rows: 800, columns: 20, family: "binomial", seed: 5 });
const counts = () => regression({ rows: 800, columns: 20, family: "poisson", seed: 5, effects: [0.4, -0.3] });
const short = { preset: "paper", batch: 100, iterations: 400, stepSize: 1e-4, seed: 2 } as const;

const settings: Record<string, Omit<FitOptions, "target">> = {
  "moves-5": { moves: 5 },
  "several-models": { models: 3, moves: 2, burnIn: 50, chains: 2 },
  psgld: { integrator: "psgld" },
  sghmc: { integrator: "sghmc" },
  sgnht: { integrator: "sgnht" },
  sgfs: { integrator: "sgfs" },
  polynomial: { stepSize: { a: 0.01, b: 100, kappa: 0.9 } },
  cyclical: { stepSize: { a: 2e-4, length: 50 } },
  rows: { sampling: "rows" },
  "rows-with-replacement": { sampling: "rows-with-replacement" },
  "intercept-always": { intercept: "always" },
  "intercept-none": { intercept: "none" },
  always: { always: ["x9"], exclude: ["x1?"] },
  "noise-known": { noiseVariance: 1, slabVariance: 4, priorInclusion: 0.1, maxSize: 6 },
  temperature: { temperature: 0.5 },
  holdout: { holdout: 0.2 },
};

export const paperCases: readonly Case[] = [
  { name: "paper-gaussian", run: () => fitted(gaussian(), short) },
  {
    name: "paper-own-settings",
    run: () =>
      fitted(regression({ rows: 1000, columns: 20 }), { preset: "paper", iterations: 500, moves: 5 }),
  },
  ...Object.entries(settings).map(([name, more]) => ({
    name: `paper-${name}`,
    run: () => fitted(gaussian(), { ...short, ...more }),
  })),
  { name: "paper-binomial", run: () => fitted(classes(), { ...short, family: "binomial", moves: 5 }) },
  { name: "paper-poisson", run: () => fitted(counts(), { ...short, family: "poisson", moves: 5 }) },
  {
    name: "paper-binomial-prior",
    run: () =>
      fitted(classes(), { ...short, family: "binomial", priorC0: 5, priorZeta: 0.8, intercept: "always" }),
  },
  {
    name: "paper-poisson-rows",
    run: () => fitted(counts(), { ...short, family: "poisson", sampling: "rows", integrator: "sghmc" }),
  },
  {
    name: "paper-threads",
    async run() {
      const options = { ...short, target: "y", chains: 2, moves: 2 };
      const [here, threads] = [
        await run(gaussian(), options),
        await runOnThreads(gaussian(), { ...options, threads: 2 }),
      ];
      return { here: kept(here), same: JSON.stringify(kept(here)) === JSON.stringify(kept(threads)) };
    },
  },
  {
    // Known to change: with the family left to the data, a batch has the 200 rows of a Gaussian target, not 300.
    name: "paper-family-auto-on-classes",
    run: () => fitted(classes(), { preset: "paper", iterations: 400, moves: 5, seed: 2 }),
  },
];
