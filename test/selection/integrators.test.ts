import { describe, expect, it } from "vitest";
import { simulatedTable } from "../../src/experiments/simulated.js";
import { fitTable } from "../../src/fit.js";
import { integratorNames } from "../../src/integrators/named.js";
import { expectSearchAgrees, expectTrueModel } from "./expect-true-model.js";
import { oneThread } from "./fit-arrays.js";

describe.each(integratorNames)("%s", (integrator) => {
  it("selects the true model of the paper's linear example", async () => {
    const table = simulatedTable({ kind: "linear", rows: 10_000, columns: 100, seed: 1 });
    const options = { target: "y", preset: "paper", batch: 200, moves: 5, stepSize: 5e-6 } as const;
    const result = await fitTable(table, { ...options, iterations: 4000, integrator }, oneThread);
    expectTrueModel(result, "linear", 0.014);
  });

  it("finds in the default search what polish reports", async () => {
    const table = simulatedTable({ kind: "linear", rows: 2500, columns: 20, seed: 2 });
    const result = await fitTable(table, { target: "y", integrator, chains: 1 }, oneThread, false);
    expectTrueModel(result, "linear", 0.03);
    expectSearchAgrees(result);
  });
});

it("an unknown integrator is refused with the names that there are", async () => {
  const table = simulatedTable({ kind: "linear", rows: 100, columns: 3, seed: 1 });
  const integrator = "euler" as "sgld";
  await expect(fitTable(table, { target: "y", integrator }, oneThread)).rejects.toThrow(
    /sgld, psgld.*not euler/,
  );
});
