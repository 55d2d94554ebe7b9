import { describe, expect, it } from "vitest";
import { polyaGamma } from "../../src/math/polya-gamma.js";
import { Rng } from "../../src/math/rng.js";

const DRAWS = 50_000;

describe("Pólya-Gamma variates", () => {
  for (const c of [0, 0.3, 2, -4, 12]) {
    it(`have the moments of PG(1, ${c}), and its Laplace transform`, () => {
      const rng = Rng.seeded(7);
      const draws = Float64Array.from({ length: DRAWS }, () => polyaGamma(rng, c));
      const a = Math.abs(c);
      const mean = a === 0 ? 0.25 : Math.tanh(a / 2) / (2 * a);
      const variance = a === 0 ? 1 / 24 : (Math.sinh(a) - a) / (4 * a ** 3 * Math.cosh(a / 2) ** 2);
      // E exp(−tω) = cosh(c/2)/cosh(√((c²/2 + t)/2)), at t = 3.
      const transform = Math.cosh(a / 2) / Math.cosh(Math.sqrt((a * a) / 4 + 1.5));
      // Five standard errors on three numbers in five cases: a false alarm in 100,000.
      const near = (values: Float64Array, expected: number) => {
        const average = values.reduce((sum, value) => sum + value, 0) / DRAWS;
        const spread = values.reduce((sum, value) => sum + (value - average) ** 2, 0) / DRAWS;
        expect(Math.abs(average - expected)).toBeLessThan(5 * Math.sqrt(spread / DRAWS));
      };
      near(draws, mean);
      near(
        draws.map((value) => (value - mean) ** 2),
        variance,
      );
      near(
        draws.map((value) => Math.exp(-3 * value)),
        transform,
      );
    });
  }
});
