import { describe, expect, it } from "vitest";
import { Rng } from "../../../src/math/rng.js";
import {
  betaBinomialPrior,
  inclusionPrior,
  sizePrior,
  uniformPrior,
} from "../../../src/models/model-priors.js";
import { modelCount } from "../../../src/selection/posterior/enumeration/model-tree.js";
import { sureCandidates } from "../../../src/selection/posterior/enumeration/sure.js";
import type { ModelSpace, ModelWeights } from "../../../src/selection/posterior/model-weights.js";
import { fixed, type Slab } from "../../../src/selection/posterior/slab.js";
import { gibbsWeights } from "../../../src/selection/posterior/walks/gibbs-weights.js";
import { type GibbsInput, temperedGibbs } from "../../../src/selection/posterior/walks/tempered-gibbs.js";
import { bruteForce } from "../brute-force.js";
import { type Regression, regression, statisticsOf } from "../problems.js";
import { CASES, doubtful, enumerated, learned, P, PRIORS, SLABS, scalesOf, spaceOf } from "./doubtful.js";

describe("enumeration", () => {
  it.each(CASES)("has the probabilities of brute force: $kind, $slab.kind × $scales, noise $noise", (c) => {
    const data = doubtful(21, 0.7);
    for (const [always, maxSize] of [
      [[], P],
      [[3], 7],
      [[3], 2],
    ] as const) {
      const space = spaceOf(c.prior, always, maxSize);
      const { models, ...found } = enumerated(data, c.slab, c.noise, space);
      const truth = bruteForce(data, {
        slab: c.slab.kind,
        scale: scalesOf(c.slab),
        ...(c.noise !== undefined && { noiseVariance: c.noise }),
        logPrior: c.prior.logModel,
        always,
        maxSize,
        intercept: true,
        standard: false,
      });
      truth.pip.forEach((pip, j) => {
        expect(found.inclusion[j]).toBeCloseTo(pip, 10);
      });
      found.size.forEach((share, k) => {
        expect(share).toBeCloseTo(truth.size[k], 10);
      });
      for (const { members, probability } of models.slice(0, 20)) {
        expect(probability).toBeCloseTo(truth.models.get(members.join())!, 10);
      }
      expect(truth.models.size).toBe(modelCount(P, space));
    }
  });
});

describe("candidates that are sure", () => {
  it.each(SLABS)("are in every model that weighs anything: $kind × $scales.length", (slab) => {
    const beta = [6, 0.4, -5, 0, 0.3, -0.2, 0, 4];
    const data = regression(Rng.seeded(5), { rows: 80, beta, correlation: 0.3, noise: 1 });
    for (const noise of [undefined, 1.1]) {
      for (const [always, maxSize] of [
        [[], P],
        [[3], 6],
        [[2], 3],
      ] as const) {
        const space = spaceOf(PRIORS[1], always, maxSize);
        const sure = sureCandidates(statisticsOf(data, true), slab, noise, space);
        const truth = bruteForce(data, {
          slab: slab.kind,
          scale: scalesOf(slab),
          ...(noise !== undefined && { noiseVariance: noise }),
          logPrior: PRIORS[1].logModel,
          always,
          maxSize,
          intercept: true,
          standard: false,
        });
        for (const j of sure) expect(truth.pip[j]).toBeGreaterThan(1 - 1e-12);
        const { inclusion, models } = enumerated(data, slab, noise, space);
        truth.pip.forEach((pip, j) => {
          expect(inclusion[j]).toBeCloseTo(pip, 10);
        });
        for (const { members, probability } of models.slice(0, 20)) {
          expect(probability).toBeCloseTo(truth.models.get(members.join())!, 10);
        }
        // Effects of five standard deviations in 80 rows leave no doubt.
        const strong = [0, 2, 7].filter((j) => !(always as readonly number[]).includes(j));
        if (strong.length <= maxSize && noise !== undefined) expect(sure).toEqual(strong);
      }
    }
  });

  it("are none where effects are weak, or more than a model may hold", () => {
    const weak = statisticsOf(doubtful(21, 0.7), true);
    expect(sureCandidates(weak, SLABS[0], undefined, spaceOf(PRIORS[0], [], P))).toEqual([]);
    const beta = [9, 9, 9, 9, 0, 0, 0, 0];
    const data = regression(Rng.seeded(5), { rows: 80, beta, correlation: 0, noise: 1 });
    expect(sureCandidates(statisticsOf(data, true), SLABS[0], 1, spaceOf(PRIORS[0], [], 3))).toEqual([]);
  });
});

