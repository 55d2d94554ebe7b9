/** The default mode on arrays: enumerated, sampled and searched, with every prior. */

import { run } from "../../src/node.js";
import { type Family, regression } from "./data.js";
import { type Case, fitted, kept } from "./kept.js";

const families: readonly Family[] = ["gaussian", "binomial", "poisson"];
const few = (family: Family = "gaussian") => regression({ rows: 200, columns: 8, family });
const wide = (family: Family) =>
  regression({
    rows: 1000,
    columns: 400,
    family,
    seed: 3,
    correlation: 0.3,
    effects: [0.8, -0.6, 0.4, 0.15, 0.1],
  });
const faint = [0.5, -0.4, 0.3, 0.2, 0.15, 0.1];
const forty = () => regression({ rows: 120, columns: 40, seed: 2, correlation: 0.6, effects: faint });

const ofFamilies: Case[] = families.flatMap((family) => [
  { name: `default-enumerated-${family}`, run: () => fitted(few(family)) },
  {
    name: `default-sampled-${family}`,
    run: () =>
      fitted(
        regression({
          rows: 120,
          columns: family === "poisson" ? 40 : 60,
          family,
          seed: 2,
          correlation: 0.6,
          effects: faint,
        }),
      ),
  },
  { name: `default-searched-${family}`, run: () => fitted(wide(family)) },
  { name: `default-zellner-${family}`, run: () => fitted(few(family), { slab: "zellner" }) },
  { name: `default-holdout-${family}`, run: () => fitted(few(family), { holdout: 0.25, seed: 4 }) },
  { name: `default-intercept-none-${family}`, run: () => fitted(few(family), { intercept: "none" }) },
]);

const priors: Case[] = [
  { name: "prior-beta-binomial", run: () => fitted(few(), { modelPrior: "beta-binomial" }) },
  {
    name: "prior-beta-binomial-expected-size-sampled",
    run: () => fitted(forty(), { modelPrior: "beta-binomial", expectedSize: 4 }),
  },
  { name: "prior-uniform", run: () => fitted(few(), { modelPrior: "uniform" }) },
  { name: "prior-expected-size", run: () => fitted(few(), { expectedSize: 2 }) },
  { name: "prior-inclusion", run: () => fitted(few("binomial"), { priorInclusion: 0.2 }) },
  { name: "prior-zellner-g-sampled", run: () => fitted(forty(), { slab: "zellner", g: 50 }) },
  { name: "prior-slab-variance", run: () => fitted(few("poisson"), { slabVariance: 0.5 }) },
  { name: "prior-noise-variance", run: () => fitted(few(), { noiseVariance: 1 }) },
  { name: "prior-noise-variance-zellner", run: () => fitted(few(), { noiseVariance: 1, slab: "zellner" }) },
  { name: "prior-scale-none", run: () => fitted(few(), { scale: "none", intercept: "none" }) },
  { name: "prior-scale-none-binomial", run: () => fitted(few("binomial"), { scale: "none" }) },
  { name: "prior-fdr-max-size", run: () => fitted(few(), { fdr: 0.3, maxSize: 3 }) },
];

const columns: Case[] = [
  { name: "columns-always", run: () => fitted(few(), { always: ["x7", "x8"] }) },
  { name: "columns-always-poisson", run: () => fitted(few("poisson"), { always: ["x7"] }) },
  { name: "columns-exclude-pattern", run: () => fitted(few(), { exclude: ["x7", "x8*"] }) },
  { name: "columns-pattern-sampled", run: () => fitted(forty(), { columns: ["x1*", "x2?", "x5"] }) },
];

const searches: Case[] = [
  {
    name: "search-length-and-step",
    run: () =>
      fitted(wide("gaussian"), { iterations: 120, burnIn: 30, batch: 200, stepSize: 1e-4, chains: 2 }),
  },
  {
    name: "search-length-binomial",
    run: () => fitted(wide("binomial"), { iterations: 60, burnIn: 10, batch: 500, chains: 2 }),
  },
  {
    name: "search-zellner-always",
    run: () =>
      fitted(wide("gaussian"), { slab: "zellner", always: ["x9"], chains: 2, integrator: "psgld", seed: 8 }),
  },
  {
    name: "search-intercept-none-poisson",
    run: () => fitted(wide("poisson"), { intercept: "none", chains: 2 }),
  },
  {
    name: "threads-one-and-two",
    async run() {
      const options = { target: "y", iterations: 100, chains: 3, seed: 5 } as const;
      const one = kept(await run(wide("gaussian"), { ...options, threads: 1 }));
      const two = kept(await run(wide("gaussian"), { ...options, threads: 2 }));
      return { one, same: JSON.stringify(one) === JSON.stringify(two) };
    },
  },
];

export const defaultCases: readonly Case[] = [...ofFamilies, ...priors, ...columns, ...searches];
