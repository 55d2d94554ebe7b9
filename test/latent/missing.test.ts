import { describe, expect, it } from "vitest";
import { familyNamed } from "../../src/families/register.js";
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

describe("missing numbers with a response that is not Gaussian", () => {
  const grid = Array.from({ length: 161 }, (_, i) => (i - 80) / 10);
  const precision = inverted(covariance, 3);

  for (const [family, y] of [
    ["binomial", 1],
    ["poisson", 4],
  ] as const) {
    it(`have the law that integrating on a grid gives: ${family}`, () => {
      const response = familyNamed(family).response(1);
      const moments = [0, 0, 0, 0, 0];
      let total = 0;
      for (const a of grid) {
        for (const c of grid) {
          const x = [a, observed, c];
          const z = x.map((value, j) => value - mean[j]);
          let log = 0;
          for (let j = 0; j < 3; j++)
            for (let k = 0; k < 3; k++) log -= 0.5 * z[j] * precision[3 * j + k] * z[k];
          const eta = x.reduce((sum, value, j) => sum + regression.coefficients[j] * value, 0.4);
          const weight = Math.exp(log + response.logDensity(y, eta));
          total += weight;
          [a, c, a * a, a * c, c * c].forEach((value, m) => {
            moments[m] += weight * value;
          });
        }
      }
      const exact = moments.map((value) => value / total);
      const entries = missingEntries({ mean, precision }, { ...regression, family });
      const rng = Rng.seeded(12);
      const draws = 40_000;
      const seen = exact.map(() => ({ sum: 0, squares: 0 }));
      const x = Float64Array.of(0, observed, 0);
      for (let d = 0; d < draws; d++) {
        entries.draw(rng, x, y, holes, 0, 2);
        [x[0], x[2], x[0] ** 2, x[0] * x[2], x[2] ** 2].forEach((value, m) => {
          seen[m].sum += value;
          seen[m].squares += value * value;
        });
      }
      // Five standard errors, from the draws, on five numbers: a false alarm in 300,000.
      seen.forEach(({ sum, squares }, m) => {
        const average = sum / draws;
        const error = Math.sqrt((squares / draws - average ** 2) / draws);
        expect(Math.abs(average - exact[m])).toBeLessThan(5 * error);
      });
    });
  }
});

describe("missing levels", () => {
  /** Columns 1 and 2 are a factor of three levels; column 0 is a number, missing too. */
  const precision = inverted(covariance, 3);
  const factor = {
    columns: [1, 2],
    low: [-2.4, 0],
    high: [-1.6, 0.8],
  };
  /** Probabilities of the levels, in the place of what the Gaussian says of their columns. */
  const probability = [0.5, 0.3, 0.2];
  const around = inverted(
    Float64Array.from([4, 5, 7, 8], (e) => covariance[e]),
    2,
  );
  const law = {
    columns: [1, 2],
    precision: around,
    mean: mean.slice(1),
    shares: Float64Array.of(-2.4 + 0.8 * 0.3, 0.8 * 0.2),
    least: 1e-6,
  };
  const bonus = (level: number): number => {
    const [b, c] = levels[level].map((value, j) => value - mean[j + 1]);
    return (
      Math.log(probability[level]) + 0.5 * (b * b * around[0] + 2 * b * c * around[1] + c * c * around[3])
    );
  };
  const levels = [
    [-2.4, 0],
    [-1.6, 0],
    [-2.4, 0.8],
  ];

  for (const [family, y] of [
    ["gaussian", 0.8],
    ["binomial", 0],
  ] as const) {
    it(`and numbers are drawn with the probabilities of their joint law: ${family}`, () => {
      const response = familyNamed(family).response(regression.noiseVariance);
      const grid = Array.from({ length: 2001 }, (_, i) => (i - 1000) / 50);
      const weights = levels.map(([b, c], level) => {
        const logs = grid.map((a) => {
          const z = [a, b, c].map((value, j) => value - mean[j]);
          let log = bonus(level);
          for (let j = 0; j < 3; j++)
            for (let k = 0; k < 3; k++) log -= 0.5 * z[j] * precision[3 * j + k] * z[k];
          return Math.exp(log + response.logDensity(y, 0.4 + 1.5 * a - 0.7 * c));
        });
        return { total: logs.reduce((p, q) => p + q), first: logs.reduce((p, w, i) => p + w * grid[i], 0) };
      });
      const total = weights.reduce((sum, weight) => sum + weight.total, 0);
      const share = weights.map((weight) => weight.total / total);
      for (const p of share) expect(p).toBeGreaterThan(0.02);
      const entries = missingEntries(
        { mean, precision },
        { ...regression, family },
        { factors: [factor], law },
      );
      const rng = Rng.seeded(2);
      const counts = [0, 0, 0];
      let number = 0;
      const draws = 60_000;
      const x = Float64Array.of(0, 0.3, 0.3);
      for (let d = 0; d < draws; d++) {
        entries.draw(rng, x, y, [0, 1, 2], 0, 3);
        counts[levels.findIndex(([b, c]) => x[1] === b && x[2] === c)] += 1;
        number += x[0] / draws;
      }
      expect(counts[0] + counts[1] + counts[2]).toBe(draws);
      // The draws depend on each other through the number: six errors of 60,000/5 independent ones on four numbers.
      const error = (variance: number) => 6 * Math.sqrt((5 * variance) / draws);
      share.forEach((p, level) => {
        expect(Math.abs(counts[level] / draws - p)).toBeLessThan(error(p * (1 - p)));
      });
      const expected = weights.reduce((sum, weight) => sum + weight.first, 0) / total;
      expect(Math.abs(number - expected)).toBeLessThan(error(2));
    });
  }
});
