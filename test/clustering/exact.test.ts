import { describe, expect, it } from "vitest";
import { clusters } from "../../src/clustering/clusters.js";
import {
  type CovarianceShape,
  gaussianBlocks,
  layoutOf,
} from "../../src/clustering/exact/gaussian-blocks.js";
import { resolution } from "../../src/clustering/exact/resolution.js";
import { hiddenStates } from "../../src/clustering/hidden-states.js";
import { covarianceOf } from "../../src/clustering/summary.js";
import { mostProbablePath } from "../../src/clustering/viterbi.js";
import { studentTCdf } from "../../src/math/distributions.js";
import { normal } from "../../src/math/normal.js";
import { Rng } from "../../src/math/rng.js";
import { incompleteBeta } from "../../src/math/special.js";
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
    "without rows give standard deviations and correlations the laws of the prior, %s",
    (shape) => {
      const draws = blockDraws(shape, new Float64Array(0), 40_000);
      // Degrees of which each is as probable as the others; columns on their own have 2.
      const degrees = layoutOf(shape) === "full" ? [2, 4, 8, 16, 32, 64, 128, 256] : [2];
      // Draws remember each other for some ten sweeps, and degrees for a hundred: 3 standard errors are 0.03.
      for (const x of [0.3, 1, 3]) {
        const below = average(draws.map(({ s }) => (Math.sqrt(s[3]) < x ? 1 : 0)));
        const expected = average(degrees.map((nu) => 2 * studentTCdf(x, nu) - 1));
        expect(Math.abs(below - expected)).toBeLessThan(0.03);
      }
      if (layoutOf(shape) === "diagonal") return;
      // With ν degrees the density of a correlation is (1 − ρ²)^{ν/2 − 1}.
      for (const r of [-0.8, -0.1, 0, 0.5]) {
        const below = average(draws.map(({ s }) => (correlation(s) < r ? 1 : 0)));
        const expected = average(degrees.map((nu) => incompleteBeta((1 + r) / 2, nu / 2, nu / 2)));
        expect(Math.abs(below - expected)).toBeLessThan(0.03);
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
        for (let l = -4; l < 4; l += 0.1) {
          let square = 0;
          for (let i = 0; i < 8; i += 2) square += (rows[i] - m) ** 2 + (rows[i + 1] - l) ** 2;
          const prior = 2 * omega - 1.5 * Math.log(2 * p + 1) - 3 * Math.log1p((m * m + l * l) / 4);
          const w = Math.exp(8 * omega - 0.5 * p * square + prior);
          mass += w;
          mean += w * m;
          sd += w * Math.exp(-omega);
        }
      }
    }
    expect(Math.abs(average(draws.map((d) => d.mean)) - mean / mass)).toBeLessThan(0.02);
    expect(Math.abs(average(draws.map(({ s }) => Math.sqrt(s[0]))) - sd / mass)).toBeLessThan(0.02);
  });

  it("with rows and correlations are it, too, by a plain Metropolis walk on the model's own density", () => {
    const rows = Float64Array.of(0.3, 0.5, -0.4, 0.1, 1.2, 0.9, 0.1, -0.3, -0.8, -0.9);
    const draws = blockDraws("full", rows, 30_000);
    const model = mixture({ components: 1, emission: gaussian({ columns: 2, covariance: "full" }) });
    const batch = { rows: 5, columns: 2, weight: 1, values: rows };
    const z = { labels: new Uint16Array(5) };
    const rng = Rng.seeded(11);
    let theta = new Float64Array(model.names.length);
    let log = model.logJoint(theta, z, batch);
    const sums = { mean: 0, sd: 0, narrow: 0, correlation: 0 };
    const steps = 300_000;
    for (let t = 0; t < steps; t++) {
      const moved = theta.map((x) => x + 0.4 * normal(rng));
      const there = model.logJoint(moved, z, batch);
      if (Math.log(rng.uniformOpen()) < there - log) [theta, log] = [moved, there];
      const s = covarianceOf(theta, 0, 2, true);
      sums.mean += theta[0] / steps;
      sums.sd += Math.log(s[0]) / 2 / steps;
      sums.narrow += (Math.sqrt(s[3]) < 0.5 ? 1 : 0) / steps;
      sums.correlation += correlation(s) / steps;
    }
    // Effective draws are thousands in both: three standard errors.
    expect(Math.abs(average(draws.map((d) => d.mean)) - sums.mean)).toBeLessThan(0.03);
    expect(Math.abs(average(draws.map(({ s }) => Math.log(s[0]) / 2)) - sums.sd)).toBeLessThan(0.03);
    expect(Math.abs(average(draws.map(({ s }) => (s[3] < 0.25 ? 1 : 0))) - sums.narrow)).toBeLessThan(0.03);
    expect(Math.abs(average(draws.map(({ s }) => correlation(s))) - sums.correlation)).toBeLessThan(0.03);
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
