import { describe, expect, it } from "vitest";
import { type ClusterProblem, exactClusters, groundOf } from "../../src/clustering/chains/cluster-chain.js";
import { exactStates, groundOf as groundOfStates } from "../../src/clustering/chains/state-chain.js";
import { clusters } from "../../src/clustering/clusters.js";
import { gibbsChain } from "../../src/clustering/exact/gibbs-chain.js";
import { hmmSweep } from "../../src/clustering/exact/hmm-exact.js";
import { type Leaps, landing, leap, leapsFrom } from "../../src/clustering/exact/leaps.js";
import { mixtureSweep, ofGroups } from "../../src/clustering/exact/mixture-exact.js";
import { stateProblem } from "../../src/clustering/hidden-states.js";
import { wholeStretch } from "../../src/clustering/sequences.js";
import { normal } from "../../src/math/normal.js";
import { Rng } from "../../src/math/rng.js";

const average = (values: readonly number[]): number => values.reduce((a, b) => a + b) / values.length;

function problemOf(values: Float64Array, columns: number, components: number): ClusterProblem {
  const floor = new Array<number>(columns).fill(1e-6);
  const asked = { batch: undefined, draws: 1, stepSize: undefined };
  return { values, columns, components, covariance: "full", floor, method: "gibbs", ...asked };
}

type Sweep = (rng: Rng, theta: Float64Array) => void;

/** Chains from these places, of sweeps or with leaps; without the first tenth. */
function chainsFrom(
  starts: readonly Float64Array[],
  sweep: Sweep,
  sweeps: number,
  leaps?: ReturnType<typeof leap>,
) {
  return starts.map((theta, c) =>
    Array.from(gibbsChain(sweep, Rng.seeded(31 + c), sweeps, { theta }, leaps), (draw) =>
      draw.theta.slice(),
    ).slice(sweeps / 10),
  );
}

/** Means and spreads, which 60,000 dependent draws have to a fiftieth of the spread, about. */
function expectSameLaw(
  a: readonly Float64Array[],
  b: readonly Float64Array[],
  numbers: readonly ((theta: Float64Array) => number)[],
): void {
  for (const what of numbers) {
    const [one, other] = [a.map(what), b.map(what)].map((draws) => {
      const mean = average(draws);
      return { mean, spread: Math.sqrt(average(draws.map((x) => (x - mean) ** 2))) };
    });
    expect(Math.abs(one.mean - other.mean) / other.spread).toBeLessThan(0.1);
    expect(Math.abs(Math.log(one.spread / other.spread))).toBeLessThan(0.1);
  }
}

/** Square corners: mirrored in the diagonal, the rows are the same rows, so that two modes have half of the mass each. */
function square(each: number) {
  const rng = Rng.seeded(7);
  const values: number[] = [];
  const along: number[] = [];
  for (let i = 0; i < each; i++) {
    for (const [a, b] of [
      [-1, -1],
      [1, 1],
      [-1, 1],
      [-1, 1],
    ]) {
      const [x, y] = [a + 0.25 * normal(rng), b + 0.25 * normal(rng)];
      values.push(x, y, y, x);
      along.push(x < 0 ? 0 : 1, y < 0 ? 0 : 1);
    }
  }
  return { values: Float64Array.from(values), along };
}

