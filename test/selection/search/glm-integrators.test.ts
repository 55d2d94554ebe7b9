import { describe, it } from "vitest";
import { simulatedTable } from "../../../src/experiments/simulated.js";
import { integratorNames } from "../../../src/integrators/named.js";
import type { FitOptions } from "../../../src/options/fit.js";
import { fitTable } from "../../../src/selection/fit-table.js";
import { expectSearchAgrees, expectTrueModel } from "../expect-true-model.js";
import { oneThread } from "../fit-arrays.js";

/** ε of the paper's preset: about a tenth of the inverse curvature. */
const settings = {
  logistic: { family: "binomial", stepSize: 2e-4, sd: 0.09 },
  poisson: { family: "poisson", stepSize: 4e-5, sd: 0.03 },
} as const;

describe.each(["logistic", "poisson"] as const)("on the %s example in small", (kind) => {
  const { family, stepSize, sd } = settings[kind];
  const table = simulatedTable({ kind, rows: 2500, columns: 20, seed: 2 });

  it.each(integratorNames)("%s selects the true model by itself", async (integrator) => {
    const paper: FitOptions = { target: "y", preset: "paper", family, stepSize, batch: 500, moves: 5 };
    const result = await fitTable(table, { ...paper, iterations: 600, integrator }, oneThread);
    expectTrueModel(result, kind, sd);
  });

  it.each(integratorNames)("%s finds in the default search what polish reports", async (integrator) => {
    const options: FitOptions = { target: "y", family, integrator, batch: 500, chains: 1, iterations: 150 };
    const result = await fitTable(table, options, oneThread, false);
    expectTrueModel(result, kind, sd);
    expectSearchAgrees(result);
  });
});
