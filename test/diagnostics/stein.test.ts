import { describe, expect, test } from "vitest";
import { steinDiscrepancy, steinPath } from "../../src/diagnostics/stein.js";
import { normal } from "../../src/math/normal.js";
import { Rng } from "../../src/math/rng.js";

/** From R: besselK(0.125, 0). */
const BESSEL_K0 = 2.20786908674497;

type Vector = readonly number[];
const kernel = (a: Vector, b: Vector): number =>
  1 / Math.sqrt(1 + a.reduce((sum, x, j) => sum + (x - b[j]) ** 2, 0));
const moved = (a: Vector, j: number, h: number): Vector => a.map((x, i) => (i === j ? x + h : x));

/** The definition, with every derivative of the kernel by central differences. */
function naive(draws: readonly Vector[], gradients: readonly Vector[]): number {
  const h = 1e-4;
  let total = 0;
  for (let j = 0; j < draws[0].length; j++) {
    let sum = 0;
    draws.forEach((a, t) => {
      draws.forEach((b, u) => {
        const [g, f] = [gradients[t][j], gradients[u][j]];
        const inFirst = (kernel(moved(a, j, h), b) - kernel(moved(a, j, -h), b)) / (2 * h);
        const inSecond = (kernel(a, moved(b, j, h)) - kernel(a, moved(b, j, -h))) / (2 * h);
        const inBoth =
          (kernel(moved(a, j, h), moved(b, j, h)) -
            kernel(moved(a, j, h), moved(b, j, -h)) -
            kernel(moved(a, j, -h), moved(b, j, h)) +
            kernel(moved(a, j, -h), moved(b, j, -h))) /
          (4 * h * h);
        sum += g * f * kernel(a, b) + g * inSecond + f * inFirst + inBoth;
      });
    });
    total += Math.sqrt(sum) / draws.length;
  }
  return total;
}

const arrays = (rows: readonly Vector[]): Float64Array[] => rows.map((row) => Float64Array.from(row));

function gaussian(seed: number, n: number, shift = 0): { draws: Float64Array[]; gradients: Float64Array[] } {
  const rng = Rng.seeded(seed);
  const draws = Array.from({ length: n }, () => Float64Array.of(shift + normal(rng)));
  return { draws, gradients: draws.map((x) => x.map((v) => -v)) };
}

/** E f(d) for d ~ N(0, 2), the difference of two standard normals, by the trapezoidal rule. */
function overDifferences(f: (d: number) => number): number {
  const step = 1e-3;
  let sum = 0;
  for (let d = -14; d <= 14; d += step) sum += f(d) * Math.exp((-d * d) / 4);
  return (sum * step) / Math.sqrt(4 * Math.PI);
}

function meanAndError(values: readonly number[]): { mean: number; error: number } {
  const mean = values.reduce((sum, x) => sum + x, 0) / values.length;
  const spread = values.reduce((sum, x) => sum + (x - mean) ** 2, 0) / (values.length - 1);
  return { mean, error: Math.sqrt(spread / values.length) };
}

/** The mean of k over pairs of different draws: unbiased for the population's squared discrepancy. */
function squaredWithoutDiagonal({ draws, gradients }: ReturnType<typeof gaussian>): number {
  const n = draws.length;
  const all = steinDiscrepancy(draws, gradients).total ** 2 * n * n;
  const diagonal = gradients.reduce((sum, g) => sum + g[0] * g[0] + 1, 0);
  return (all - diagonal) / (n * (n - 1));
}

