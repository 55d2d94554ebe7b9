import { expect, test } from "vitest";
import { normal } from "../../../src/math/normal.js";
import { Rng } from "../../../src/math/rng.js";
import type { FitOptions } from "../../../src/options/fit.js";
import { fitRegression } from "../fit-arrays.js";

/** y = 1000·(x0 + x1) + noise: standardised effects of 1,000 where the noise has the given sd. */
function data(sd: number) {
  const rng = Rng.seeded(12);
  const columns = Array.from({ length: 5 }, () => Array.from({ length: 300 }, () => normal(rng)));
  return { columns, y: columns[0].map((v, i) => 1000 * (v + columns[1][i]) + sd * normal(rng)) };
}
const warnings = async (sd: number, options: Omit<FitOptions, "target"> = {}) =>
  (await fitRegression(data(sd), options)).diagnostics.warnings;

test("a scale that is learned fits effects of any size", async () => {
  for (const slab of ["independent", "zellner"] as const) {
    const { diagnostics, noiseVariance, variables } = await fitRegression(data(1), { slab });
    expect(diagnostics.warnings).toEqual([]);
    // σ² = 1 with 298 degrees of freedom: five standard errors are 0.41. Intervals are those of least squares.
    expect(Math.abs(noiseVariance!.mean - 1)).toBeLessThan(0.41);
    for (const { mean, lower, upper } of variables.slice(0, 2)) {
      expect(Math.abs(mean - 1000)).toBeLessThan(5 / Math.sqrt(300));
      expect((upper - lower) / (2 * 1.96)).toBeGreaterThan(0.8 / Math.sqrt(300));
      expect((upper - lower) / (2 * 1.96)).toBeLessThan(1.25 / Math.sqrt(300));
    }
  }
});

test("effects far beyond a slab that was given are a problem with a remedy that works", async () => {
  const [warning] = await warnings(1, { slabVariance: 1 });
  const better = Number(/slabVariance to about (\d+)\./.exec(warning)?.[1]);
  expect(better).toBeGreaterThan(5e5);
  expect(better).toBeLessThan(2e6);
  const { diagnostics, noiseVariance } = await fitRegression(data(1), { slabVariance: better });
  expect(diagnostics.warnings).toEqual([]);
  // σ² = 1 with 298 degrees of freedom: five standard errors are 0.41.
  expect(Math.abs(noiseVariance!.mean - 1)).toBeLessThan(0.41);
});

test("Zellner's slab has the same trouble, under its own name", async () => {
  expect((await warnings(1, { slab: "zellner", g: 300 }))[0]).toMatch(/Set g to about \d+/);
});

test("a target that is explained completely is told apart", async () => {
  expect((await warnings(0))[0]).toContain("The variables explain the target completely");
});

test("effects that the slab allows for, and noise that is known, are no trouble", async () => {
  expect(await warnings(500)).toEqual([]);
  expect(await warnings(1, { noiseVariance: 1, slabVariance: 1e6 })).toEqual([]);
});
