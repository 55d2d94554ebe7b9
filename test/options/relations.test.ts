import { describe, expect, it } from "vitest";
import type { SparrowError } from "../../src/errors.js";
import { checkOptions as checkMixed } from "../../src/mixed/options.js";
import { checkOptions as checkFit } from "../../src/options/fit.js";
import { mixedRelations } from "../../src/options/mixed.js";
import { fitRelations } from "../../src/options/relations.js";

type Case = readonly [asked: object, library: string, commandLine: string];

const ofFit: readonly Case[] = [
  [
    { burnIn: 10, iterations: 10 },
    "burnIn: 10 leaves nothing of iterations: 10; make it smaller.",
    "--burn-in 10 leaves nothing of --iterations 10; make it smaller.",
  ],
  [
    { priorInclusion: 0.1, modelPrior: "uniform" },
    'priorInclusion has no meaning with modelPrior: "uniform"; leave one of them out.',
    "--prior-inclusion has no meaning with --model-prior uniform; leave one of them out.",
  ],
  [
    { expectedSize: 3, modelPrior: "uniform" },
    'expectedSize has no meaning with modelPrior: "uniform"; leave one of them out.',
    "--expected-size has no meaning with --model-prior uniform; leave one of them out.",
  ],
  [
    { expectedSize: 3, priorInclusion: 0.1 },
    "priorInclusion and expectedSize say the same thing twice; give one of them.",
    "--prior-inclusion and --expected-size say the same thing twice; give one of them.",
  ],
  [
    { g: 10 },
    'g is of the zellner prior: add slab: "zellner".',
    "--g is of the zellner prior: add --slab zellner.",
  ],
  [
    { slab: "zellner", slabVariance: 2 },
    'slabVariance has no meaning with slab: "zellner"; give g instead.',
    "--slab-variance has no meaning with --slab zellner; give --g instead.",
  ],
  [
    { scalePrior: "hyper-g", slabVariance: 2 },
    "scalePrior has no meaning with slabVariance; leave one of them out.",
    "--scale-prior has no meaning with --slab-variance; leave one of them out.",
  ],
  [
    { family: "poisson", noiseVariance: 2 },
    'noiseVariance has no meaning with family: "poisson"; leave it out.',
    "--noise-variance has no meaning with --family poisson; leave it out.",
  ],
  [
    { intercept: "select" },
    'intercept: "select" is of the paper\'s settings: add preset: "paper", or let it be always in or out (always, none).',
    "--intercept select is of the paper's settings: add --preset paper, or let it be always in or out (always, none).",
  ],
  [
    { priorZeta: 1 },
    'priorZeta is of the paper\'s settings: add preset: "paper".',
    "--prior-zeta is of the paper's settings: add --preset paper.",
  ],
  [
    { preset: "paper", scale: "standard" },
    'scale: "standard" has no meaning with preset: "paper"; leave one of them out.',
    "--scale standard has no meaning with --preset paper; leave one of them out.",
  ],
  [
    { preset: "paper", fdr: 0.1 },
    'fdr has no meaning with preset: "paper"; leave one of them out.',
    "--fdr has no meaning with --preset paper; leave one of them out.",
  ],
];

const ofMixed: readonly Case[] = [
  [
    { burnIn: 20, iterations: 10 },
    "burnIn: 20 leaves nothing of iterations: 10; make it smaller.",
    "--burn-in 20 leaves nothing of --iterations 10; make it smaller.",
  ],
  [
    { imputations: 2 },
    'imputations goes with preset: "paper": the default integrates the random effects out.',
    "--imputations goes with --preset paper: the default integrates the random effects out.",
  ],
  [
    { method: "gibbs", batch: 10 },
    'batch is of mini-batches, and method: "gibbs" visits all groups: leave one of them out.',
    "--batch is of mini-batches, and --method gibbs visits all groups: leave one of them out.",
  ],
  [
    { method: "gibbs", temperature: 0.5 },
    'temperature is of mini-batches, and method: "gibbs" visits all groups: leave one of them out.',
    "--temperature is of mini-batches, and --method gibbs visits all groups: leave one of them out.",
  ],
  [
    { prior: "inverse-wishart", priorScale: 2 },
    'priorScale does not go with prior: "inverse-wishart".',
    "--prior-scale does not go with --prior inverse-wishart.",
  ],
  [
    { formula: "y ~ x + (1 | g)", group: "g" },
    "formula says it all: leave out target.",
    "--formula says it all: leave out --target.",
  ],
  [{ preset: "paper", weights: "w" }, 'preset: "paper" has no weights.', "--preset paper has no --weights."],
];

describe.each([
  ["fit", ofFit, fitRelations, checkFit],
  ["mixed", ofMixed, mixedRelations, checkMixed],
] as const)("options of %s that do not go together", (_, cases, relations, check) => {
  it.each(cases)("%o", (asked, library, commandLine) => {
    let error: SparrowError | undefined;
    try {
      check({ target: "y", ...asked } as never);
    } catch (thrown) {
      error = thrown as SparrowError;
    }
    expect(error?.message).toBe(library);
    expect(error?.commandLine).toBe(commandLine);
    expect(error?.code).toBe("option");
  });

  it("are all tried here", () => {
    for (const { rule, broken } of relations) {
      const broke = cases.filter(([asked]) => broken(asked) !== undefined);
      expect(broke.length, rule).toBeGreaterThan(0);
    }
  });
});

it("options that go together are let through", () => {
  checkFit({ target: "y", burnIn: 5, iterations: 10, slab: "zellner", g: 100, modelPrior: "uniform" });
  checkFit({ target: "y", preset: "paper", intercept: "select", priorC0: 5, family: "poisson" });
  checkFit({ target: "y", noiseVariance: "unknown", family: "binomial" });
  checkMixed({ preset: "paper", imputations: 2, burnIn: 0, iterations: 1 });
});
