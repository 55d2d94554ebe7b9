import { describe, expect, it } from "vitest";
import { hiddenStates } from "../../src/clustering/hidden-states.js";
import type { Estimate } from "../../src/clustering/sampled.js";
import { normal } from "../../src/math/normal.js";
import { Rng } from "../../src/math/rng.js";

/** 8000 steps of two states, the first held twice as long as the second. */
function simulate(emit: (rng: Rng, state: number) => number): Float64Array {
  const rng = Rng.seeded(1);
  let state = 0;
  return Float64Array.from({ length: 8000 }, () => {
    if (rng.uniform() < [0.05, 0.1][state]) state = 1 - state;
    return emit(rng, state);
  });
}

// 4 posterior sds, 7 comparisons: a false alarm in 2000 if the sds are right; they are asked to be neither tiny nor vast.
function expectCovered(ours: Estimate, truth: number, largestSd: number): void {
  expect(Math.abs(ours.mean - truth)).toBeLessThan(4 * ours.sd);
  expect(ours.sd).toBeLessThan(largestSd);
}

describe("on a simulated chain", () => {
  it("finds Gaussian states and their transitions in the units of the data", () => {
    const values = simulate((rng, k) => 100 + 30 * k + 10 * normal(rng));
    const { states } = hiddenStates(values, { states: 2, emission: { kind: "gaussian" }, iterations: 3000 });
    const [long, short] = states;
    expectCovered(long.share, 2 / 3, 0.05);
    expectCovered(long.transitions[1], 0.05, 0.01);
    expectCovered(short.transitions[0], 0.1, 0.02);
    expectCovered(long.mean![0], 100, 0.5);
    expectCovered(short.mean![0], 130, 0.7);
    expectCovered(long.covariance![0][0], 100, 6);
    expectCovered(short.covariance![0][0], 100, 8);
  });

  it("finds categorical states", () => {
    const values = simulate((rng, k) => (rng.uniform() < 0.8 ? k : 2));
    const emission = { kind: "categorical", levels: 3 } as const;
    const { states } = hiddenStates(values, { states: 2, emission, iterations: 3000 });
    const [long, short] = states;
    expectCovered(long.probabilities![0], 0.8, 0.02);
    expectCovered(short.probabilities![1], 0.8, 0.03);
    expect(long.probabilities![1].mean).toBeLessThan(0.01);
    expectCovered(long.transitions[1], 0.05, 0.01);
  });
});

it("a code outside the levels is refused by its step", () => {
  const emission = { kind: "categorical", levels: 2 } as const;
  expect(() => hiddenStates(Float64Array.of(0, 1, 2), { states: 2, emission })).toThrow(/Step 3 .* is 2/);
});
