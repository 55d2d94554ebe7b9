import { expect, it } from "vitest";
import { logGamma } from "../../../src/math/special.js";
import { Evidence } from "../../../src/selection/posterior/evidence.js";
import { type Slab, slabAt, slabOf } from "../../../src/selection/posterior/slab.js";
import { fitRegression, inclusion, variable } from "../fit-arrays.js";

const columns = [
  [1.2, -0.4, 0.3, Number.NaN, -1.1, 0.8, -0.2, 1.7, -0.9, 0.1],
  [0.7, -0.9, Number.NaN, 0.4, -0.6, 1.1, 0.2, 0.9, -1.4, -0.3],
].map((values) => Float64Array.from(values));
const y = Float64Array.of(1.9, -1.2, 0.4, 2.2, -0.3, 0.2, 0.4, 1.0, -1.6, 0.9);
const rows = y.length;

/** Observed mean and standard deviation, which fix the scale of the coefficients. */
function observed(values: Float64Array) {
  const there = values.filter((value) => !Number.isNaN(value));
  const mean = there.reduce((a, b) => a + b) / there.length;
  return {
    mean,
    sd: Math.sqrt(there.reduce((sum, x) => sum + (x - mean) ** 2, 0) / (there.length - 1)),
  };
}

/**
 * p(X) of two columns with scatter S, up to a factor: Σ ~ inverse Wishart(ν, diag φ), log(ν − 1) even on
 * [0, log 100n] and log φ even. Columns may be in any unit then, so it is (s₁₁s₂₂)^{−n/2}·h(r²), r the correlation,
 * and h comes from a table. (The bound on φ, a thousandth of a variance, cuts off next to nothing.)
 */
function predictorLaw(): (scatter: ArrayLike<number>) => number {
  const n = rows - 1;
  const even = (from: number, to: number, steps: number): number[] =>
    Array.from({ length: steps }, (_, i) => from + ((i + 0.5) / steps) * (to - from));
  const scales = even(-9, 9, 36);
  const points = even(0, Math.log(100 * n), 16).flatMap((u) => {
    const nu = Math.exp(u) + 1;
    const gammas = [0, 1].map((k) => logGamma((nu + n - k) / 2) - logGamma((nu - k) / 2));
    return scales.flatMap((a) =>
      scales.map((b) => ({
        ...{ nu, first: Math.exp(a), second: Math.exp(b) },
        constant: gammas[0] + gammas[1] + (nu / 2) * (a + b),
      })),
    );
  });
  const steps = 100;
  const table = Array.from({ length: steps + 1 }, (_, i) =>
    points.reduce((sum, { nu, first, second, constant }) => {
      const determinant = (1 + first) * (1 + second) - i / steps;
      return sum + Math.exp(constant - ((nu + n) / 2) * Math.log(determinant));
    }, 0),
  );
  return (scatter) => {
    const product = scatter[0] * scatter[3];
    const at = (steps * scatter[1] ** 2) / product;
    const below = Math.min(steps - 1, Math.floor(at));
    const h = Math.log(table[below]) * (below + 1 - at) + Math.log(table[below + 1]) * (at - below);
    return Math.exp(h - (n / 2) * Math.log(product));
  };
}

/**
 * The holes a and b integrated out on a grid: p(S | …) ∝ ∫∫ p(X) p(y | X, S) da db, where p(y | X, S) is the closed
 * form of a complete regression and p(X) has μ and Σ integrated out by hand, ν and φ on a grid of their own.
 */
function exact(slab: Slab) {
  const standard = columns.map((values) => {
    const { mean, sd } = observed(values);
    return Array.from(values, (value) => (value - mean) / sd);
  });
  const centredTarget = Array.from(y, (value) => value - y.reduce((a, b) => a + b) / rows);
  const product = (a: readonly number[], b: readonly number[]) => a.reduce((sum, x, i) => sum + x * b[i], 0);
  const centred = (a: readonly number[]) => {
    const mean = a.reduce((sum, x) => sum + x, 0) / rows;
    return a.map((x) => x - mean);
  };
  const predictors = predictorLaw();
  const models = [[], [0], [1], [0, 1]];
  const weight = models.map(() => 0);
  let effect = 0;
  const grid = Array.from({ length: 81 }, (_, i) => (i - 40) / 5);
  for (const a of grid) {
    for (const b of grid) {
      const u = centred(standard[0].map((x) => (Number.isNaN(x) ? a : x)));
      const v = centred(standard[1].map((x) => (Number.isNaN(x) ? b : x)));
      const gram = Float64Array.of(product(u, u), product(u, v), product(u, v), product(v, v));
      const logPredictors = Math.log(predictors(gram));
      const cross = Float64Array.of(product(u, centredTarget), product(v, centredTarget));
      const targetSquares = product(centredTarget, centredTarget);
      const statistics = { size: 2, gram, cross, targetSquares, freedom: rows - 1 };
      slab.logPrior.forEach((logPrior, s) => {
        const evidence = new Evidence(statistics, slabAt(slab, s), undefined);
        models.forEach((members, m) => {
          evidence.rebuild(members);
          const w = Math.exp(logPredictors + logPrior + evidence.logMarginal());
          weight[m] += w;
          if (members[0] === 0) effect += w * evidence.posterior().mean[0];
        });
      });
    }
  }
  const total = weight.reduce((a, b) => a + b);
  return {
    inclusion: [(weight[1] + weight[3]) / total, (weight[2] + weight[3]) / total],
    effect: effect / total / observed(columns[0]).sd,
  };
}

it.each([
  { title: "given", options: { slabVariance: 1 } },
  { title: "learned", options: {} },
])("gives the posterior over models that integrating the holes out gives, scale $title", async (one) => {
  const options = { priorInclusion: 0.5, iterations: 4200, burnIn: 200, seed: 4, ...one.options };
  const result = await fitRegression({ columns, y }, options);
  const truth = exact(slabOf(options, { rows, unit: 1 }));
  // Open questions, so that the comparison means something.
  for (const p of truth.inclusion) expect(Math.abs(p - 0.5)).toBeLessThan(0.45);
  // Four Monte Carlo errors on two probabilities: a false alarm in 8,000.
  inclusion(result).forEach((pip, j) => {
    const { pipError } = variable(result, `x${j}`);
    expect(pipError).toBeGreaterThan(0);
    expect(pipError).toBeLessThan(0.006);
    expect(Math.abs(pip - truth.inclusion[j])).toBeLessThan(4 * pipError);
  });
  // Some 30,000 dependent draws of an effect with sd 0.5 or less.
  expect(Math.abs(variable(result, "x0").mean - truth.effect)).toBeLessThan(0.02);
});
