import { expect, it } from "vitest";
import { clusters } from "../../src/clustering/clusters.js";
import { hiddenStates } from "../../src/clustering/hidden-states.js";
import type { Estimate } from "../../src/clustering/sampled.js";
import { normal } from "../../src/math/normal.js";
import { Rng } from "../../src/math/rng.js";

const rows = 25_000;
const rng = Rng.seeded(4);

/** −∇² of a function by differences of its values, inverted: the diagonal's roots are the sds of its Gaussian. */
function gaussianSds(f: (x: readonly number[]) => number, at: readonly number[], h: number): number[] {
  const moved = (i: number, j: number, a: number, b: number) =>
    f(at.map((x, k) => x + (k === i ? a * h : 0) + (k === j ? b * h : 0)));
  const n = at.length;
  const augmented = at.map((_, i) => [
    ...at.map(
      (__, j) =>
        -(moved(i, j, 1, 1) - moved(i, j, 1, -1) - moved(i, j, -1, 1) + moved(i, j, -1, -1)) / (4 * h * h),
    ),
    ...at.map((__, j) => (i === j ? 1 : 0)),
  ]);
  for (let i = 0; i < n; i++) {
    const pivot = augmented[i][i];
    augmented[i] = augmented[i].map((x) => x / pivot);
    for (let r = 0; r < n; r++) {
      if (r === i) continue;
      const factor = augmented[r][i];
      augmented[r] = augmented[r].map((x, c) => x - factor * augmented[i][c]);
    }
  }
  return at.map((_, i) => Math.sqrt(augmented[i][n + i]));
}

/** Weight, mean, variance of the first, mean, variance of the second. */
const logLikelihood =
  (values: Float64Array) =>
  ([w, m1, v1, m2, v2]: readonly number[]): number => {
    const density = (x: number, m: number, v: number) => Math.exp((-0.5 * (x - m) ** 2) / v) / Math.sqrt(v);
    return values.reduce(
      (sum, x) => sum + Math.log(w * density(x, m1, v1) + (1 - w) * density(x, m2, v2)),
      0,
    );
  };

it("two overlapping clusters of much data settle in few iterations, with the sds of the likelihood's curvature", async () => {
  const values = Float64Array.from({ length: rows }, () =>
    rng.uniform() < 0.6 ? 10 + normal(rng) : 13 + 1.5 * normal(rng),
  );
  const fit = await clusters(values, { columns: 1, components: 2, iterations: 1500 });
  expect(fit.verdict).toMatch(/^No problems found\. The clusters overlap: /);
  const [a, b] = fit.clusters;
  const ours = [a.weight, a.mean[0], a.covariance[0][0], b.mean[0], b.covariance[0][0]];
  const truth = [0.6, 10, 1, 13, 2.25];
  const sds = gaussianSds(logLikelihood(values), truth, 0.01);
  // 300 effective draws or more leave 4% of an sd; 3 of those, and the curvature is taken at the truth: 5%.
  ours.forEach((one: Estimate, q) => {
    expect(Math.abs(one.sd / sds[q] - 1)).toBeLessThan(0.17);
    // A false alarm in 3000.
    expect(Math.abs(one.mean - truth[q])).toBeLessThan(4 * sds[q]);
  });
});

it("chains at modes that are as good as each other are said to disagree", async () => {
  // Two components for three clusters, a mirror image of themselves: either end may share one with the middle.
  const half = Float64Array.from({ length: 300 }, () => 6 * (rng.below(3) - 1) + normal(rng));
  const values = Float64Array.from([...half, ...half.map((x) => -x)]);
  const fit = await clusters(values, { columns: 1, components: 2, chains: 4, iterations: 300 });
  expect(fit.verdict).toMatch(/The chains disagree/);
});

it("the states of a long sequence settle in few iterations", async () => {
  let state = 0;
  const values = Float64Array.from({ length: rows }, () => {
    if (rng.uniform() < [0.05, 0.1][state]) state = 1 - state;
    return 2 * state + normal(rng);
  });
  const { states, verdict } = await hiddenStates(values, {
    states: 2,
    emission: { kind: "gaussian" },
    iterations: 2000,
  });
  expect(verdict).toBe("No problems found.");
  const [long, short] = states;
  const pairs: [Estimate, number, number][] = [
    [long.transitions[1], 0.05, 0.004],
    [short.transitions[0], 0.1, 0.007],
    [long.mean![0], 0, 0.02],
    [short.mean![0], 2, 0.03],
    [long.covariance![0][0], 1, 0.03],
  ];
  // 4 posterior sds, 5 comparisons: a false alarm in 3000 if the sds are right; they are asked not to be vast.
  for (const [ours, truth, largestSd] of pairs) {
    expect(Math.abs(ours.mean - truth)).toBeLessThan(4 * ours.sd);
    expect(ours.sd).toBeLessThan(largestSd);
  }
});
