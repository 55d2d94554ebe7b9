import { describe, expect, it } from "vitest";
import { clusterWeighJob, exactClusters } from "../../src/clustering/chains/cluster-chain.js";
import { stateWeighJob } from "../../src/clustering/chains/state-chain.js";
import { beginnings, massAbout } from "../../src/clustering/chains/weigh-job.js";
import { ofGroups } from "../../src/clustering/exact/mixture-exact.js";
import { mixtureMode, mixtureRefined } from "../../src/clustering/exact/mixture-mode.js";
import type { Mode } from "../../src/clustering/exact/mode.js";
import { resolution } from "../../src/clustering/exact/resolution.js";
import { stateProblem } from "../../src/clustering/hidden-states.js";
import { densityOf, marginalMixture } from "../../src/clustering/marginal.js";
import { standardised } from "../../src/clustering/standardised.js";
import { normal } from "../../src/math/normal.js";
import { Rng } from "../../src/math/rng.js";

function ended<T>(steps: Generator<undefined, T, void>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/** All that a job comes to. */
function done<I, O>(
  job: { start(place: unknown, input: I): { next(): boolean; result(): O | undefined } },
  input: I,
): O {
  const work = job.start(undefined, input);
  while (work.next());
  return work.result()!;
}

/** A problem of two clusters on these rows, and the mode next to a grouping of them. */
function two(raw: Float64Array, columns: number, covariance: "full" | "tied" = "full") {
  const { values } = standardised(raw, columns);
  const floor = [...resolution(values, columns)];
  const problem = {
    values,
    columns,
    components: 2,
    covariance,
    floor,
    method: "gibbs" as const,
    batch: undefined,
    draws: 1,
    stepSize: undefined,
  };
  const exact = exactClusters(problem);
  const rows = { rows: raw.length / columns, columns, weight: 1, values };
  const near = (groups: ArrayLike<number>): Mode =>
    ended(mixtureRefined(exact, rows, ofGroups(exact, rows, groups)));
  return { problem, exact, rows, near };
}

/** Four groups at the corners of a rectangle, which two clusters can halve along or across. */
function corners(each: number, { height = 6, holes = false } = {}) {
  const rng = Rng.seeded(3);
  const sides = Array.from({ length: 4 * each }, (_, i) => [i % 2, (i >> 1) % 2]);
  const raw = Float64Array.from(sides.flatMap(([a, b]) => [7 * a + normal(rng), height * b + normal(rng)]));
  if (holes) raw[0] = Number.NaN;
  return { raw, along: sides.map(([a]) => a), across: sides.map(([, b]) => b) };
}

describe("the mass about a mode", () => {
  it("is the integral of the density", () => {
    const rng = Rng.seeded(1);
    const values = Float64Array.from({ length: 60 }, () => normal(rng));
    const problem = { columns: 1, components: 1, covariance: "full" as const, floor: [0] };
    const exact = exactClusters(problem);
    const rows = { rows: 60, columns: 1, weight: 1, values };
    const density = densityOf(marginalMixture(exact.model), rows);
    const mode = ended(mixtureRefined(exact, rows, new Float64Array(2)));
    let [integral, h] = [0, 0.02];
    for (let mean = -2; mean < 2; mean += h) {
      for (let log = -2; log < 2; log += h) {
        integral += h * h * Math.exp(density.value(Float64Array.of(mean, log)) - mode.value);
      }
    }
    expect(ended(massAbout(density, mode.theta))! - mode.value).toBeCloseTo(Math.log(integral), 1);
  });

  it("is unknown where there is no mode", () => {
    const ridge = { value: () => 0, gradient: (out: Float64Array) => void out.fill(0) };
    expect(ended(massAbout(ridge, new Float64Array(2)))).toBeUndefined();
  });

  it("is asked for where gradients have all numbers of θ as free, and rows as whole", () => {
    const { raw, along } = corners(10);
    const { problem, near } = two(raw, 2);
    const known = done(clusterWeighJob, { problem, mode: near(along) });
    expect(known.mass).toBeLessThan(known.value);
    const holed = two(corners(10, { holes: true }).raw, 2);
    expect(done(clusterWeighJob, { problem: holed.problem, mode: holed.near(along) }).mass).toBeUndefined();
    const tied = two(raw, 2, "tied");
    expect(done(clusterWeighJob, { problem: tied.problem, mode: tied.near(along) }).mass).toBeUndefined();
    const states = stateProblem(Float64Array.of(0, 1, 2, 0, 1, 2), {
      states: 2,
      emission: { kind: "gaussian", columns: 2, covariance: "tied" },
    });
    const theta = new Float64Array(2 + 2 * 5);
    const mode = { theta, value: -3, logLikelihood: 0, sharpness: 0 };
    expect(done(stateWeighJob, { problem: states.problem, mode })).toEqual({ value: -3 });
  });
});

describe("chains begin", () => {
  const mode = (at: number): Mode => ({
    theta: Float64Array.of(at),
    value: -at,
    logLikelihood: 0,
    sharpness: 0,
  });
  const [a, b, c] = [0, 1, 2].map(mode);

  it("at their own modes where each holds a hundredth of what the best one does, by mass before height", () => {
    const weigh = (masses: (number | undefined)[]) => masses.map((mass, i) => ({ value: -100 * i, mass }));
    expect(beginnings([a, b, c], weigh([0, -4, -5]))).toEqual([a, b, a]);
    expect(beginnings([a, b, c], weigh([-9, -4, -5]))).toEqual([b, b, c]);
    expect(beginnings([a, b, c], weigh([-9, undefined, -5]))).toEqual([a, a, a]);
  });

  it("both at the better of two halvings of a rectangle, unless the other one holds a share", () => {
    // By their heights, which differ by 3.1 and 0.5, both would be worth a chain; by their masses it is 6.3 and 3.7.
    for (const [height, isLost] of [
      [7, true],
      [8, false],
    ] as const) {
      const { raw, along, across } = corners(6, { height });
      const { problem, near } = two(raw, 2);
      const modes = [near(across), near(along)];
      const weighed = modes.map((mode) => done(clusterWeighJob, { problem, mode }));
      expect(weighed[1].value - weighed[0].value).toBeLessThan(4);
      expect(beginnings(modes, weighed)).toEqual(isLost ? [modes[1], modes[1]] : modes);
    }
  });

  it("at modes that are compared on the same rows, whatever rows each was found on", () => {
    const { raw, along, across } = corners(1500);
    const { problem, near } = two(raw, 2);
    // Of rows that are easy to describe the worse halving is higher.
    const modes = [{ ...near(across), value: -1000 }, near(along)];
    const weighed = modes.map((mode) => done(clusterWeighJob, { problem, mode }));
    expect(weighed[0].value).toBeLessThan(weighed[1].value);
    expect(beginnings(modes, weighed)).toEqual([modes[1], modes[1]]);
  });
});

it("a mode is no better for a cluster that closes on a value that repeats", () => {
  let higher = 0;
  for (let seed = 1; seed <= 6; seed++) {
    const rng = Rng.seeded(seed);
    const labels = Uint16Array.from({ length: 160 }, (_, i) => i % 2);
    const raw = new Float64Array(3 * labels.length);
    labels.forEach((k, i) => {
      const rounded = Math.round(k === 0 ? 0.5 * normal(rng) : 4 + 2 * normal(rng));
      raw.set([3 * k + normal(rng), normal(rng), rounded], 3 * i);
    });
    const { exact, rows, near } = two(raw, 3);
    const truth = near(labels);
    const repeated = near(labels.map((_, i) => (raw[3 * i + 2] === 0 ? 1 : 0)));
    expect(truth.sharpness).toBe(0);
    expect(repeated.value).toBeLessThan(truth.value - 10);
    if (repeated.value + repeated.sharpness > truth.value) higher += 1;
    const found = ended(mixtureMode(Rng.seeded(seed), exact, rows));
    expect(found.value).toBeGreaterThan(truth.value - 1);
  }
  // Otherwise there would be nothing to test.
  expect(higher).toBeGreaterThan(3);
});
