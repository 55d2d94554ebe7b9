import { describe, expect, it } from "vitest";
import { clusters } from "../../src/clustering/clusters.js";
import { compareComponents } from "../../src/clustering/compare/compare-components.js";
import { compareStates } from "../../src/clustering/compare/compare-states.js";
import { counted } from "../../src/clustering/compare/counted.js";
import { hiddenStates } from "../../src/clustering/hidden-states.js";
import { SparrowError } from "../../src/errors.js";
import { assignment } from "../../src/math/assignment.js";
import { normal } from "../../src/math/normal.js";
import { Rng } from "../../src/math/rng.js";
import { callingThread } from "../../src/workers/crew.js";

/** Rows about centres that differ by `apart` along a direction in which correlated columns hardly vary. */
function rows(
  count: number,
  settings: { correlation: number; components: number; apart: number; seed: number },
) {
  const { correlation, components, apart, seed } = settings;
  const rng = Rng.seeded(seed);
  const [a, b] = [Math.sqrt(correlation), Math.sqrt(1 - correlation)];
  const labels = Array.from({ length: count }, () => rng.below(components));
  const values = new Float64Array(2 * count);
  labels.forEach((k, i) => {
    const common = normal(rng);
    for (const j of [0, 1])
      values[2 * i + j] = (j === 0 ? 1 : -1) * apart * b * k + a * common + b * normal(rng);
  });
  return { values, labels };
}

describe("correlated columns", () => {
  it.each([0.9, 0.99, 0.9999])(
    "do not make clusters diverge, one Gaussian among them, correlation %s",
    async (correlation) => {
      for (const components of [1, 2]) {
        const { values, labels } = rows(200, { correlation, components, apart: 4, seed: 3 });
        const fit = await clusters(values, { columns: 2, components });
        expect(fit.verdict).toBe("No problems found.");
        const [first] = fit.clusters;
        const ratio =
          first.covariance[0][1].mean / Math.sqrt(first.covariance[0][0].mean * first.covariance[1][1].mean);
        expect(1 - ratio).toBeGreaterThan(0.6 * (1 - correlation));
        expect(1 - ratio).toBeLessThan(1.8 * (1 - correlation));
        if (components === 1) continue;
        const belongs = fit.membership(values).filter((_, i) => i % 2 === 0);
        const same = labels.filter((k, i) => belongs[i] > 0.5 === (k === 0)).length / labels.length;
        expect(Math.max(same, 1 - same)).toBeGreaterThan(0.97);
      }
    },
  );

  it("do not make hidden states diverge", async () => {
    const rng = Rng.seeded(4);
    let state = 0;
    const values = new Float64Array(1200);
    for (let t = 0; t < 600; t++) {
      if (rng.uniform() < 0.1) state = 1 - state;
      const common = normal(rng);
      for (const j of [0, 1]) values[2 * t + j] = (j === 0 ? 0.4 : -0.4) * state + common + 0.1 * normal(rng);
    }
    const fit = await hiddenStates(values, { states: 2, emission: { kind: "gaussian", columns: 2 } });
    expect(fit.verdict).toBe("No problems found.");
    const difference = fit.states.map(({ mean }) => mean![0].mean - mean![1].mean).sort((a, b) => a - b);
    expect(difference[0]).toBeCloseTo(0, 1);
    expect(difference[1]).toBeCloseTo(0.8, 1);
  });
});

it.each([1e-2, 1e-4])(
  "the prior does not widen clusters that are tight, sd %s of their distance",
  async (sd) => {
    const rng = Rng.seeded(9);
    const values = Float64Array.from({ length: 160 }, (_, i) => (Math.floor(i / 2) % 2) + sd * normal(rng));
    const fit = await clusters(values, { columns: 2, components: 2 });
    expect(fit.verdict).toBe("No problems found.");
    for (const { covariance } of fit.clusters) {
      // 40 rows: a standard error of 22% of a variance.
      for (const j of [0, 1]) {
        expect(covariance[j][j].mean / sd ** 2).toBeGreaterThan(0.5);
        expect(covariance[j][j].mean / sd ** 2).toBeLessThan(1.7);
      }
    }
  },
);

