import { describe, expect, test } from "vitest";
import { leaning } from "../../src/diagnostics/leaning.js";
import { Rng } from "../../src/math/rng.js";

const SLOPE = 0.07;
const models = (noise: () => number) =>
  Array.from({ length: 32 }, (_, m) => ({ members: m % 9, left: SLOPE * (m % 9) + noise() }));

/** Σ over models of equal worth for their size. */
function lawOf(worth: readonly number[], variables: number) {
  let choose = 1;
  const size = worth.map((each, k) => {
    if (k > 0) choose *= (variables - k + 1) / k;
    return choose * each;
  });
  const total = size.reduce((a, b) => a + b, 0);
  const shares = Float64Array.from(size, (share) => share / total);
  const pip = shares.reduce((sum, share, k) => sum + share * k, 0) / variables;
  return { size: shares, inclusion: new Float64Array(variables).fill(pip) };
}

const logOdds = (p: number): number => Math.log(p / (1 - p));

describe("what is misjudged with the size of models", () => {
  test.each([
    { of: "variables that are in independently of each other", worth: (k: number) => 0.1 ** k },
    { of: "models that hold more the more they hold", worth: (k: number) => 0.12 ** k * (1 + k) },
  ])("moves the log odds of a variable as it does when models are weighed with it: $of", ({ worth }) => {
    const worths = Array.from({ length: 31 }, (_, k) => worth(k));
    const { size, inclusion } = lawOf(worths, 30);
    const step = 1e-4;
    const tilted = lawOf(
      worths.map((each, k) => each * Math.exp(step * k)),
      30,
    );
    const moved = (logOdds(tilted.inclusion[0]) - logOdds(inclusion[0])) / step;
    const { about, surely } = leaning(
      models(() => 0),
      size,
      inclusion,
    );
    expect(about / (SLOPE * moved)).toBeCloseTo(1, 3);
    expect(surely).toBeCloseTo(about, 9);
  });

  test("is nothing for sure where it may be chance", () => {
    const rng = Rng.seeded(3);
    const { size, inclusion } = lawOf([1, 0.1, 0.01], 2);
    const { about, surely } = leaning(
      models(() => 4 * (rng.uniform() - 0.5)),
      size,
      inclusion,
    );
    expect(about).toBeGreaterThan(0);
    expect(surely).toBe(0);
  });

  test("is nothing where models have one size, or there are too few of them", () => {
    const { size, inclusion } = lawOf([1, 0.1, 0.01], 2);
    const none = { about: 0, surely: 0 };
    expect(leaning([{ members: 2, left: 1 }], size, inclusion)).toEqual(none);
    expect(leaning(new Array(9).fill({ members: 2, left: 1 }), size, inclusion)).toEqual(none);
  });
});
