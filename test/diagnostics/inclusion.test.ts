import { describe, expect, test } from "vitest";
import { type Inclusion, inclusion, inclusionFromCounts } from "../../src/diagnostics/inclusion.js";
import { Rng } from "../../src/math/rng.js";

const repeat = (value: number, n: number): Float64Array => new Float64Array(n).fill(value);

/** A stationary 0/1 chain with P(1) = p and lag-one correlation `memory`. */
function twoState(rng: Rng, n: number, p: number, memory: number): Float64Array {
  let state = rng.uniform() < p ? 1 : 0;
  return new Float64Array(n).map(() => {
    const out = state;
    if (rng.uniform() >= memory) state = rng.uniform() < p ? 1 : 0;
    return out;
  });
}

function finite(result: Inclusion): void {
  for (const value of Object.values(result)) expect(Number.isFinite(value)).toBe(true);
}

describe("a variable that moves", () => {
  test.each([
    { p: 0.3, memory: 0 },
    { p: 0.3, memory: 0.8 },
    { p: 0.05, memory: 0.5 },
  ])("has a standard error that matches the spread over repeated runs, %o", ({ p, memory }) => {
    const runs = 600;
    const [k, n] = [4, 500];
    let squares = 0;
    let essTotal = 0;
    for (let run = 0; run < runs; run++) {
      const rng = Rng.seeded(100 + run);
      const result = inclusion(Array.from({ length: k }, (_, c) => twoState(rng.split(c), n, p, memory)));
      squares += ((result.probability - p) / result.mcse) ** 2 / runs;
      essTotal += result.ess / runs;
    }
    // Over 5000 runs this is 0.98, 1.06 and 1.12 (above 1 because the error is itself estimated). Over 600 it has
    // standard error √(2/600) = 0.058, 0.065 in the last case: both bounds are 3 of those away, false alarms 0.3%.
    expect(squares).toBeGreaterThan(0.8);
    expect(squares).toBeLessThan(1.32);
    const truth = (k * n * (1 - memory)) / (1 + memory);
    expect(Math.abs(essTotal / truth - 1)).toBeLessThan(0.15);
  });

  test("has an R-hat near 1 when chains agree and far from it when they do not", () => {
    const rng = Rng.seeded(5);
    const agree = inclusion([0, 1, 2, 3].map((c) => twoState(rng.split(c), 1000, 0.4, 0.3)));
    const differ = inclusion([0.1, 0.9].map((p, c) => twoState(rng.split(c), 1000, p, 0.3)));
    expect(agree.rhat).toBeLessThan(1.01);
    expect(differ.rhat).toBeGreaterThan(1.5);
    expect(differ.ess).toBeLessThan(10);
  });

  test("gives the same from draws as from counts of batches, up to the noise of the error itself", () => {
    const rng = Rng.seeded(6);
    const chains = [0, 1, 2, 3].map((c) => twoState(rng.split(c), 4000, 0.3, 0.6));
    const counts = chains.map((chain) =>
      Array.from({ length: 80 }, (_, b) =>
        chain.subarray(50 * b, 50 * b + 50).reduce((sum, x) => sum + x, 0),
      ),
    );
    const fine = inclusion(chains);
    const coarse = inclusionFromCounts(counts, 50);
    expect(coarse.probability).toBeCloseTo(fine.probability, 12);
    // 320 batches determine a standard error to about 1/√640 = 4%; four of those.
    expect(Math.abs(coarse.mcse / fine.mcse - 1)).toBeLessThan(0.16);
    expect(Math.abs(coarse.rhat - fine.rhat)).toBeLessThan(0.02);
  });

  test("in few batches has the larger of the errors by batches and between chains", () => {
    const stuck = inclusionFromCounts(
      [
        [0, 1, 0],
        [9, 10, 10],
      ],
      10,
    );
    // Chain means 1/30 and 29/30: variance 0.4356, over two chains.
    expect(stuck.mcse).toBeCloseTo(Math.sqrt((28 / 30) ** 2 / 2 / 2), 12);
    const mixed = inclusionFromCounts(
      [
        [0, 10],
        [10, 0],
      ],
      10,
    );
    expect(mixed.mcse).toBeCloseTo(Math.sqrt(1 / 3 / 4), 12);
  });
});

describe("a variable that never moves", () => {
  test.each([0, 1])("at %d has a small finite error, perfect agreement and every draw counted", (value) => {
    const result = inclusion([repeat(value, 500), repeat(value, 500)]);
    expect(result).toMatchObject({ probability: value, rhat: 1, ess: 1000 });
    expect(result.mcse).toBeCloseTo(Math.sqrt((0.5 * 1000.5) / (1001 ** 2 * 1002)), 12);
    // Below the rule of three, above nothing.
    expect(result.mcse).toBeLessThan(3 / 1000);
  });

  test("has a larger error when the caller believes fewer draws", () => {
    const chains = [repeat(0, 500), repeat(0, 500)];
    expect(inclusion(chains, { effectiveDraws: 50 }).mcse).toBeCloseTo(inclusion([repeat(0, 50)]).mcse, 12);
    expect(inclusion(chains, { effectiveDraws: 1e9 }).mcse).toBe(inclusion(chains).mcse);
  });

  test("has an error of the same size as one that moved once", () => {
    const once = repeat(0, 1000);
    once[400] = 1;
    const ratio = inclusion([once]).mcse / inclusion([repeat(0, 1000)]).mcse;
    expect(ratio).toBeGreaterThan(1);
    expect(ratio).toBeLessThan(2);
  });

  test("in chains stuck at different values has a large, finite R-hat and hardly any draws", () => {
    const result = inclusion([repeat(0, 1000), repeat(1, 1000)]);
    finite(result);
    expect(result.probability).toBe(0.5);
    expect(result.rhat).toBeGreaterThan(10);
    expect(result.ess).toBeLessThan(4);
    expect(result.mcse).toBeGreaterThan(0.25);
  });
});

test("no length, value or number of chains gives NaN or infinity", () => {
  for (const n of [1, 2, 3, 4, 5, 6, 7, 20]) {
    for (const k of [1, 2, 3]) {
      for (const value of [0, 1, 0.5, 0.1])
        finite(inclusion(Array.from({ length: k }, () => repeat(value, n))));
      finite(inclusion(Array.from({ length: k }, (_, c) => repeat(c / 2, n))));
      finite(inclusion(Array.from({ length: k }, (_, c) => repeat(0, n).map((_x, t) => (t + c) % 2))));
    }
  }
});

test("no draws, and numbers that are not fractions, are refused", () => {
  expect(() => inclusion([])).toThrow(/at least one draw/);
  expect(() => inclusion([repeat(3, 5)])).toThrow(/between 0 and 1/);
  expect(() => inclusion([repeat(NaN, 5)])).toThrow(/between 0 and 1/);
});
