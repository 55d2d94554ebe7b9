import { describe, expect, it } from "vitest";
import { missingEntries } from "../../src/latent/missing.js";
import { cholesky, inverse } from "../../src/math/linear.js";
import { Rng } from "../../src/math/rng.js";

const mean = Float64Array.of(1, -2, 0.5);
const covariance = Float64Array.of(2, 0.8, -0.3, 0.8, 1, 0.2, -0.3, 0.2, 0.7);
const regression = {
  family: "gaussian",
  intercept: 0.4,
  coefficients: Float64Array.of(1.5, 0, -0.7),
  noiseVariance: 0.6,
} as const;
const [observed, target] = [-1.2, 3];
const holes = [0, 2];

function inverted(matrix: Float64Array, n: number): Float64Array {
  const factor = matrix.slice();
  cholesky(factor, n);
  const out = new Float64Array(n * n);
  inverse(out, factor, n);
  return out;
}

/** The law of (x_0, x_2) given (x_1, y), from the covariance of all four: no precision matrix is used. */
function exactConditional() {
  const { coefficients: b } = regression;
  const withTarget = [0, 1, 2].map((j) =>
    [0, 1, 2].reduce((sum, k) => sum + covariance[3 * j + k] * b[k], 0),
  );
  const targetMean = regression.intercept + mean.reduce((sum, m, j) => sum + m * b[j], 0);
  const targetVariance = regression.noiseVariance + withTarget.reduce((sum, c, j) => sum + c * b[j], 0);
  const given = inverted(Float64Array.of(covariance[4], withTarget[1], withTarget[1], targetVariance), 2);
  const away = [observed - mean[1], target - targetMean];
  const rows = holes.map((j) => [covariance[3 * j + 1], withTarget[j]]);
  const weights = rows.map(([a, c]) => [a * given[0] + c * given[2], a * given[1] + c * given[3]]);
  return {
    mean: holes.map((j, i) => mean[j] + weights[i][0] * away[0] + weights[i][1] * away[1]),
    covariance: holes.map((j, i) =>
      holes.map((k, l) => covariance[3 * j + k] - weights[i][0] * rows[l][0] - weights[i][1] * rows[l][1]),
    ),
  };
}

describe("missing entries of a row", () => {
  const entries = missingEntries({ mean, precision: inverted(covariance, 3) }, regression);

  it("have the law that the joint covariance of predictors and target implies", () => {
    // Five standard errors on five numbers: a false alarm in 300,000.
    const rng = Rng.seeded(11);
    const draws = 40_000;
    const exact = exactConditional();
    const x = Float64Array.of(0, observed, 0);
    const sum = [0, 0];
    const products = [0, 0, 0];
    for (let d = 0; d < draws; d++) {
      entries.draw(rng, x, target, holes, 0, 2);
      const away = holes.map((j, i) => x[j] - exact.mean[i]);
      sum[0] += away[0] / draws;
      sum[1] += away[1] / draws;
      products[0] += away[0] ** 2 / draws;
      products[1] += (away[0] * away[1]) / draws;
      products[2] += away[1] ** 2 / draws;
    }
    const [[a, c], [, b]] = exact.covariance;
    expect(x[1]).toBe(observed);
    expect(Math.abs(sum[0])).toBeLessThan(5 * Math.sqrt(a / draws));
    expect(Math.abs(sum[1])).toBeLessThan(5 * Math.sqrt(b / draws));
    expect(Math.abs(products[0] - a)).toBeLessThan(5 * a * Math.sqrt(2 / draws));
    expect(Math.abs(products[1] - c)).toBeLessThan(5 * Math.sqrt((a * b + c * c) / draws));
    expect(Math.abs(products[2] - b)).toBeLessThan(5 * b * Math.sqrt(2 / draws));
  });

  it("do not depend on what stood in the holes before", () => {
    const one = Float64Array.of(0, observed, 0);
    const other = Float64Array.of(40, observed, -7);
    entries.draw(Rng.seeded(3), one, target, holes, 0, 2);
    entries.draw(Rng.seeded(3), other, target, holes, 0, 2);
    for (const j of holes) expect(other[j]).toBeCloseTo(one[j], 12);
  });
});
