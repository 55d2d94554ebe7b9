import { describe, expect, test } from "vitest";
import { addLogisticMeans, logisticMean } from "../../src/families/logistic-means.js";
import { mixtureQuantiles, type Part } from "../../src/families/mixture-quantiles.js";
import { normalCdf } from "../../src/math/distributions.js";
import { normal } from "../../src/math/normal.js";
import { Rng } from "../../src/math/rng.js";
import { GrowingNumbers } from "../../src/prediction/growing-numbers.js";
import { mixtureEnds } from "../../src/prediction/mixture-ends.js";

const rng = Rng.seeded(5);
const ENDS = [0.025, 0.975] as const;

/** Mean and standard deviation of so many rows. */
function law(rows: number, apart: number, width: () => number): Float64Array {
  return Float64Array.from({ length: 2 * rows }, (_, i) => (i % 2 ? width() : apart * normal(rng)));
}

const part = (weight: number, freedom?: number): Part => ({ weight, mean: 0, sd: 0, freedom });

/** P(below) of the mixture of a row. */
function below(parts: readonly Part[], laws: readonly Float64Array[], row: number, x: number): number {
  const total = parts.reduce((sum, { weight }) => sum + weight, 0);
  return parts.reduce(
    (sum, { weight }, f) => sum + (weight / total) * normalCdf((x - laws[f][2 * row]) / laws[f][2 * row + 1]),
    0,
  );
}

describe("ends of many mixtures at a time", () => {
  test.each([
    ["nearly the same", 0.1, () => 1 + 0.1 * rng.uniform()],
    ["some apart", 1, () => 0.5 + rng.uniform()],
    ["far apart and narrow, where steps alone would go astray", 50, () => 0.01 + rng.uniform()],
    ["of widths from 1e-6 to 1e3", 3, () => 10 ** (9 * rng.uniform() - 6)],
  ])("hold their probability: parts %s", (_, apart, width) => {
    const parts = [0.4, 0.2, 0.15, 0.1, 0.04].map((weight) => part(weight));
    const laws = parts.map(() => law(200, apart, width));
    const ends = mixtureEnds(parts, laws, ENDS);
    for (let r = 0; r < 200; r++) {
      for (const e of [0, 1]) {
        const x = ends[2 * r + e];
        // To rounding of the place itself, which a narrow part multiplies.
        const step = 1e-8 * (1 + Math.abs(x));
        expect(below(parts, laws, r, x - step)).toBeLessThan(ENDS[e] + 1e-7);
        expect(below(parts, laws, r, x + step)).toBeGreaterThan(ENDS[e] - 1e-7);
      }
    }
  });

  test("are those of one by one where parts have no width or heavy tails", () => {
    const parts = [part(0.5), part(0.3, 4), part(0.2)];
    const laws = [law(20, 1, () => 1), law(20, 1, () => 0.5), law(20, 1, () => 0)];
    const ends = mixtureEnds(parts, laws, ENDS);
    for (let r = 0; r < 20; r++) {
      const one = parts.map(({ weight, freedom }, f) => {
        return { weight, freedom, mean: laws[f][2 * r], sd: laws[f][2 * r + 1] };
      });
      expect(Array.from(ends.subarray(2 * r, 2 * r + 2))).toEqual(mixtureQuantiles(one, ENDS));
    }
  });
});

test("means of many logistic laws are those of one by one, whatever stands beside them", () => {
  const laws = law(501, 4, () => (rng.uniform() < 0.5 ? 0.3 : 8) * rng.uniform());
  laws.set([0, 0, 800, 1, -800, 1, 40, 0.299, -40, 0.3], 0);
  const means = new Float64Array(501).fill(0.25);
  addLogisticMeans(means, laws, 0.5);
  means.forEach((mean, r) => {
    expect(mean).toBeCloseTo(0.25 + 0.5 * logisticMean(laws[2 * r], laws[2 * r + 1]), 13);
  });
});

test("numbers grow beyond what was expected", () => {
  const numbers = new GrowingNumbers(3);
  for (let i = 0; i < 10_000; i++) numbers.push(i);
  expect(numbers.all()).toEqual(Float64Array.from({ length: 10_000 }, (_, i) => i));
});
