import { expect, it } from "vitest";
import { mean } from "../../src/diagnostics/chains.js";
import { mcseMean } from "../../src/diagnostics/mcse.js";
import { Rng } from "../../src/math/rng.js";
import { logGamma } from "../../src/math/special.js";
import { drawShrinkage, logEvidence, type Shrinkage } from "../../src/models/shrinkage.js";

const squares = Float64Array.of(9, 5, 5, 6);
const rows = 7;

/** log ∫ exp(f(u)) du on an even grid. */
function logIntegral(from: number, to: number, steps: number, f: (u: number) => number): number {
  const step = (to - from) / steps;
  const values = Array.from({ length: steps }, (_, i) => f(from + (i + 0.5) * step));
  const most = Math.max(...values);
  return most + Math.log(values.reduce((sum, value) => sum + Math.exp(value - most), 0) * step);
}

/** Density of u = log r where r is inverse gamma. */
const logInverseGamma = (u: number, shape: number, scale: number): number =>
  shape * Math.log(scale) - logGamma(shape) - shape * u - scale * Math.exp(-u);

it("weighs how far to shrink as integrating the covariance out on a grid does", () => {
  // The first column by its variance; the second by its coefficient of the first and its residual variance.
  const byHand = (nu: number, [first, second]: Float64Array): number => {
    const one = logIntegral(
      -8,
      12,
      400,
      (u) => logInverseGamma(u, (nu - 1) / 2, first / 2) - (rows / 2) * u - 0.5 * squares[0] * Math.exp(-u),
    );
    const two = logIntegral(-8, 12, 400, (u) => {
      const r = Math.exp(u);
      const inner = logIntegral(-6, 6, 400, (b) => {
        const left = squares[3] - 2 * b * squares[1] + b * b * squares[0];
        return 0.5 * Math.log(first / r) - (0.5 * first * b * b) / r - (0.5 * left) / r;
      });
      return logInverseGamma(u, nu / 2, second / 2) - (rows / 2) * u + inner;
    });
    return one + two;
  };
  const weak = { freedom: 3, scale: Float64Array.of(2, 1) };
  const strong = { freedom: 11, scale: Float64Array.of(5, 9) };
  const gain = logEvidence({ rows, squares }, strong)! - logEvidence({ rows, squares }, weak)!;
  expect(gain).toBeCloseTo(byHand(11, strong.scale) - byHand(3, weak.scale), 6);
});

it("draws freedom and scales from their posterior, as a grid has it", () => {
  // Means of log(ν − 1), log φ₁ and log φ₂ to five standard errors: a false alarm in 10⁶.
  const variance = [1, 1];
  const steps = 36;
  const ends = [
    [0, Math.log(100 * rows)],
    [Math.log(1e-3), Math.log(1e-3) + 18],
    [Math.log(1e-3), Math.log(1e-3) + 18],
  ];
  const at = (d: number, i: number): number => ends[d][0] + ((i + 0.5) / steps) * (ends[d][1] - ends[d][0]);
  const sums = [0, 0, 0];
  let total = 0;
  for (let a = 0; a < steps; a++) {
    for (let b = 0; b < steps; b++) {
      for (let c = 0; c < steps; c++) {
        const point = [at(0, a), at(1, b), at(2, c)];
        const scale = Float64Array.of(Math.exp(point[1]), Math.exp(point[2]));
        const weight = Math.exp(
          logEvidence({ rows, squares }, { freedom: Math.exp(point[0]) + 1, scale })! + 20,
        );
        total += weight;
        point.forEach((value, d) => {
          sums[d] += weight * value;
        });
      }
    }
  }
  const rng = Rng.seeded(3);
  const draws = 15_000;
  const seen = ends.map(() => new Float64Array(draws));
  let shrinkage: Shrinkage = { freedom: 4, scale: Float64Array.of(1, 1) };
  for (let t = 0; t < draws; t++) {
    shrinkage = drawShrinkage(rng, { rows, squares }, shrinkage, variance);
    seen[0][t] = Math.log(shrinkage.freedom - 1);
    shrinkage.scale.forEach((value, j) => {
      seen[j + 1][t] = Math.log(value);
    });
  }
  seen.forEach((values, d) => {
    expect(Math.abs(mean(values) - sums[d] / total)).toBeLessThan(5 * mcseMean([values])!);
  });
});

it("shrinks columns that are independent, and hardly any that are not", () => {
  const rng = Rng.seeded(4);
  const settled = (covariance: number): number => {
    const p = 6;
    const scatter = Float64Array.from({ length: p * p }, (_, e) =>
      e % (p + 1) === 0 ? 200 : 200 * covariance,
    );
    let shrinkage: Shrinkage = { freedom: p + 2, scale: new Float64Array(p).fill(1) };
    const freedom = Float64Array.from({ length: 400 }, () => {
      shrinkage = drawShrinkage(rng, { rows: 200, squares: scatter }, shrinkage, new Float64Array(p).fill(1));
      return Math.log(shrinkage.freedom);
    });
    return Math.exp(mean(freedom.subarray(100)));
  };
  expect(settled(0)).toBeGreaterThan(400);
  expect(settled(0.9)).toBeLessThan(100);
});
