import { describe, expect, it } from "vitest";
import { type FamilyName, familyNamed } from "../../src/families/register.js";
import { Rng } from "../../src/math/rng.js";

const DRAWS = 20_000;

/** Mean, variance and kurtosis of η given y on a grid around the place where the density is. */
function quadrature(name: FamilyName, y: number, m: number, v: number, centre: number, width: number) {
  const response = familyNamed(name).response(0.7);
  const grid = Array.from({ length: 4001 }, (_, i) => centre + (width * (i - 2000)) / 2000);
  const logs = grid.map((eta) => (-0.5 * (eta - m) ** 2) / v + response.logDensity(y, eta));
  const top = Math.max(...logs);
  const weights = logs.map((log) => Math.exp(log - top));
  const total = weights.reduce((a, b) => a + b);
  const mean = grid.reduce((sum, eta, i) => sum + eta * weights[i], 0) / total;
  const moment = (k: number) => grid.reduce((sum, eta, i) => sum + (eta - mean) ** k * weights[i], 0) / total;
  return { mean, variance: moment(2), kurtosis: moment(4) / moment(2) ** 2 };
}

describe("a linear predictor given its response", () => {
  const cases: [FamilyName, number, number, number, number, number][] = [
    ["gaussian", 2, 0.5, 1.5, 0.5, 10],
    ["binomial", 1, 0, 4, 0, 20],
    ["binomial", 0, 6, 2, 3, 12],
    ["binomial", 1, -30, 9, -26, 20],
    ["poisson", 0, 1, 1, 0, 8],
    ["poisson", 7, -2, 3, 1, 6],
    ["poisson", 1_000_000, 10, 1, Math.log(1_000_000), 0.02],
  ];
  for (const [name, y, m, v, centre, width] of cases) {
    it(`has the law of numerical integration: ${name} response ${y}, N(${m}, ${v}) before it`, () => {
      const exact = quadrature(name, y, m, v, centre, width);
      const response = familyNamed(name).response(0.7);
      const rng = Rng.seeded(8);
      let [sum, squares] = [0, 0];
      for (let d = 0; d < DRAWS; d++) {
        const away = response.draw(rng, y, m, v) - exact.mean;
        sum += away / DRAWS;
        squares += away ** 2 / DRAWS;
      }
      // Five standard errors on two numbers in each of seven cases: a false alarm in 100,000.
      expect(Math.abs(sum)).toBeLessThan(5 * Math.sqrt(exact.variance / DRAWS));
      const error = exact.variance * Math.sqrt((exact.kurtosis - 1) / DRAWS);
      expect(Math.abs(squares - exact.variance)).toBeLessThan(5 * error);
    });
  }
});
