import { describe, expect, test } from "vitest";
import { addLogisticMeans, logisticMean } from "../../src/families/logistic-means.js";
import { mixtureEnds } from "../../src/families/mixture-ends.js";
import { mixtureQuantiles, type Part } from "../../src/families/mixture-quantiles.js";
import { studentTCdf } from "../../src/math/distributions.js";
import { normal } from "../../src/math/normal.js";
import { Rng } from "../../src/math/rng.js";
import { GrowingNumbers } from "../../src/prediction/growing-numbers.js";

const rng = Rng.seeded(5);
const ENDS = [0.025, 0.975] as const;

/** Mean and standard deviation of so many rows. */
function law(rows: number, apart: number, width: () => number): Float64Array {
  return Float64Array.from({ length: 2 * rows }, (_, i) => (i % 2 ? width() : apart * normal(rng)));
}

const part = (weight: number, freedom?: number): Part => ({ weight, mean: 0, sd: 0, freedom });

/** The mixture of a row. */
const placed = (parts: readonly Part[], laws: readonly Float64Array[], row: number): Part[] =>
  parts.map((one, f) => ({ ...one, mean: laws[f][2 * row], sd: laws[f][2 * row + 1] }));

/** Fails unless the distribution function passes the level within 2e-9 of the mixture's width, but for the table's error. */
function expectQuantile(parts: readonly Part[], level: number, x: number): void {
  const total = parts.reduce((sum, { weight }) => sum + weight, 0);
  const under = (at: number): number =>
    parts.reduce((sum, { weight, mean, sd, freedom = Number.POSITIVE_INFINITY }) => {
      const own = sd > 0 ? studentTCdf((at - mean) / sd, freedom) : Number(at >= mean);
      return sum + (weight / total) * own;
    }, 0);
  const mean = parts.reduce((sum, part) => sum + (part.weight / total) * part.mean, 0);
  const variance = parts.reduce(
    (sum, part) => sum + (part.weight / total) * (part.sd ** 2 + (part.mean - mean) ** 2),
    0,
  );
  // Of a place far from zero nobody has more digits than a double.
  const near = 2e-9 * Math.sqrt(variance) + 2e-15 * Math.abs(x);
  expect(under(x - near)).toBeLessThan(level + TABLE);
  expect(under(x + near)).toBeGreaterThan(level - TABLE);
}
const TABLE = 4e-12;

describe("ends of many mixtures at a time", () => {
  const FREEDOMS = [1, 2, 3, 5, 9, 30, 59, 499, 4999, 19_999, 20_001, 1e6, undefined];
  const SHAPES = [
    ["alone", 1, 1, () => 1],
    ["a few that are nearly the same", 3, 0.1, () => 1 + 0.1 * rng.uniform()],
    ["many, apart", 25, 1, () => 0.5 + rng.uniform()],
    ["narrow beside wide", 4, 2, () => (rng.uniform() < 0.5 ? 1e-7 : 1)],
    ["far apart and narrow, where steps alone would go astray", 5, 50, () => 0.01 + rng.uniform()],
    ["further apart and narrower", 5, 1e3, () => 1e-3 + 1e-3 * rng.uniform()],
    ["of widths from 1e-6 to 1e3", 5, 3, () => 10 ** (9 * rng.uniform() - 6)],
  ] as const;
  const cases = SHAPES.flatMap(([name, count, apart, width]) =>
    [...FREEDOMS.map((freedom) => [freedom]), [9, undefined, 2]].map((freedoms) => ({
      name,
      count,
      apart,
      width,
      freedoms,
      laws: freedoms.map((freedom) => freedom ?? "normal").join(),
    })),
  );

  test.each(cases)("hold their probability: parts $name, $laws", ({ count, apart, width, freedoms }) => {
    const parts = Array.from({ length: count }, (_, f) =>
      part(0.1 + rng.uniform(), freedoms[f % freedoms.length]),
    );
    const laws = parts.map(() => law(20, apart, width));
    const ends = mixtureEnds(parts, laws, ENDS);
    for (let r = 0; r < 20; r++) {
      const own = placed(parts, laws, r);
      const plain = mixtureQuantiles(own, ENDS);
      ENDS.forEach((level, e) => {
        expectQuantile(own, level, plain[e]);
        expectQuantile(own, level, ends[2 * r + e]);
      });
    }
  });

  test("are the same in any unit", () => {
    const parts = [part(0.5, 9), part(0.5, 9)];
    const laws = parts.map(() => law(20, 1, () => 0.5 + rng.uniform()));
    const ends = mixtureEnds(parts, laws, ENDS);
    for (const unit of [2 ** -70, 2 ** 70]) {
      const scaled = laws.map((numbers) => numbers.map((value) => unit * value));
      expect(mixtureEnds(parts, scaled, ENDS)).toEqual(ends.map((end) => unit * end));
      const one = (in_: readonly Float64Array[]) => mixtureQuantiles(placed(parts, in_, 0), ENDS);
      expect(one(scaled)).toEqual(one(laws).map((end) => unit * end));
    }
  });

  test("are those of one by one where parts have no width or degrees of freedom are no whole number", () => {
    const parts = [part(0.5), part(0.3, 4), part(0.2)];
    const laws = [law(20, 1, () => 1), law(20, 1, () => 0.5), law(20, 1, () => 0)];
    const ends = mixtureEnds(parts, laws, ENDS);
    const broken = [part(0.5, 1.5), part(0.5, 1.5)];
    const brokenEnds = mixtureEnds(broken, laws, ENDS);
    for (let r = 0; r < 20; r++) {
      const pair = (of: Float64Array) => Array.from(of.subarray(2 * r, 2 * r + 2));
      expect(pair(ends)).toEqual(mixtureQuantiles(placed(parts, laws, r), ENDS));
      expect(pair(brokenEnds)).toEqual(mixtureQuantiles(placed(broken, laws, r), ENDS));
    }
  });

  test("stand at the place where a part without width has the level", () => {
    const own = [
      { weight: 0.5, mean: 0, sd: 1, freedom: 3 },
      { weight: 0.5, mean: -2, sd: 0, freedom: 3 },
    ];
    expect(mixtureQuantiles(own, [0.1])[0]).toBeCloseTo(-2, 8);
    expectQuantile(own, 0.9, mixtureQuantiles(own, [0.9])[0]);
  });

  test("count what is added to variances", () => {
    const parts = [part(0.5, 30), part(0.5)];
    const laws = parts.map(() => law(20, 1, () => 0.5 + rng.uniform()));
    const wider = laws.map((numbers, f) =>
      numbers.map((value, at) => (at % 2 ? Math.sqrt(value ** 2 + [0.7, 0][f]) : value)),
    );
    expect(mixtureEnds(parts, laws, ENDS, [0.7, 0])).toEqual(mixtureEnds(parts, wider, ENDS));
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