describe("what is not a number", () => {
  it("is a hole in a row, and an infinite one is refused by its place", async () => {
    const { values } = rows(150, { correlation: 0.5, components: 2, apart: 6, seed: 5 });
    const holey = values.map((value, i) => (i % 11 === 4 ? Number.NaN : value));
    const [whole, some] = [
      await clusters(values, { columns: 2, components: 2 }),
      await clusters(holey, { columns: 2, components: 2 }),
    ];
    expect(some.verdict).toBe("No problems found.");
    whole.clusters.forEach(({ mean }, k) => {
      for (const j of [0, 1]) {
        expect(Math.abs(mean[j].mean - some.clusters[k].mean[j].mean)).toBeLessThan(2 * mean[j].sd);
      }
    });
    const worse = values.map((value, i) => (i === 7 ? Number.POSITIVE_INFINITY : value));
    await expect(clusters(worse, { columns: 2, components: 2 })).rejects.toThrow(
      /infinite number in row 4 of column 2/,
    );
  });

  it("is a hole in a step, of numbers and of codes", async () => {
    const rng = Rng.seeded(6);
    let state = 0;
    const path = Array.from({ length: 800 }, () => {
      if (rng.uniform() < 0.05) state = 1 - state;
      return state;
    });
    const isHole = (t: number) => t % 9 === 2;
    const numbers = Float64Array.from(path, (k, t) => (isHole(t) ? Number.NaN : 4 * k + normal(rng)));
    const codes = Float64Array.from(path, (k, t) =>
      isHole(t) ? Number.NaN : rng.uniform() < 0.9 ? k : 1 - k,
    );
    const first = await hiddenStates(numbers, { states: 2, emission: { kind: "gaussian" } });
    const second = await hiddenStates(codes, { states: 2, emission: { kind: "categorical", levels: 2 } });
    const found = [first.path(numbers), second.path(codes)];
    for (const states of found) {
      const same = path.filter((k, t) => k === states[t]).length / path.length;
      expect(Math.max(same, 1 - same)).toBeGreaterThan(0.93);
    }
    expect(first.probabilities(numbers)).toHaveLength(1600);
  });

  it("ends an assignment in an error instead of going on for ever", () => {
    for (const wrong of [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]) {
      expect(() =>
        assignment([
          [0, 1],
          [wrong, 2],
        ]),
      ).toThrow(/not a finite number/);
    }
  });
});

describe("numbers of clusters and states", () => {
  it("that fail leave the others alone", async () => {
    const job = {
      name: "test",
      start: (_: unknown, { problem }: { problem: number }) => ({
        next: () => false,
        done: 1,
        result: () =>
          problem === 2
            ? { failure: "Two is too many." }
            : { logLikelihood: -10 * problem, parameters: problem, scores: Float64Array.of(-1, -2) },
      }),
    };
    const settings = {
      job,
      kind: "clusters",
      counts: [1, 2, 3],
      problem: (count: number) => count,
      folds: 2,
      rng: Rng.seeded(1),
      seconds: 0,
      running: {},
      crew: callingThread,
      observed: () => ({
        rows: 2,
        logScale: 0,
        logScales: new Float64Array(2),
        sizes: new Float64Array(2).fill(1),
      }),
    };
    const found = await counted(settings);
    expect(found.scores.map(({ count }) => count)).toEqual([1, 3]);
    expect(found).toMatchObject({ chosen: 1, failures: [{ count: 2, failure: "Two is too many." }] });
    await expect(counted({ ...settings, counts: [2] })).rejects.toThrow(SparrowError);
  });

  it("that are more than the rows or steps leave the others alone", async () => {
    const values = Float64Array.of(1, 2, 0, 3, 5, 1);
    const found = await compareComponents(values, { columns: 2, counts: [1, 3, 4] });
    expect(found.scores.map(({ components }) => components)).toEqual([1, 3]);
    expect(found.failures).toEqual([
      { components: 4, failure: "There are only 3 rows, and each cluster needs one of its own." },
    ]);
    const emission = { kind: "gaussian" } as const;
    await expect(compareStates(values, { counts: [7], emission })).rejects.toThrow(
      /only 6 steps, and each state/,
    );
  });

  it("of states are chosen, too", async () => {
    const rng = Rng.seeded(7);
    let state = 0;
    const values = Float64Array.from({ length: 600 }, () => {
      if (rng.uniform() < 0.1) state = rng.below(3);
      return 4 * state + normal(rng);
    });
    const { chosen, scores } = await compareStates(values, {
      counts: [1, 2, 3, 4],
      emission: { kind: "gaussian" },
    });
    expect(chosen).toBe(3);
    expect(scores.map(({ parameters }) => parameters)).toEqual([2, 6, 12, 20]);
    expect(scores[0].behind.mean).toBeGreaterThan(5 * scores[0].behind.error);
  });
});