describe("against the definition", () => {
  // log π = −x⁴/4 + xy − y² − z²(1 + x²)/2: neither Gaussian nor a product.
  const rng = Rng.seeded(1);
  const draws = Array.from({ length: 40 }, () => [normal(rng), normal(rng), normal(rng)]);
  const gradients = draws.map(([x, y, z]) => [-(x ** 3) + y - z * z * x, x - 2 * y, -z * (1 + x * x)]);

  test("it is the double sum with a numerically differentiated kernel", () => {
    const ours = steinDiscrepancy(arrays(draws), arrays(gradients)).total;
    expect(Math.abs(ours / naive(draws, gradients) - 1)).toBeLessThan(1e-6);
  });

  test("on chosen coordinates it is that of the draws reduced to them", () => {
    const keep = (rows: readonly (readonly number[])[]) => rows.map((row) => [row[2], row[0]]);
    const ours = steinDiscrepancy(arrays(draws), arrays(gradients), { coordinates: [2, 0] });
    expect(Math.abs(ours.total / naive(keep(draws), keep(gradients)) - 1)).toBeLessThan(1e-6);
    expect(ours.total).toBeCloseTo(ours.perCoordinate[0] + ours.perCoordinate[1], 14);
  });

  test("it is the double sum across the tiles of a long path", () => {
    const { draws: long, gradients: slopes } = gaussian(3, 600);
    let sum = 0;
    for (let t = 0; t < 600; t++) {
      for (let u = 0; u < 600; u++) {
        const [x, y] = [long[t][0], long[u][0]];
        const s = 1 + (x - y) ** 2;
        sum += x * y * s ** -0.5 - (x - y) ** 2 * s ** -1.5 + s ** -1.5 - 3 * (x - y) ** 2 * s ** -2.5;
      }
    }
    expect(Math.abs(steinDiscrepancy(long, slopes).total / (Math.sqrt(sum) / 600) - 1)).toBeLessThan(1e-9);
  });

  test("one sweep gives the prefixes of a path as separate computations do", () => {
    const prefixes = [1, 2, 17, 40];
    const path = steinPath(arrays(draws), arrays(gradients), prefixes);
    path.forEach(({ draws: n, total }, i) => {
      expect(n).toBe(prefixes[i]);
      const alone = steinDiscrepancy(arrays(draws.slice(0, n)), arrays(gradients.slice(0, n)));
      expect(total).toBeCloseTo(alone.total, 12);
    });
    // One draw: k_j(θ, θ) = g_j² + 1.
    expect(path[0].total).toBeCloseTo(
      gradients[0].reduce((sum, g) => sum + Math.hypot(g, 1), 0),
      12,
    );
  });
});

describe("on a standard normal target", () => {
  // Means over 60 samples against exact values at four standard errors, by Student's t: false alarms 0.02% each.
  const samples = (measure: (seed: number) => number) =>
    meanAndError(Array.from({ length: 60 }, (_, i) => measure(1000 + i)));

  test.each([25, 100, 400])(
    "its square has mean 2/T over samples of T = %d from the target, so it falls",
    (n) => {
      const { mean, error } = samples((seed) => {
        const { draws, gradients } = gaussian(seed, n);
        return steinDiscrepancy(draws, gradients).total ** 2;
      });
      expect(Math.abs(mean - 2 / n)).toBeLessThan(4 * error);
      expect(error).toBeLessThan(0.3 / n);
    },
  );

  test("its population value is 0 for draws from the target", () => {
    const { mean, error } = samples((seed) => squaredWithoutDiagonal(gaussian(seed, 300)));
    expect(Math.abs(mean)).toBeLessThan(4 * error);
    expect(error).toBeLessThan(1e-3);
  });

  test.each([0.5, 1])(
    "its population square is μ²·e^{1/8}K₀(1/8)/√(4π) for draws shifted by μ = %d",
    (shift) => {
      const expected = shift ** 2 * overDifferences((d) => 1 / Math.sqrt(1 + d * d));
      expect(expected).toBeCloseTo((shift ** 2 * Math.exp(1 / 8) * BESSEL_K0) / Math.sqrt(4 * Math.PI), 8);
      const { mean, error } = samples((seed) => squaredWithoutDiagonal(gaussian(seed, 300, shift)));
      expect(Math.abs(mean - expected)).toBeLessThan(4 * error);
      expect(error).toBeLessThan(0.05 * expected);
    },
  );

  test("the wrong sign of the gradient is told from the right one: 2 E d²(1 + d²)^{−3/2} instead of 0", () => {
    const expected = 2 * overDifferences((d) => (d * d) / (1 + d * d) ** 1.5);
    const { mean, error } = samples((seed) => {
      const { draws, gradients } = gaussian(seed, 300);
      return squaredWithoutDiagonal({ draws, gradients: gradients.map((g) => g.map((v) => -v)) });
    });
    expect(expected).toBeGreaterThan(0.3);
    expect(Math.abs(mean - expected)).toBeLessThan(4 * error);
    expect(error).toBeLessThan(0.05 * expected);
  });
});

test("missing gradients, prefixes out of order and draws that are not finite are refused", () => {
  const { draws, gradients } = gaussian(1, 10);
  expect(() => steinDiscrepancy(draws, gradients.slice(1))).toThrow(/its gradient/);
  expect(() => steinPath(draws, gradients, [5, 5])).toThrow(/increase/);
  expect(() => steinPath(draws, gradients, [11])).toThrow(/increase/);
  expect(() => steinDiscrepancy([], [])).toThrow(/increase/);
  expect(() => steinDiscrepancy([Float64Array.of(NaN)], [Float64Array.of(0)])).toThrow(
    /Draw 0 .* coordinate 0/,
  );
});