describe("the model priors", () => {
  it.each(PRIORS)("$kind sums to one over all models", (prior) => {
    const choose = (n: number, k: number): number => (k === 0 ? 1 : (choose(n - 1, k - 1) * n) / k);
    let total = 0;
    for (let k = 0; k < P; k++) total += choose(P - 1, k) * Math.exp(prior.logModel(k));
    expect(total).toBeCloseTo(1, 12);
    expect(sizePrior(prior, P - 1, P - 1)[2]).toBeCloseTo(choose(P - 1, 2) * Math.exp(prior.logModel(2)), 12);
  });

  it("beta-binomial(1, 1) makes all sizes equally likely, and its mean follows its parameters", () => {
    for (const share of sizePrior(betaBinomialPrior(9), 9, 9)) expect(share).toBeCloseTo(0.1, 12);
    // E k = p·a/(a + b)
    const mean = sizePrior(betaBinomialPrior(9, 1, 2), 9, 9).reduce((sum, share, k) => sum + k * share, 0);
    expect(mean).toBeCloseTo(3, 10);
  });
});

/** Deviations in units of the errors that the sampler states; below one in 10⁵ stated errors are not trusted. */
function deviations(sampled: ModelWeights, exact: ModelWeights): number[] {
  return Array.from(sampled.inclusion, (pip, j) => {
    return Math.abs(pip - exact.inclusion[j]) / Math.max(sampled.inclusionError[j], 1e-5);
  });
}

