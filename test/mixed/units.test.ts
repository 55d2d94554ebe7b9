import { describe, expect, it } from "vitest";
import { mixed, predict } from "../../src/index.js";
import { normal } from "../../src/math/normal.js";
import { Rng } from "../../src/math/rng.js";
import { check } from "../../src/mixed/check.js";
import { addRow, emptyCrossProducts } from "../../src/mixed/model/crossproducts.js";

const rng = Rng.seeded(9);
const own = Array.from({ length: 12 }, () => normal(rng));
const rows = Array.from({ length: 180 }, (_, i) => {
  const x = normal(rng);
  return { g: `g${i % 12}`, x, y: 1 + 0.5 * x + own[i % 12] * (1 + 0.3 * x) + 0.5 * normal(rng) };
});
const g = rows.map(({ g }) => g);
const table = (x: (value: number) => number, y: (value: number) => number) => ({
  g,
  x: rows.map((row) => x(row.x)),
  y: rows.map((row) => y(row.y)),
});
const same = (value: number): number => value;
const short = { iterations: 200, chains: 2 } as const;
/** By sums of products, and by rows. */
const WAYS = ["y ~ x + (1 + x | g)", "y ~ x + (1 + x | g) + (1 | h)"];
const asked = (data: object, formula: string) =>
  mixed({ ...data, h: rows.map((_, i) => `h${i % 5}`) }, { formula, ...short });

describe.each(WAYS)("%s in other units", (formula) => {
  it.each([1e9, 1e-9])(
    "has another log likelihood by the logarithm of the target's unit alone: %d",
    async (unit) => {
      const plain = await asked(table(same, same), formula);
      const other = await asked(
        table(
          (x) => x / unit,
          (y) => y * unit,
        ),
        formula,
      );
      const [a, b] = [plain.result, other.result].map(({ logLikelihood }) => logLikelihood as number);
      expect(b + rows.length * Math.log(unit)).toBeCloseTo(a, 3);
      const slope = other.result.fixed[1].mean / unit ** 2;
      expect(slope / plain.result.fixed[1].mean).toBeCloseTo(1, 6);
    },
  );

  // Seconds since 1970 within a quarter of an hour, and a target as far from zero.
  it.each([
    ["a column", (x: number) => 1.7e9 + 300 * x, same],
    ["the target", same, (y: number) => 1e9 + y],
  ])("takes %s that lies a million times its spread from zero", async (_, x, y) => {
    const [plain, far] = [await asked(table(same, same), formula), await asked(table(x, y), formula)];
    const slope = (x(1) - x(0)) * far.result.fixed[1].mean;
    expect(Math.abs(slope - plain.result.fixed[1].mean)).toBeLessThan(0.5 * plain.result.fixed[1].sd);
    const [{ mean: expected }, { mean: found }] = await Promise.all(
      [
        { fit: plain, data: table(same, same) },
        { fit: far, data: table(x, y) },
      ].map(({ fit, data }) => predict(fit.predictor(), { ...data, h: rows.map((_, i) => `h${i % 5}`) })),
    );
    // Other random numbers may have been drawn: means of 100 draws or more of effects with a standard deviation of 0.15.
    rows.forEach((_, i) => void expect(Math.abs(found[i] - y(0) - (expected[i] - 0))).toBeLessThan(0.15));
  });

  it("refuses a target with one value, whatever that is", async () => {
    await expect(
      asked(
        table(same, () => 0.1),
        formula,
      ),
    ).rejects.toThrow(/same value in every row/);
  });
});

it("columns that are correlated and lie far from zero are not called combinations of each other", () => {
  const data = emptyCrossProducts(["(intercept)", "year", "later"], "y", ["a", "b"]);
  rows.forEach(
    ({ x, y }, i) => void addRow(data, i % 2, [1, 5000 + x, 5000 + x + 0.02 * Math.sin(i * i), y]),
  );
  const design = { columns: data.columns, fixed: [0, 1, 2], random: [0] };
  expect(check(data, design)).toEqual([]);
  const twice = emptyCrossProducts(data.columns, "y", ["a", "b"]);
  rows.forEach(({ x, y }, i) => void addRow(twice, i % 2, [1, 5000 + x, 1 + 3 * (5000 + x), y]));
  expect(() => check(twice, design)).toThrow(/"later" is a linear combination/);
});
