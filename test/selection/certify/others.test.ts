import { describe, expect, test } from "vitest";
import { normal } from "../../../src/math/normal.js";
import { Rng } from "../../../src/math/rng.js";
import { poisson } from "../../../src/math/variates.js";
import { betaBinomialPrior, inclusionPrior } from "../../../src/models/model-priors.js";
import { slabWithOthers } from "../../../src/selection/certify/others.js";
import { logPriorAt, memberGain, type Slab } from "../../../src/selection/posterior/slab.js";
import { fitRegression, inclusion } from "../fit-arrays.js";

const SLAB: Slab = {
  kind: "independent",
  scales: [0.1, 1],
  logPrior: [Math.log(0.3), Math.log(0.7)],
  first: 1,
};

/** Σ over sets T of others: π(k + |T|) Π b_j, by elementary symmetric polynomials. */
function withEverySet(logModel: (size: number) => number, factors: readonly number[], k: number): number {
  const sums = [1, ...factors.map(() => 0)];
  factors.forEach((b, j) => {
    for (let m = j + 1; m >= 1; m--) sums[m] += b * sums[m - 1];
  });
  return Math.log(sums.reduce((total, sum, m) => total + sum * Math.exp(logModel(k + m)), 0));
}

describe("what models may hold of the columns outside", () => {
  const rng = Rng.seeded(4);
  const factors = SLAB.scales.map((_, s) =>
    Array.from({ length: 800 }, () => (s === 0 ? 0.5 : 0.1) * rng.uniform()),
  );
  const added = factors.map((each) => each.reduce((sum, b) => sum + b, 0));

  test("is added up over all sets of them, at every scale of the slab", () => {
    const prior = betaBinomialPrior(820, 1, 30);
    const slab = slabWithOthers(SLAB, { prior, maxSize: 300 }, { factors: added, size: 3, forced: 2 });
    for (const s of [0, 1]) {
      for (const k of [0, 1, 3, 6, 10]) {
        const exact = withEverySet(prior.logModel, factors[s], k) - prior.logModel(k);
        expect(exact).toBeGreaterThan(0.04);
        // The rest is that a set holds nobody twice, and that gains are not quite a line.
        expect((logPriorAt(slab, s, k + 2) - SLAB.logPrior[s]) / exact).toBeCloseTo(1, k === 3 ? 2 : 1);
      }
    }
  });

  test("favours no size where variables are in independently of each other, but scales that cost little", () => {
    const prior = inclusionPrior(820, 0.01);
    const slab = slabWithOthers(SLAB, { prior, maxSize: 300 }, { factors: added, size: 3, forced: 0 });
    for (const s of [0, 1]) {
      expect(memberGain(slab, s)).toBeCloseTo(0, 9);
      const exact = withEverySet(prior.logModel, factors[s], 3) - prior.logModel(3);
      expect((slab.logPrior[s] - SLAB.logPrior[s]) / exact).toBeCloseTo(1, 2);
    }
  });

  test("is nothing where there is none of them, or no room", () => {
    const prior = betaBinomialPrior(820, 1, 30);
    const none = slabWithOthers(SLAB, { prior, maxSize: 300 }, { factors: [0, 0], size: 3, forced: 0 });
    const full = slabWithOthers(SLAB, { prior, maxSize: 3 }, { factors: added, size: 3, forced: 0 });
    for (const s of [0, 1]) {
      expect(logPriorAt(none, s, 3)).toBe(SLAB.logPrior[s]);
      expect(logPriorAt(full, s, 3)).toBeCloseTo(SLAB.logPrior[s], 9);
    }
  });
});

/** Effects of a few standard errors, which nobody can be sure of. */
function weakEffects(family: "gaussian" | "binomial" | "poisson", rows: number, seed: number) {
  const rng = Rng.seeded(seed);
  const columns = Array.from({ length: 360 }, () => Float64Array.from({ length: rows }, () => normal(rng)));
  const effects = [2.2, 2.7, 3.1, 3.6].map((errors) => errors / Math.sqrt(rows));
  const y = Float64Array.from({ length: rows }, (_, i) => {
    const mean = effects.reduce((sum, effect, j) => sum + effect * columns[j][i], 0);
    if (family === "gaussian") return mean + normal(rng);
    if (family === "binomial") return rng.uniform() < 1 / (1 + Math.exp(-2 * mean)) ? 1 : 0;
    return poisson(rng, Math.exp(0.5 + 0.8 * mean));
  });
  return { columns, y };
}

// Without what candidates may hold of the others the largest of these differences are 0.22, 0.05, 0.15, 0.12, 0.05, 0.05.
describe("probabilities are those that there are when all columns are candidates", () => {
  test.each([
    { family: "gaussian", rows: 300, seed: 7 },
    { family: "gaussian", rows: 300, seed: 5 },
    { family: "binomial", rows: 600, seed: 3 },
    { family: "binomial", rows: 600, seed: 4 },
    { family: "poisson", rows: 600, seed: 5 },
    { family: "poisson", rows: 600, seed: 8 },
  ] as const)("$family, $seed", async ({ family, rows, seed }) => {
    const data = weakEffects(family, rows, seed);
    const some = await fitRegression(data, { family, seed: 1 });
    const all = await fitRegression(data, { family, seed: 1 }, true);
    expect(some.certificate!.candidates).toBeLessThan(120);
    expect(all.certificate!.candidates).toBe(360);
    const [of, from] = [inclusion(some), inclusion(all)];
    expect(Math.max(...of.map((pip, j) => Math.abs(pip - from[j])))).toBeLessThan(0.02);
  });
});
