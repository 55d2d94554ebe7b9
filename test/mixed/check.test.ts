import { expect, it } from "vitest";
import { normal } from "../../src/math/normal.js";
import { Rng } from "../../src/math/rng.js";
import { check } from "../../src/mixed/check.js";
import { fitMixed } from "../../src/mixed/fit.js";
import { addRow, type CrossProducts, emptyCrossProducts } from "../../src/mixed/model/crossproducts.js";

function table(groups: number, rows: number, row: (rng: Rng, group: number) => number[]): CrossProducts {
  const rng = Rng.seeded(3);
  const data = emptyCrossProducts(
    ["(intercept)", "x", "z"],
    "y",
    Array.from({ length: groups }, (_, i) => `g${i}`),
  );
  for (let i = 0; i < groups; i++) for (let r = 0; r < rows; r++) addRow(data, i, [1, ...row(rng, i)]);
  return data;
}
const design = { columns: ["(intercept)", "x", "z"], fixed: [0, 1, 2], random: [0, 1] };
const options = { target: "y", group: "g", fixed: ["x", "z"], random: ["x"], iterations: 400, chains: 2 };
const noise = (rng: Rng): number[] => [normal(rng), normal(rng), normal(rng)];

it("finds nothing to say about sound data", () => {
  expect(check(table(10, 5, noise), design)).toEqual([]);
});

it("refuses a single group, a constant target, a constant column and a dependent one, by name", () => {
  expect(() => check(table(1, 9, noise), design)).toThrow(/two groups/);
  expect(() =>
    check(
      table(9, 5, (rng) => [normal(rng), normal(rng), 7]),
      design,
    ),
  ).toThrow(/"y" has the same value/);
  expect(() =>
    check(
      table(9, 5, (rng) => [normal(rng), 7, normal(rng)]),
      design,
    ),
  ).toThrow(/"z" has the same value/);
  const twice = table(9, 5, (rng) => {
    const x = normal(rng);
    return [x, 3 - 2 * x, normal(rng)];
  });
  expect(() => check(twice, design)).toThrow(/"z" is a linear combination/);
});

it("fits groups of one row, and says that the priors decide", async () => {
  const { result } = await fitMixed(table(200, 1, noise), options);
  expect(result.diagnostics.warnings.join()).toMatch(/Every group has one row/);
  expect(result.fixed.every(({ mean, sd }) => Number.isFinite(mean) && sd > 0)).toBe(true);
});

it("fits a random effect that never varies within a group, and says that the priors decide", async () => {
  const flat = table(60, 5, (rng, group) => [group % 7, normal(rng), normal(rng)]);
  const { result } = await fitMixed(flat, options);
  expect(result.diagnostics.warnings.join()).toMatch(/"x" never varies within a group/);
  expect(Number.isFinite(result.random.mean[1][1])).toBe(true);
});

it("says of all random effects that never vary within a group in one sentence", () => {
  const flat = table(60, 5, (rng, group) => [group % 7, group % 5, normal(rng)]);
  expect(check(flat, { ...design, random: [0, 1, 2] })).toEqual([
    'Columns "x", "z" never vary within a group, so their random effects cannot be told from the random intercept: their split rests on the priors alone.',
  ]);
});

it("fits thousands of groups without variation inside them: the noise is small, the groups differ", async () => {
  const { result } = await fitMixed(
    table(3000, 3, (rng, group) => [normal(rng), normal(rng), 10 + Math.sin(group) + 1e-3 * normal(rng)]),
    { ...options, fixed: [], random: [], iterations: 1500 },
  );
  expect(result.method).toBe("gibbs");
  // No prior holds the noise up: its variance is the 10⁻⁶ that it was made with, to the 2% that 6000 degrees allow for.
  expect(result.noiseVariance!.mean).toBeGreaterThan(0.9e-6);
  expect(result.noiseVariance!.mean).toBeLessThan(1.1e-6);
  // The sine of whole numbers has variance ½.
  expect(result.random.mean[0][0]).toBeGreaterThan(0.45);
  expect(result.random.mean[0][0]).toBeLessThan(0.55);
});

it("fits more random effects than groups", async () => {
  const { result } = await fitMixed(table(2, 30, noise), { ...options, random: ["x", "z"] });
  expect(result.diagnostics.warnings.join()).toMatch(/2 groups for 3 random effects/);
});
