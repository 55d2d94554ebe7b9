import { expect, it } from "vitest";
import { quantile, weightedQuantile } from "../../src/math/quantile.js";

const sorted = [-2, 0, 0, 1.5, 4, 9];

it("a weighted quantile is the plain one where all values weigh alike", () => {
  for (const p of [0, 0.025, 0.3, 0.5, 0.81, 0.975, 1]) {
    expect(
      weightedQuantile(
        sorted,
        sorted.map(() => 0.2),
        p,
      ),
    ).toBeCloseTo(quantile(sorted, p), 12);
  }
});

it("a weighted quantile is linear between the middles of the weights", () => {
  // The middles lie at 1, 3.5 and 5.5 of [0, 2), [2, 5), [5, 6): a third of the way from 1 to 5.5 is 2.5.
  expect(weightedQuantile([10, 20, 30], [2, 3, 1], 1 / 3)).toBeCloseTo(10 + 10 * (1.5 / 2.5), 12);
  expect(weightedQuantile([10, 20, 30], [2, 3, 1], 0)).toBe(10);
  expect(weightedQuantile([10, 20, 30], [2, 3, 1], 1)).toBe(30);
});

it("nothing has no quantile, and one value has one", () => {
  expect(weightedQuantile([], [], 0.5)).toBeNaN();
  expect(weightedQuantile([7], [0.1], 0.9)).toBe(7);
});
