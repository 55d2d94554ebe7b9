import { describe, expect, it } from "vitest";
import { hiddenStates } from "../../src/clustering/hidden-states.js";
import type { Estimate } from "../../src/clustering/sampled.js";
import { states as paths } from "../../src/latent/states.js";
import { normal } from "../../src/math/normal.js";
import { Rng } from "../../src/math/rng.js";
import { gamma } from "../../src/math/variates.js";
import { categorical } from "../../src/models/emissions.js";
import { hmm } from "../../src/models/hmm.js";

/** 4000 steps of two states, the first held twice as long as the second. */
function simulate(emit: (rng: Rng, state: number) => number): Float64Array {
  const rng = Rng.seeded(1);
  let state = 0;
  return Float64Array.from({ length: 4000 }, () => {
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
  it("finds Gaussian states and their transitions in the units of the data", async () => {
    const values = simulate((rng, k) => 100 + 30 * k + 10 * normal(rng));
    const settings = { states: 2, chains: 1, iterations: 300 };
    const { states } = await hiddenStates(values, { ...settings, emission: { kind: "gaussian" } });
    const [long, short] = states;
    expectCovered(long.share, 2 / 3, 0.05);
    expectCovered(long.transitions[1], 0.05, 0.01);
    expectCovered(short.transitions[0], 0.1, 0.02);
    expectCovered(long.mean![0], 100, 0.5);
    expectCovered(short.mean![0], 130, 0.7);
    expectCovered(long.covariance![0][0], 100, 6);
    expectCovered(short.covariance![0][0], 100, 8);
  });

  it("finds categorical states", async () => {
    const values = simulate((rng, k) => (rng.uniform() < 0.8 ? k : 2));
    const emission = { kind: "categorical", levels: 3 } as const;
    const { states } = await hiddenStates(values, { states: 2, chains: 1, emission, iterations: 300 });
    const [long, short] = states;
    expectCovered(long.probabilities![0], 0.8, 0.02);
    expectCovered(short.probabilities![1], 0.8, 0.03);
    expect(long.probabilities![1].mean).toBeLessThan(0.01);
    expectCovered(long.transitions[1], 0.05, 0.01);
  });
});

/** 20 sequences of 200 steps, each beginning in the state in which the other ended. */
function manySequences(emit: (rng: Rng, state: number) => number): Float64Array[] {
  const rng = Rng.seeded(2);
  let state = 0;
  return Array.from({ length: 20 }, () => {
    state = 1 - state;
    return Float64Array.from({ length: 200 }, () => {
      if (rng.uniform() < [0.05, 0.1][state]) state = 1 - state;
      return emit(rng, state);
    });
  });
}

describe("on many simulated sequences", () => {
  it("finds Gaussian states and says where in a sequence they are", async () => {
    const sequences = manySequences((rng, k) => 3 * k + normal(rng));
    const found = await hiddenStates(sequences, {
      states: 2,
      emission: { kind: "gaussian" },
      iterations: 300,
    });
    const [long, short] = found.states;
    expectCovered(long.transitions[1], 0.05, 0.01);
    expectCovered(short.transitions[0], 0.1, 0.02);
    expectCovered(long.mean![0], 0, 0.05);
    expectCovered(short.mean![0], 3, 0.07);
    const at = found.probabilities(Float64Array.of(0, 0.2, -0.3, 3.1, 2.8, 3.5));
    expect(at.length).toBe(12);
    for (let t = 0; t < 6; t++) expect(at[2 * t] + at[2 * t + 1]).toBeCloseTo(1, 10);
    for (const t of [0, 1, 2]) expect(at[2 * t]).toBeGreaterThan(0.9);
    for (const t of [3, 4, 5]) expect(at[2 * t + 1]).toBeGreaterThan(0.9);
  });

  it("finds categorical states, and reports R-hat, effective draws and a verdict", async () => {
    const sequences = manySequences((rng, k) => (rng.uniform() < 0.8 ? k : 2));
    const emission = { kind: "categorical", levels: 3 } as const;
    const { states, diagnostics, verdict } = await hiddenStates(sequences, {
      states: 2,
      emission,
      iterations: 300,
    });
    const [long, short] = states;
    expectCovered(long.probabilities![0], 0.8, 0.02);
    expectCovered(short.probabilities![1], 0.8, 0.03);
    expectCovered(short.transitions[0], 0.1, 0.02);
    const worst = states.flatMap((state) => [state.share, ...state.transitions, ...state.probabilities!]);
    expect(diagnostics.chains).toBe(2);
    expect(diagnostics.rhat).toBe(Math.max(...worst.map(({ rhat }) => rhat!)));
    expect(diagnostics.essBulk).toBe(Math.min(...worst.map(({ essBulk }) => essBulk!)));
    expect(diagnostics.essTail).toBe(Math.min(...worst.map(({ essTail }) => essTail!)));
    expect(verdict).toMatch(/problems? found\./i);
  });
});

/**
 * Paths and parameters in turn from their exact conditionals, on all steps at once (Chib 1996): the posterior means and
 * sds of P(level 2 | state 1), P(level 2 | state 2), A_12 and A_21, the states ordered by the first two.
 */
function gibbs(sequences: readonly Float64Array[], sweeps: number): { mean: number; sd: number }[] {
  const model = hmm({ states: 2, emission: categorical({ levels: 3 }) });
  const kernel = paths(model);
  const rng = Rng.seeded(9);
  const values = Float64Array.from(sequences.flatMap((sequence) => [...sequence]));
  const starts = Uint8Array.from(
    sequences.flatMap((sequence) => [1, ...new Array(sequence.length - 1).fill(0)]),
  );
  const rows = values.length;
  const batch = { rows, columns: 1, weight: 1, values, from: 0, to: rows, starts };
  const theta = Float64Array.of(2, -2, 1, 0, 0, 1);
  const z = kernel.init(rng, theta);
  const dirichlet = (counts: readonly number[]): number[] => {
    const parts = counts.map((count) => gamma(rng, count + 1));
    const total = parts.reduce((a, b) => a + b);
    return parts.map((part) => part / total);
  };
  const draws: number[][] = [];
  for (let sweep = -200; sweep < sweeps; sweep++) {
    kernel.enter(z, theta, batch);
    kernel.step(rng, z, theta, batch);
    const moves = [0, 1].map(() => [0, 0]);
    const emits = [0, 1].map(() => [0, 0, 0]);
    for (let t = 0; t < rows; t++) {
      emits[z.path[t]][values[t]] += 1;
      if (starts[t] === 0) moves[z.path[t - 1]][z.path[t]] += 1;
    }
    const [a, e] = [moves.map(dirichlet), emits.map(dirichlet)];
    for (const k of [0, 1]) {
      theta[k] = Math.log(a[k][0] / a[k][1]);
      for (const v of [0, 1]) theta[model.block(k) + v] = Math.log(e[k][v] / e[k][2]);
    }
    const [low, high] = e[0][2] < e[1][2] ? [0, 1] : [1, 0];
    if (sweep >= 0) draws.push([e[low][2], e[high][2], a[low][high], a[high][low]]);
  }
  return draws[0].map((_, q) => {
    const mean = draws.reduce((sum, draw) => sum + draw[q], 0) / sweeps;
    return { mean, sd: Math.sqrt(draws.reduce((sum, draw) => sum + (draw[q] - mean) ** 2, 0) / sweeps) };
  });
}

it("agrees with Gibbs sampling of whole sequences", async () => {
  const sequences = manySequences((rng, k) => (rng.uniform() < [0.2, 0.7][k] ? 2 : rng.below(2)))
    .slice(0, 10)
    .map((sequence) => sequence.subarray(0, 100));
  const exact = gibbs(sequences, 2000);
  const emission = { kind: "categorical", levels: 3 } as const;
  const { states } = await hiddenStates(sequences, {
    states: 2,
    emission,
    iterations: 1500,
    initial: "uniform",
  });
  const [low, high] = states[0].probabilities![2].mean < states[1].probabilities![2].mean ? [0, 1] : [1, 0];
  const ours = [
    states[low].probabilities![2],
    states[high].probabilities![2],
    states[low].transitions[high],
    states[high].transitions[low],
  ];
  // The effective draws of both, some hundreds, leave a standard error of 0.12 sds, and 7% of an sd.
  ours.forEach(({ mean, sd }, q) => {
    expect(Math.abs(mean - exact[q].mean)).toBeLessThan(4.5 * 0.12 * exact[q].sd);
    expect(Math.abs(sd / exact[q].sd - 1)).toBeLessThan(4.5 * 0.07);
  });
});

it("a sequence that is not whole steps is refused by its number", async () => {
  const emission = { kind: "gaussian", columns: 2 } as const;
  const sequences = [Float64Array.of(1, 2, 3, 4), Float64Array.of(1, 2, 3)];
  await expect(hiddenStates(sequences, { states: 2, emission })).rejects.toThrow(/3 values of sequence 2/);
  await expect(hiddenStates([], { states: 2, emission })).rejects.toThrow(/no sequence/);
});

it("a code outside the levels is refused by its step", async () => {
  const emission = { kind: "categorical", levels: 2 } as const;
  await expect(hiddenStates(Float64Array.of(0, 1, 2), { states: 2, emission })).rejects.toThrow(
    /Step 3 of the sequence is 2/,
  );
  const sequences = [Float64Array.of(0, 1), Float64Array.of(1, 5)];
  await expect(hiddenStates(sequences, { states: 2, emission })).rejects.toThrow(/Step 2 of sequence 2 is 5/);
});
