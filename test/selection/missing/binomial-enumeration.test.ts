import { expect, it } from "vitest";
import { expit } from "../../../src/math/special.js";
import { fitRegression, variable } from "../fit-arrays.js";

const x = [1.2, -0.4, 0.3, Number.NaN, -1.1, 0.8, -0.2, 1.7, -0.9, Number.NaN, 0.5, -1.6];
const y = Float64Array.of(1, 0, 1, 1, 0, 1, 1, 1, 0, 0, 0, 0);
const rows = y.length;

/**
 * The two holes a and b and both coefficients integrated out on grids, in standard units: p(S | …) is proportional to
 * ∫ p(x) Π p(y_i | α + βx_i) with p(x) ∝ (Σ(x − x̄)²)^(−(N − 1)/2), flat in α, β = 0 or β ~ N(0, 1).
 */
function exact() {
  const seen = x.filter((value) => !Number.isNaN(value));
  const mean = seen.reduce((a, b) => a + b) / seen.length;
  const sd = Math.sqrt(seen.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (seen.length - 1));
  const standard = x.map((value) => (value - mean) / sd);
  const there = standard.flatMap((value, i) => (Number.isNaN(value) ? [] : [{ value, y: y[i] }]));
  const [first, second] = standard.flatMap((value, i) => (Number.isNaN(value) ? [y[i]] : []));
  const [sum, squares] = there.reduce(([s, q], { value }) => [s + value, q + value * value], [0, 0]);
  const grid = (half: number, step: number) =>
    Array.from({ length: 2 * Math.round(half / step) + 1 }, (_, i) => i * step - half);
  const holes = grid(7, 0.2);
  const density = holes.map((a) =>
    holes.map((b) => {
      const around = squares + a * a + b * b - (sum + a + b) ** 2 / rows;
      return around ** (-(rows - 1) / 2);
    }),
  );
  const likelihood = (target: number, eta: number) => (target === 1 ? expit(eta) : expit(-eta));
  const given = (alpha: number, beta: number) => {
    const known = there.reduce((product, row) => product * likelihood(row.y, alpha + beta * row.value), 1);
    const [p, q] = [first, second].map((target) => holes.map((a) => likelihood(target, alpha + beta * a)));
    return known * p.reduce((total, a, i) => total + a * q.reduce((s, b, k) => s + b * density[i][k], 0), 0);
  };
  const step = 0.2;
  const [alphas, betas] = [grid(8, step), grid(5, step)];
  const out = alphas.reduce((total, alpha) => total + given(alpha, 0), 0);
  let [inside, effect] = [0, 0];
  for (const beta of betas) {
    const prior = (step * Math.exp(-0.5 * beta * beta)) / Math.sqrt(2 * Math.PI);
    const weight = alphas.reduce((total, alpha) => total + prior * given(alpha, beta), 0);
    inside += weight;
    effect += weight * beta;
  }
  return { pip: inside / (inside + out), effect: effect / (inside + out) / sd };
}

it("gives the inclusion probability and effect that integrating everything out numerically gives: binomial", async () => {
  const truth = exact();
  const options = {
    family: "binomial",
    priorInclusion: 0.5,
    slabVariance: 1,
    iterations: 6000,
    burnIn: 500,
    seed: 9,
  } as const;
  const result = await fitRegression({ columns: [Float64Array.from(x)], y }, options);
  const { pip, pipError, mean, sd } = variable(result, "x0");
  expect(Math.abs(truth.pip - 0.5)).toBeLessThan(0.45);
  expect(pipError).toBeLessThan(0.01);
  // Four Monte Carlo errors: a false alarm in 16,000.
  expect(Math.abs(pip - truth.pip)).toBeLessThan(4 * pipError);
  // Of 11,000 sweeps some 2,000 are worth an independent draw.
  expect(Math.abs(mean - truth.effect)).toBeLessThan((4 * sd) / Math.sqrt(2000));
});