describe("tempered Gibbs sampling", () => {
  interface Problem {
    readonly data: Regression;
    readonly slab: Slab;
    readonly noise: number | undefined;
    readonly space: ModelSpace;
  }
  /** Two rounds of each chain, the second going on where the first ended. */
  const run = ({ data, slab, noise, space }: Problem, seed: number, chains = 4, flips = 1500) => {
    const problem = { statistics: statisticsOf(data, true), slab, noiseVariance: noise, space, seed, flips };
    const outputs = Array.from({ length: chains }, (_, chain) => {
      const scale = chain % slab.scales.length;
      const first = { ...problem, chain, round: 0, burnIn: 300, start: [], scale } as const;
      const before = whole(first);
      const { members: start, scale: last } = before;
      return [before, whole({ ...first, round: 1, burnIn: 0, start, scale: last })];
    });
    return gibbsWeights(outputs.flat(), slab);
  };

  // 24 cases × 8 probabilities; at 4.5 stated errors a false alarm has a probability below 2e-3 in all.
  it.each(CASES)(
    "agrees with enumeration within its own errors: $kind, $slab.kind × $scales, noise $noise",
    (c) => {
      const data = doubtful(22, 0.7);
      for (const [always, maxSize] of [
        [[], P],
        [[3], 2],
      ] as const) {
        const space = spaceOf(c.prior, always, maxSize);
        const exact = enumerated(data, c.slab, c.noise, space);
        // Moving between scales takes some of the flips.
        const flips = c.scales > 1 ? 6000 : 1500;
        const sampled = run({ data, slab: c.slab, noise: c.noise, space }, 7, 4, flips);
        expect(Math.max(...deviations(sampled, exact))).toBeLessThan(4.5);
        expect(Math.max(...sampled.inclusionError)).toBeLessThan(0.006);
        exact.size.forEach((share, k) => {
          expect(Math.abs(sampled.size[k] - share)).toBeLessThan(0.02);
        });
        exact.scale.forEach((probability, s) => {
          expect(Math.abs(sampled.scale[s] - probability)).toBeLessThan(0.02);
        });
        const [{ members, probability }] = exact.models;
        const same = sampled.models.find((model) => model.members.join() === members.join());
        expect(Math.abs(same!.probability - probability)).toBeLessThan(0.02);
        expect(sampled.mixing!.rhat).toBeLessThan(1.05);
      }
    },
  );

  it("tells chains in modes of their own from chains that differ in the number of weak members alone", () => {
    const columns = 200;
    const slab = fixed({ kind: "independent", scale: 1 });
    /** Four chains, given what each of them says of every column. */
    const mixing = (inclusion: (chain: number, j: number) => number) => {
      const outputs = Array.from({ length: 4 }, (_, chain) => {
        const sum = Float64Array.from({ length: columns }, (__, j) => inclusion(chain, j));
        const modelSize = sum.reduce((a, b) => a + b, 0);
        const variance = sum.reduce((v, p) => v + p * (1 - p), 0);
        const piece = { weight: 1, sum, modelSize, squaredSize: modelSize ** 2 + variance };
        const model = { members: [], scale: 0 };
        const visits = {
          members: new Uint32Array(0),
          ends: new Uint32Array(0),
          weights: new Float64Array(0),
          keys: new Float64Array(0),
        };
        return {
          ...{ chain, ...model, scales: Float64Array.of(1), best: { ...model, logPosterior: 0 } },
          ...{ pieces: [piece], sizes: new Float64Array(columns + 1), visits },
        };
      });
      return gibbsWeights(outputs, slab).mixing!;
    };
    const apart = [0.025, -0.025, 0.01, -0.01];
    const weak = mixing((chain) => 0.4 + apart[chain]);
    expect(weak.rhat).toBeGreaterThan(1.1);
    // √(Σ apart²/3/4)
    expect(weak.apart).toBeCloseTo(0.01099, 5);
    const modes = mixing((chain, j) => Number(chain > 0 ? j < 3 : j < 5));
    expect(modes.apart).toBeCloseTo(0.25, 10);
  });

  it("crosses between near-copies of a true column", () => {
    const rng = Rng.seeded(31);
    const base = regression(rng, { rows: 400, beta: [0.4, 0.3, 0, 0], correlation: 0, noise: 1 });
    const jitter = regression(rng, { rows: 400, beta: [1, 1, 1, 1], correlation: 0, noise: 1 });
    // Columns correlated at 0.9995 with the first two, and exact copies.
    const near = base.columns
      .slice(0, 2)
      .map((x, j) => x.map((value, i) => value + 0.03 * jitter.columns[j][i]));
    const data = { y: base.y, columns: [...base.columns, ...near, [...base.columns[0]]] };
    for (const slab of [
      fixed({ kind: "independent", scale: 1 }),
      fixed({ kind: "zellner", scale: 400 }),
      learned("independent", [0.1, 1, 10]),
    ]) {
      const space = spaceOf(inclusionPrior(7, 0.1), [], 7);
      const exact = enumerated(data, slab, undefined, space);
      const sampled = run({ data, slab, noise: undefined, space }, 9);
      expect(Math.max(...deviations(sampled, exact))).toBeLessThan(4.5);
      expect(exact.inclusion[0]).toBeCloseTo(exact.inclusion[6], 10);
      expect(Math.max(...exact.inclusion)).toBeLessThan(0.8);
    }
  });

  // A model that lacks one of them has log odds of hundreds or thousands for it.
  it.each([200, 800, 3000])(
    "beside effects that no doubt is about the rest is weighed right: %i rows",
    (rows) => {
      const weak = [0.06, 0.05, 0.04, 0, 0].map((effect) => effect * Math.sqrt(3000 / rows));
      const data = regression(Rng.seeded(8), { rows, beta: [2, -3, 1.5, ...weak], correlation: 0, noise: 1 });
      for (const slab of [learned("independent", [0.03, 1, 30]), learned("zellner", [30, 1000, 30_000])]) {
        for (const noise of [undefined, 1]) {
          const space = spaceOf(betaBinomialPrior(P, 1, 1), [], P);
          const exact = enumerated(data, slab, noise, space);
          const sampled = run({ data, slab, noise, space }, 5, 4, 6000);
          expect(Math.max(...deviations(sampled, exact))).toBeLessThan(4.5);
          exact.scale.forEach((probability, s) => {
            expect(Math.abs(sampled.scale[s] - probability)).toBeLessThan(0.03);
          });
        }
      }
    },
  );

  it("states errors that match the spread over repetitions", () => {
    const [data, slab] = [doubtful(23, 0.8), learned("zellner", [10, 60, 360])];
    const space = spaceOf(uniformPrior(P), [], P);
    const exact = enumerated(data, slab, undefined, space);
    const squares: number[] = [];
    for (let seed = 0; seed < 40; seed++) {
      const sampled = run({ data, slab, noise: undefined, space }, 100 + seed, 2, 1500);
      squares.push(deviations(sampled, exact).reduce((sum, z) => sum + z * z, 0) / P);
    }
    // Mean square of z over 40 × 8 dependent values: 1 ± about 0.15. Error bars half or twice as long would show.
    const mean = squares.reduce((a, b) => a + b, 0) / squares.length;
    expect(mean).toBeGreaterThan(0.5);
    expect(mean).toBeLessThan(1.6);
  });
});

/** A stretch from its first flip to its last. */
function whole(job: GibbsInput) {
  const stretch = temperedGibbs(job);
  while (stretch.next());
  return stretch.result();
}
