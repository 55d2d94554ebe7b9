import { expect, it } from "vitest";
import { normalCdf } from "../../src/math/distributions.js";
import { inverseGaussian } from "../../src/math/inverse-gaussian.js";
import { Rng } from "../../src/math/rng.js";
import { kolmogorovP } from "../goodness.js";

// False-alarm rate for a fresh seed: 1e-4 for each p-value. Seeds are fixed.
const ALPHA = 1e-4;

const draws = (mean: number, shape: number): Float64Array => {
  const rng = Rng.seeded(4);
  return Float64Array.from({ length: 50_000 }, () => inverseGaussian(rng, mean, shape));
};

for (const [mean, shape] of [
  [1, 1],
  [0.3, 5],
  [20, 2],
]) {
  it(`inverse Gaussian variates with mean ${mean} and shape ${shape} follow their distribution function`, () => {
    const cdf = (x: number): number => {
      const root = Math.sqrt(shape / x);
      return (
        normalCdf(root * (x / mean - 1)) + Math.exp((2 * shape) / mean) * normalCdf(-root * (x / mean + 1))
      );
    };
    expect(kolmogorovP(draws(mean, shape), cdf)).toBeGreaterThan(ALPHA);
  });
}

it("an infinite or enormous mean gives the Lévy distribution", () => {
  const levy = (x: number): number => 2 * normalCdf(-Math.sqrt(3 / x));
  expect(kolmogorovP(draws(Number.POSITIVE_INFINITY, 3), levy)).toBeGreaterThan(ALPHA);
  expect(kolmogorovP(draws(1e300, 3), levy)).toBeGreaterThan(ALPHA);
});
