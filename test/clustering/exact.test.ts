import { describe, expect, it } from "vitest";
import { clusters } from "../../src/clustering/clusters.js";
import {
  type CovarianceShape,
  gaussianBlocks,
  layoutOf,
} from "../../src/clustering/exact/gaussian-blocks.js";
import { resolution } from "../../src/clustering/exact/resolution.js";
import { hiddenStates } from "../../src/clustering/hidden-states.js";
import { stationaryLaw } from "../../src/clustering/stationary-law.js";
import { covarianceOf } from "../../src/clustering/summary.js";
import { mostProbablePath } from "../../src/clustering/viterbi.js";
import { normal } from "../../src/math/normal.js";
import { Rng } from "../../src/math/rng.js";
import { gaussian } from "../../src/models/gaussian.js";
import { hmm } from "../../src/models/hmm.js";
import { mixture } from "../../src/models/mixture.js";

const average = (values: readonly number[]): number => values.reduce((a, b) => a + b) / values.length;
const correlation = (s: Float64Array): number => s[1] / Math.sqrt(s[0] * s[3]);

/** Draws of covariance and mean of one block of two columns, given these rows. */
function blockDraws(
  shape: CovarianceShape,
  rows: Float64Array,
  sweeps: number,
): { s: Float64Array; mean: number }[] {
  const model = mixture({ components: 1, emission: gaussian({ columns: 2, covariance: layoutOf(shape) }) });
  const blocks = gaussianBlocks({
    columns: 2,
    count: 1,
    shape,
    floor: new Float64Array(2),
    block: model.block,
  });
  const rng = Rng.seeded(5);
  const theta = new Float64Array(model.names.length);
  return Array.from({ length: sweeps }, () => {
    blocks.clear(theta, rng);
    for (let i = 0; i < rows.length; i += 2) blocks.add(0, 1, rows, i);
    blocks.renew(theta, rng);
    return { s: covarianceOf(theta, 0, 2, layoutOf(shape) === "full"), mean: theta[0] };
  });
}

describe("the laws of the sweeps", () => {
  it.each(["full", "diagonal", "spherical", "tied"] as const)(
    "without rows give standard deviations the half-t law of the prior, %s",
    (shape) => {
      const draws = blockDraws(shape, new Float64Array(0), 20_000);
      // P(sd < x) = x/√(2 + x²). Draws remember each other for some ten sweeps: 3 standard errors are 0.03.
      for (const x of [0.3, 1, 3]) {
        const below = average(draws.map(({ s }) => (Math.sqrt(s[3]) < x ? 1 : 0)));
        expect(Math.abs(below - x / Math.sqrt(2 + x * x))).toBeLessThan(0.03);
      }
      if (layoutOf(shape) === "diagonal") return;
      // Uniform on (−1, 1).
      for (const r of [-0.8, 0, 0.5]) {
        const below = average(draws.map(({ s }) => (correlation(s) < r ? 1 : 0)));
        expect(Math.abs(below - (1 + r) / 2)).toBeLessThan(0.03);
      }
    },
  );

  it("with rows are the posterior that the model says, by quadrature in three numbers", () => {
    const rows = Float64Array.of(0.3, 0.5, -0.4, 0.1, 1.2, 0.9, 0.1, -0.3);
    const draws = blockDraws("spherical", rows, 20_000);
    // θ is (μ_1, μ_2, ω): the mean of the first column, and the sd, from the density up to a constant.
    let [mass, mean, sd] = [0, 0, 0];
    for (let omega = -3; omega < 3; omega += 0.05) {
      const p = Math.exp(2 * omega);
      for (let m = -4; m < 4; m += 0.1) {
        // The second mean is integrated out: Gaussian with precision 4p + 1/9.
        let [square, pull, own] = [0, 0, 0];
        for (let i = 0; i < 8; i += 2) {
          square += (rows[i] - m) ** 2;
          pull += rows[i + 1];
          own += rows[i + 1] ** 2;
        }
        const q = 4 * p + 1 / 9;
        const log =
          8 * omega -
          0.5 * p * (square + own) +
          (0.5 * (p * pull) ** 2) / q -
          0.5 * Math.log(q) -
          m ** 2 / 18 +
          2 * omega -
          1.5 * Math.log(2 * p + 1);
        const w = Math.exp(log);
        mass += w;
        mean += w * m;
        sd += w * Math.exp(-omega);
      }
    }
    expect(Math.abs(average(draws.map((d) => d.mean)) - mean / mass)).toBeLessThan(0.02);
    expect(Math.abs(average(draws.map(({ s }) => Math.sqrt(s[0]))) - sd / mass)).toBeLessThan(0.02);
  });

  it("fill holes so that what is there alone decides", () => {
    // The second column is known in every other row: its mean follows from the regression on the first.
    const rng = Rng.seeded(8);
    const rows = Float64Array.from({ length: 4000 }, () => 0);
    for (let i = 0; i < 4000; i += 2) {
      rows[i] = normal(rng);
      rows[i + 1] = 0.5 + 0.9 * rows[i] + 0.3 * normal(rng);
      // Holes where the first is large: the mean of those that are there is too low.
      if (rows[i] > 0 && i % 4 === 0) rows[i + 1] = Number.NaN;
    }
    const draws = blockDraws("full", rows, 300).slice(50);
    const s = draws[0].s.map((_, j) => average(draws.map((d) => d.s[j])));
    expect(correlation(s)).toBeGreaterThan(0.93);
    expect(s[3]).toBeGreaterThan(0.8);
    expect(s[3]).toBeLessThan(1);
  });
});

