import { describe, expect, it } from "vitest";
import { logConcave } from "../../src/math/log-concave.js";
import { Rng } from "../../src/math/rng.js";

const DRAWS = 40_000;

/** Five standard errors on two numbers: a false alarm in a million. Kurtosis widens the error of the variance. */
function expectMoments(draw: () => number, mean: number, variance: number, kurtosis: number) {
  let [sum, squares] = [0, 0];
  for (let d = 0; d < DRAWS; d++) {
    const away = draw() - mean;
    sum += away / DRAWS;
    squares += away ** 2 / DRAWS;
  }
  expect(Math.abs(sum)).toBeLessThan(5 * Math.sqrt(variance / DRAWS));
  expect(Math.abs(squares - variance)).toBeLessThan(5 * variance * Math.sqrt((kurtosis - 1) / DRAWS));
}

const standard = { logDensity: (x: number) => -0.5 * x * x, slope: (x: number) => -x };
/** The largest of many: skewed to the right, with a light left tail. */
const gumbel = { logDensity: (x: number) => -x - Math.exp(-x), slope: (x: number) => Math.exp(-x) - 1 };

describe("draws from a log-concave density", () => {
  for (const scale of [0.2, 1, 4]) {
    it(`have its moments with tangents at ${scale} scales`, () => {
      const rng = Rng.seeded(3);
      expectMoments(() => logConcave(rng, standard, 0, scale), 0, 1, 3);
      const euler = 0.5772156649015329;
      expectMoments(() => logConcave(rng, gumbel, 0, scale), euler, Math.PI ** 2 / 6, 5.4);
    });
  }

  it("reach both tails and the middle as often as they should", () => {
    const rng = Rng.seeded(4);
    const below = [-1, 0, 1, 2].map((x) => ({ x, count: 0 }));
    for (let d = 0; d < DRAWS; d++) {
      const drawn = logConcave(rng, gumbel, 0, 1);
      for (const bin of below) if (drawn < bin.x) bin.count += 1;
    }
    for (const { x, count } of below) {
      const p = Math.exp(-Math.exp(-x));
      // Five standard errors on four numbers: a false alarm in 400,000.
      expect(Math.abs(count / DRAWS - p)).toBeLessThan(5 * Math.sqrt((p * (1 - p)) / DRAWS));
    }
  });
});