describe("leaps", () => {
  it("leave the law of the sweeps as it is, whatever places they were fitted to", () => {
    const rng = Rng.seeded(3);
    const values = Float64Array.from({ length: 40 }, (_, i) => (i % 2 ? 0.5 : -0.8) + 0.5 * normal(rng));
    const problem = problemOf(values, 1, 2);
    const ground = groundOf(problem);
    const exact = exactClusters(problem);
    const rows = { rows: 40, columns: 1, weight: 1, values };
    const sweep = mixtureSweep(exact, rows);
    const start = ofGroups(
      exact,
      rows,
      Array.from({ length: 40 }, (_, i) => i % 2),
    );
    // Rough laws: what is drawn from them must be right all the same.
    const leaps = leapsFrom(ground.model, chainsFrom([start, start], sweep, 200), undefined)!;
    const only = chainsFrom([start], () => {}, 60_000, leap(ground, leaps))[0];
    const swept = chainsFrom([start], sweep, 40_000)[0];
    // Neither knows the other's moves: only the law is the same. Which cluster is which does not matter here.
    expectSameLaw(only, swept, [
      (theta) => Math.max(...ground.model.shares(theta)),
      (theta) => Math.min(theta[1], theta[3]),
      (theta) => Math.max(theta[2], theta[4]),
      (theta) => Math.abs(theta[1] - theta[3]),
    ]);
  });

  it("exchange modes, each as often as its mass says: half of the time where they mirror each other", () => {
    const { values, along } = square(5);
    const problem = problemOf(values, 2, 2);
    const ground = groundOf(problem);
    const exact = exactClusters(problem);
    const rows = { rows: values.length / 2, columns: 2, weight: 1, values };
    const sweep = mixtureSweep(exact, rows);
    const starts = [along, along.map((_, i) => along[i ^ 1])].map((groups) => ofGroups(exact, rows, groups));
    const alone = chainsFrom(starts, sweep, 2000);
    /** Whether clusters differ more in the first column than in the second. */
    const isAlong = (theta: Float64Array): number =>
      Math.abs(theta[1] - theta[6]) > Math.abs(theta[2] - theta[7]) ? 1 : 0;
    // Sweeps never change the mode.
    expect(alone.map((draws) => average(draws.map(isAlong)))).toEqual([1, 0]);
    const leaps = leapsFrom(ground.model, alone, undefined)!;
    for (const draws of chainsFrom(starts, sweep, 20_000, leap(ground, leaps))) {
      expect(Math.abs(average(draws.map(isAlong)) - 0.5)).toBeLessThan(0.1);
    }
  });

  it("of hidden states leave the law of the sweeps as it is", () => {
    const rng = Rng.seeded(5);
    const codes = Float64Array.from({ length: 60 }, (_, i) =>
      rng.uniform() < (i % 20 < 10 ? 0.8 : 0.3) ? 1 : 0,
    );
    const { problem } = stateProblem(codes, { states: 2, emission: { kind: "categorical", levels: 2 } });
    const ground = groundOfStates(problem);
    const sweep = hmmSweep(exactStates(problem), wholeStretch(problem.data));
    const start = new Float64Array(exactStates(problem).model.names.length).map((_, j) => 0.2 * (j + 1));
    const leaps = leapsFrom(ground.model, chainsFrom([start, start], sweep, 400), undefined)!;
    const only = chainsFrom([start], () => {}, 60_000, leap(ground, leaps))[0];
    const swept = chainsFrom([start], sweep, 60_000)[0];
    expectSameLaw(only, swept, [
      (theta) => Math.max(...ground.model.shares(theta)),
      (theta) => Math.max(theta[2], theta[3]),
      (theta) => Math.min(theta[2], theta[3]),
    ]);
  });

  it("are told to land seldom where their laws are elsewhere, and are not made of too few draws", () => {
    const { values, along } = square(5);
    const problem = problemOf(values, 2, 2);
    const ground = groundOf(problem);
    const exact = exactClusters(problem);
    const rows = { rows: values.length / 2, columns: 2, weight: 1, values };
    const start = ofGroups(exact, rows, along);
    const [draws] = chainsFrom([start], mixtureSweep(exact, rows), 1000);
    const leaps = leapsFrom(ground.model, [draws], undefined)!;
    const share = (some: Leaps) => landing(ground, some, draws, Rng.seeded(1));
    expect(share(leaps)).toBeGreaterThan(0.05);
    const moved = leaps.laws.map((law) => ({ ...law, centre: law.centre.map((x) => x + 3) }));
    expect(share({ ...leaps, laws: moved })).toBeLessThan(0.01);
    // Eleven numbers have a covariance of 66.
    expect(leapsFrom(ground.model, [draws.slice(0, 65)], undefined)).toBeUndefined();
    expect(leapsFrom(ground.model, [draws.slice(0, 66)], undefined)).toBeDefined();
    // A mode that few draws are in keeps its law, about.
    const again = leapsFrom(ground.model, [draws.slice(0, 5)], leaps)!;
    const moves = again.laws[0].centre.map((x, j) => Math.abs(x - leaps.laws[0].centre[j]));
    expect(Math.max(...moves)).toBeLessThan(0.5);
  });

  it("let chains in several modes agree", async () => {
    const { values } = square(5);
    const found = await Promise.all(
      [1, 2, 3, 4].map((seed) => clusters(values, { columns: 2, components: 2, seed })),
    );
    for (const { verdict, diagnostics } of found) {
      expect(verdict).toMatch(/^No problems found\./);
      expect(diagnostics.iterations).toBeLessThan(20_000);
    }
  });
});