it("values known to a digit are as good as values with an error of that digit", () => {
  const values = Float64Array.from({ length: 400 }, (_, i) => (i % 2 === 0 ? 0.1 * (i % 14) : Math.sin(i)));
  const [rounded, smooth] = resolution(values, 2);
  expect(rounded).toBeCloseTo(0.2 ** 2 / 12, 8);
  expect(smooth).toBeLessThan(1e-6);
});

it("a stationary law is what powers of the matrix come to", () => {
  const matrix = Float64Array.of(0.9, 0.1, 0, 0.05, 0.9, 0.05, 0.3, 0, 0.7);
  let law = [1, 0, 0];
  for (let t = 0; t < 2000; t++)
    law = law.map((_, k) => law.reduce((sum, p, l) => sum + p * matrix[3 * l + k], 0));
  stationaryLaw(matrix.slice(), 3).forEach((p, k) => void expect(p).toBeCloseTo(law[k], 10));
});

it("the most probable path is the best of all paths, listed, with a law of first states and two sequences", () => {
  const rng = Rng.seeded(6);
  const emission = gaussian({ columns: 1, covariance: "diagonal" });
  const model = hmm({ states: 3, emission, initial: "learned" });
  for (let round = 0; round < 10; round++) {
    const theta = Float64Array.from(model.names, () => normal(rng));
    const values = Float64Array.from({ length: 5 }, () => normal(rng));
    const starts = Uint8Array.of(1, 0, 0, 1, 0);
    const sequence = { rows: 5, columns: 1, weight: 1, values, from: 0, to: 5, starts };
    const paths = Array.from({ length: 243 }, (_, code) =>
      [0, 1, 2, 3, 4].map((t) => Math.floor(code / 3 ** t) % 3),
    );
    const logs = paths.map((path) => model.logJoint(theta, { path }, sequence));
    const best = paths[logs.indexOf(Math.max(...logs))];
    expect([...mostProbablePath(model, theta, sequence)]).toEqual(best);
  }
});

describe("sweeps and mini-batches", () => {
  it("agree on clusters that overlap a little", async () => {
    const rng = Rng.seeded(12);
    const values = new Float64Array(1200);
    for (let i = 0; i < 1200; i += 2) {
      const [k, common] = [rng.uniform() < 0.6 ? 0 : 1, normal(rng)];
      for (const j of [0, 1]) values[i + j] = 4 * k + 0.9 * common + 0.45 * normal(rng);
    }
    const options = { columns: 2, components: 2 };
    const [sweeps, batches] = [
      await clusters(values, options),
      await clusters(values, { ...options, method: "esgld" as const, batch: 300, iterations: 1500 }),
    ];
    expect([sweeps.method, batches.method]).toEqual(["gibbs", "esgld"]);
    sweeps.clusters.forEach((ours, k) => {
      const theirs = batches.clusters[k];
      for (const [a, b] of [
        [ours.weight, theirs.weight],
        [ours.mean[0], theirs.mean[0]],
        [ours.covariance[0][1], theirs.covariance[0][1]],
      ]) {
        // Some hundred effective draws each: 0.1 of an sd and 8% of it, three times over.
        expect(Math.abs(a.mean - b.mean) / a.sd).toBeLessThan(0.4);
        expect(Math.abs(Math.log(a.sd / b.sd))).toBeLessThan(0.3);
      }
    });
  });

  it("agree on hidden states", async () => {
    const rng = Rng.seeded(13);
    let state = 0;
    const values = Float64Array.from({ length: 1000 }, () => {
      if (rng.uniform() < 0.1) state = 1 - state;
      return 2.5 * state + normal(rng);
    });
    const options = { states: 2, emission: { kind: "gaussian" } } as const;
    const [sweeps, stretches] = [
      await hiddenStates(values, options),
      await hiddenStates(values, { ...options, method: "esgld" as const, length: 300, iterations: 1000 }),
    ];
    expect([sweeps.method, stretches.method]).toEqual(["gibbs", "esgld"]);
    sweeps.states.forEach((ours, k) => {
      const theirs = stretches.states[k];
      for (const [a, b] of [
        [ours.transitions[0], theirs.transitions[0]],
        [ours.mean![0], theirs.mean![0]],
        [ours.covariance![0][0], theirs.covariance![0][0]],
      ]) {
        expect(Math.abs(a.mean - b.mean) / a.sd).toBeLessThan(0.45);
        expect(Math.abs(Math.log(a.sd / b.sd))).toBeLessThan(0.35);
      }
    });
  });
});
