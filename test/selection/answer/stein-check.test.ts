import { describe, expect, test } from "vitest";
import { normal } from "../../../src/math/normal.js";
import { Rng } from "../../../src/math/rng.js";
import { type SteinDraw, steinCheck } from "../../../src/selection/answer/stein-check.js";
import { unscaled } from "../../../src/store/batch/scaling.js";
import { localPool } from "../../../src/workers/pool.js";
import { inner, invert } from "../../dense.js";
import { smallStore } from "../../small-store.js";
import { fitRegression } from "../fit-arrays.js";

const ROWS = 400;
const V = 0.5;
const SIGMA2 = 2;

/** Two correlated columns, σ² known: the posterior is normal with a mean and a factor that are worked out here. */
async function problem() {
  const rng = Rng.seeded(4);
  const a = Array.from({ length: ROWS }, () => normal(rng));
  const b = a.map((value) => 0.8 * value + 0.6 * normal(rng));
  const y = a.map((value, i) => 0.5 * value - 0.2 * b[i] + Math.sqrt(SIGMA2) * normal(rng));
  const store = await smallStore({ a, b, y }, 100);
  const x = [a, b];
  const precision = x.map((p, i) => x.map((q, j) => inner(p, q) / SIGMA2 + (i === j ? 1 / V : 0)));
  const { inverse } = invert(precision);
  const score = x.map((p) => inner(p, y) / SIGMA2);
  const mean = inverse.map((row) => inner(row, score));
  const l = Math.sqrt(inverse[0][0]);
  const factor = [
    [l, 0],
    [inverse[0][1] / l, Math.sqrt(inverse[1][1] - (inverse[0][1] / l) ** 2)],
  ];
  const draws = (shift: number, widen: number) =>
    Array.from({ length: 100 }, (): SteinDraw => {
      const z = [widen * normal(rng) + shift, widen * normal(rng)];
      return { variables: [0, 1], values: mean.map((m, i) => m + inner(factor[i], z)), dispersion: SIGMA2 };
    });
  const check = async (given: readonly SteinDraw[]) =>
    (await steinCheck(
      {
        ...{ store, pool: localPool(store), run: {}, family: "gaussian", scaling: unscaled(store.shift) },
        coordinates: [0, 1],
        priorPrecision: (i, j) => (i === j ? 1 / V : 0),
      },
      given,
    ))!;
  return { draws, check };
}

describe("the Stein discrepancy of coefficients", () => {
  test("of perfect draws is what it is expected to be", async () => {
    const { draws, check } = await problem();
    // With two coefficients the ratio lies within 0.6 and 1.75 in all but two of a thousand runs (of 4,000 simulated).
    for (let run = 0; run < 5; run++) {
      const { discrepancy, expected } = await check(draws(0, 1));
      expect(discrepancy / expected).toBeGreaterThan(0.6);
      expect(discrepancy / expected).toBeLessThan(1.75);
    }
  });

  test.each([
    ["shifted by one standard deviation", 1, 1],
    ["twice as wide", 0, 2],
  ])("shows draws that are %s", async (_, shift, widen) => {
    const { draws, check } = await problem();
    const { discrepancy, expected, draws: used, coefficients } = await check(draws(shift, widen));
    expect(discrepancy / expected).toBeGreaterThan(2);
    expect({ used, coefficients }).toEqual({ used: 100, coefficients: 2 });
  });
});

describe("fit", () => {
  const rng = Rng.seeded(6);
  const columns = Array.from({ length: 6 }, () => Array.from({ length: 300 }, () => 3 + normal(rng)));
  const gaussian = columns[0].map((v, i) => v - 0.8 * columns[1][i] + normal(rng));
  const classes = columns[0].map((v) => Number(rng.uniform() < 1 / (1 + Math.exp(3 - v))));
  const counts = columns[0].map((v) => {
    const limit = Math.exp(-Math.exp(0.4 * (v - 3)));
    let [k, p] = [0, rng.uniform()];
    while (p > limit) {
      p *= rng.uniform();
      k += 1;
    }
    return k;
  });
  test.each([
    ["numbers", gaussian, {}],
    ["numbers under Zellner's slab", gaussian, { slab: "zellner" }],
    ["numbers without an intercept", gaussian, { intercept: "none" }],
    ["numbers with known noise", gaussian, { noiseVariance: 1 }],
    ["classes", classes, { family: "binomial" }],
    ["counts", counts, { family: "poisson" }],
  ] as const)(
    "draws the coefficients of the median model from the posterior of the data: %s",
    async (_, y, options) => {
      const { stein } = (await fitRegression({ columns, y: [...y] }, options)).diagnostics;
      expect(stein!.discrepancy / stein!.expected).toBeLessThan(1.25 + 1 / stein!.coefficients);
    },
  );
});
