import { expect, it } from "vitest";
import { cholesky, inverse } from "../../src/math/linear.js";
import { Rng } from "../../src/math/rng.js";
import { drawJointGaussian } from "../../src/models/joint-gaussian.js";

it("draws the mean and the precision of the predictors from their normal inverse-Wishart posterior", () => {
  // Six standard errors on 3 + 6 + 6 numbers, errors from the draws themselves: a false alarm in 10⁷.
  const rows = 12;
  const mean = [1, -2, 0.5];
  const squares = Float64Array.of(20, 6, -3, 6, 9, 2, -3, 2, 7);
  const scale = Float64Array.of(2, 1, 0.5);
  const whole = squares.slice();
  scale.forEach((value, j) => {
    whole[4 * j] += value;
  });
  const factor = whole.slice();
  cholesky(factor, 3);
  const precisionOf = new Float64Array(9);
  inverse(precisionOf, factor, 3);
  const freedom = rows - 1 + 5;

  const rng = Rng.seeded(5);
  const draws = 20_000;
  const seen = Array.from({ length: 21 }, () => ({ sum: 0, squares: 0 }));
  for (let d = 0; d < draws; d++) {
    const { law } = drawJointGaussian(rng, { rows, mean, squares }, { freedom: 5, scale });
    const { mean: mu, precision } = law;
    const away = Array.from(mu, (value, j) => value - mean[j]);
    const outer = away.flatMap((a) => away.map((b) => rows * a * b));
    [...away, ...precision, ...outer].forEach((value, i) => {
      seen[i].sum += value;
      seen[i].squares += value * value;
    });
  }
  // E Σ⁻¹ = freedom·whole⁻¹, E[N(μ − x̄)(μ − x̄)'] = E Σ = whole/(freedom − p − 1).
  const expected = [
    ...[0, 0, 0],
    ...precisionOf.map((value) => freedom * value),
    ...whole.map((value) => value / (freedom - 4)),
  ];
  seen.forEach(({ sum, squares: total }, i) => {
    const average = sum / draws;
    const error = Math.sqrt((total / draws - average ** 2) / draws);
    expect(Math.abs(average - expected[i])).toBeLessThan(6 * error);
  });
});
