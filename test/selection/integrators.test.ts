import { expect, it } from "vitest";
import { simulatedTable } from "../../src/experiments/simulated.js";
import { fitTable } from "../../src/fit.js";
import { integratorNames } from "../../src/integrators/named.js";
import { threads } from "../../src/node.js";

// The design of Table 1 in small. The coefficients' posterior sd is about 0.014, the bound 6 of them.
it.each(integratorNames)("%s selects the true model of the paper's linear example", async (integrator) => {
  const table = simulatedTable({ kind: "linear", rows: 10_000, columns: 100, seed: 1 });
  const options = { target: "y", preset: "paper", batch: 200, moves: 5, stepSize: 5e-6, threads: 1 } as const;
  const { variables } = await fitTable(table, { ...options, iterations: 4000, integrator }, threads);
  const selected = variables.filter((variable) => variable.selected);
  expect(selected.map(({ name }) => name).sort()).toEqual(["z1", "z2", "z3", "z4", "z5", "z6", "z7", "z8"]);
  for (const { name, mean } of selected) {
    expect(Math.abs(mean - (Number(name.slice(1)) <= 5 ? 1 : -1))).toBeLessThan(0.085);
  }
});

it("an unknown integrator is refused with the names that there are", async () => {
  const table = simulatedTable({ kind: "linear", rows: 100, columns: 3, seed: 1 });
  const integrator = "euler" as "sgld";
  await expect(fitTable(table, { target: "y", integrator }, threads)).rejects.toThrow(
    /sgld, psgld.*not euler/,
  );
});
