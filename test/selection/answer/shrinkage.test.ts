import { expect, it } from "vitest";
import { holedRegression } from "../../../src/experiments/missing-data.js";
import { normal } from "../../../src/math/normal.js";
import { Rng } from "../../../src/math/rng.js";
import { shrinkageOf, shrinkageRemark } from "../../../src/selection/answer/shrinkage.js";
import type { Component } from "../../../src/selection/posterior/laws/mixture.js";
import { fitRegression } from "../fit-arrays.js";

/** Effects of variance 1 that were measured with an error: their posterior, and the slope of its means on them. */
function measured(rng: Rng, count: number, error: number) {
  const precision = 1 + error ** -2;
  const truths = Array.from({ length: count }, () => normal(rng));
  const mean = Float64Array.from(truths, (truth) => (truth + error * normal(rng)) / error ** 2 / precision);
  const covariance = new Float64Array(count ** 2);
  for (let j = 0; j < count; j++) covariance[j * count + j] = 1 / precision;
  const members = Array.from(truths.keys());
  const component: Component = {
    probability: 1,
    posterior: { members, mean, covariance, freedom: 1e6, residualSquares: 1e6 },
    centre: undefined,
  };
  const square = truths.reduce((sum, truth) => sum + truth * truth, 0);
  return { component, slope: truths.reduce((sum, truth, j) => sum + truth * mean[j], 0) / square };
}

it.each([0.1, 0.2, 0.5])("says the slope of reports on truths, with errors of %d", (error) => {
  const rng = Rng.seeded(16);
  const count = 600;
  const { component, slope } = measured(rng, count, error);
  const shrinkage = shrinkageOf([component], new Float64Array(count).fill(1))!;
  expect(shrinkage).toBeGreaterThan(0);
  // The slope is off by about error/√count.
  expect(Math.abs(1 - shrinkage - slope)).toBeLessThan((4 * error) / Math.sqrt(count));
});

it("asks selected variables alone, each as often as it is in", () => {
  const posterior = (members: number[], mean: number[]) => ({
    ...{ members, mean: Float64Array.from(mean), freedom: 1e9, residualSquares: 1 },
    covariance: Float64Array.from(members.flatMap((_, a) => members.map((_, b) => (a === b ? 0.1 : 0)))),
  });
  const centre = undefined;
  const mixture = [
    { probability: 0.8, posterior: posterior([0], [1]), centre },
    { probability: 0.2, posterior: posterior([0, 1], [2, 0.1]), centre },
  ];
  const mean = 0.8 + 0.2 * 2;
  const square = 0.8 * 1.1 + 0.2 * 4.1;
  expect(shrinkageOf(mixture, Float64Array.of(1, 0.2))).toBeCloseTo(1 - mean ** 2 / square, 9);
  expect(shrinkageOf(mixture, Float64Array.of(0.4, 0.2))).toBeUndefined();
});

it("is said where it is worth a word", () => {
  expect(shrinkageRemark(undefined, { rows: 100, holed: 30 })).toEqual([]);
  expect(shrinkageRemark(0.012, { rows: 100, holed: 30 })).toEqual([]);
  const rows = { rows: 1100, holed: 34 };
  expect(shrinkageRemark(0.038, rows).join()).toContain("about 4% closer to zero than they are");
  expect(shrinkageRemark(0.038, rows).join()).toContain("1,100 rows, 34 of them with holes, leave that much");
  expect(shrinkageRemark(0.038, { rows: 50, holed: 50 }).join()).toContain("50 rows, all of them with holes");
});

it("is none where the spread of effects is that of substitutes", async () => {
  const rng = Rng.seeded(5);
  const columns = Array.from({ length: 3 }, () => Float64Array.from({ length: 100 }, () => normal(rng)));
  const y = columns[0].map((x) => 2 * x + normal(rng));
  // A copy of the column that matters, which has holes itself.
  const copy = columns[0].slice();
  for (let i = 0; i < 34; i++) columns[0][3 * i] = Number.NaN;
  const result = await fitRegression({ columns: [...columns, copy], y }, { iterations: 200 });
  expect(result.verdict).not.toContain("closer to zero");
  expect(result.missing!.shrinkage ?? 0).toBeLessThan(0.02);
});

it("is in the verdict of few rows with holes, and not of many", async () => {
  const few = await fitRegression(holedRegression({ rows: 60, columns: 20, share: 0.12, seed: 3 }), {
    iterations: 100,
  });
  const { shrinkage } = few.missing!;
  expect(few.verdict).toContain(`about ${Math.round(100 * shrinkage!)}% closer to zero than they are`);
  expect(few.diagnostics.warnings.join()).not.toContain("closer to zero");
  const many = await fitRegression(holedRegression({ rows: 1000, columns: 5, share: 0.12, seed: 3 }), {
    iterations: 100,
  });
  expect(many.missing!.shrinkage).toBeLessThan(0.01);
  expect(many.verdict).not.toContain("closer to zero");
});
