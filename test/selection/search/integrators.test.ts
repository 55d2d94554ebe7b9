import { describe, expect, it } from "vitest";
import { simulatedTable } from "../../../src/experiments/simulated.js";
import { integratorNames } from "../../../src/integrators/named.js";
import { normal } from "../../../src/math/normal.js";
import { Rng } from "../../../src/math/rng.js";
import { fitTable } from "../../../src/selection/fit-table.js";
import { expectSearchAgrees, expectTrueModel } from "../expect-true-model.js";
import { fitRegression, oneThread, variable } from "../fit-arrays.js";

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

it.each(integratorNames)(
  "the spread of effects under %s grows with the root of the temperature",
  async (integrator) => {
    // All rows in every batch and two columns that are always in: a Gaussian, and the noise is all that moves the chain.
    const rng = Rng.seeded(3);
    const columns = [0, 1].map(() => Float64Array.from({ length: 400 }, () => normal(rng)));
    const y = columns[0].map((x, i) => x - columns[1][i] + normal(rng));
    const always = { preset: "paper", intercept: "none", always: ["x0", "x1"], batch: 400 } as const;
    const run = { ...always, models: 1, stepSize: 1e-3, iterations: 20_000, integrator } as const;
    const sds: number[] = [];
    for (const temperature of [0, 1, 4]) {
      sds.push(variable(await fitRegression({ columns, y }, { ...run, temperature }), "x0").sd);
    }
    expect(sds[0]).toBeLessThan(0.01 * sds[1]);
    // Some 1000 effective draws each: the ratio of two sds is known to 3%.
    expect(Math.abs(sds[2] / sds[1] - 2)).toBeLessThan(4.5 * 0.06);
  },
);

it("an unknown integrator is refused with the names that there are", async () => {
  const table = simulatedTable({ kind: "linear", rows: 100, columns: 3, seed: 1 });
  const integrator = "euler" as "sgld";
  await expect(fitTable(table, { target: "y", integrator }, oneThread)).rejects.toThrow(
    /sgld, psgld.*not "euler"/,
  );
});
