import { describe, expect, it } from "vitest";
import { chiSquareTail } from "../../../src/math/distributions.js";
import { quantile } from "../../../src/math/quantile.js";
import { Rng } from "../../../src/math/rng.js";
import { chiSquare, multivariateNormal } from "../../../src/math/variates.js";
import {
  betaBinomialPrior,
  inclusionPrior,
  type ModelPrior,
  sizePrior,
  uniformPrior,
} from "../../../src/models/model-priors.js";
import { enumerateModels } from "../../../src/selection/posterior/enumeration/enumerate.js";
import { modelCount } from "../../../src/selection/posterior/enumeration/model-tree.js";
import { sureCandidates } from "../../../src/selection/posterior/enumeration/sure.js";
import { gibbsWeights } from "../../../src/selection/posterior/gibbs-weights.js";
import {
  components,
  modelLaw,
  summarizeCoefficients,
  summarizeNoise,
} from "../../../src/selection/posterior/mixture.js";
import {
  type ModelSpace,
  type ModelWeights,
  thinnedModels,
} from "../../../src/selection/posterior/model-weights.js";
import { fixed, normalized, type Slab } from "../../../src/selection/posterior/slab.js";
import { type GibbsInput, temperedGibbs } from "../../../src/selection/posterior/tempered-gibbs.js";
import { bruteForce } from "../brute-force.js";
import { type Regression, regression, statisticsOf } from "../problems.js";

const P = 8;
const PRIORS = [inclusionPrior(P - 1, 0.2), betaBinomialPrior(P - 1, 1, 2.5), uniformPrior(P - 1)];

/** Effects near the edge of what the data can see, so that inclusion probabilities spread over (0, 1). */
const doubtful = (seed: number, correlation: number): Regression =>
  regression(Rng.seeded(seed), {
    rows: 60,
    beta: [0.5, 0.3, -0.3, 0.2, -0.1, 0, 0, 0],
    correlation,
    noise: 1,
  });

/** With a scale that is not known, and weights that are all different. */
const learned = (kind: Slab["kind"], scales: readonly number[]): Slab => ({
  kind,
  scales,
  logPrior: normalized(scales.map((_, s) => -0.5 * s)),
  first: scales[0],
});
const SLABS = [
  fixed({ kind: "independent", scale: 0.8 }),
  fixed({ kind: "zellner", scale: 60 }),
  learned("independent", [0.02, 0.3, 4]),
  learned("zellner", [2, 30, 500, 9000]),
];
const CASES = PRIORS.flatMap((prior) =>
  SLABS.flatMap((slab) =>
    [undefined, 1.1].map((noise) => ({ prior, slab, noise, kind: prior.kind, scales: slab.scales.length })),
  ),
);
const scalesOf = ({ scales, logPrior }: Slab) => scales.map((scale, s) => ({ scale, logPrior: logPrior[s] }));

function spaceOf(prior: ModelPrior, always: readonly number[], maxSize: number): ModelSpace {
  return { logModel: Float64Array.from({ length: maxSize + 1 }, (_, k) => prior.logModel(k)), always };
}

function enumerated(data: Regression, slab: Slab, noise: number | undefined, space: ModelSpace) {
  return enumerateModels(statisticsOf(data, true), slab, noise, space);
}

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

describe("model-averaged coefficients", () => {
  const data = doubtful(24, 0.6);
  const space = spaceOf(uniformPrior(P), [], P);
  const mixtureOf = (slab: Slab, noise: number | undefined, weights: ModelWeights) => {
    const statistics = statisticsOf(data, true);
    return components(statistics, noise, weights, (members, fine) =>
      modelLaw(statistics, slab, noise, members, fine).map((part) => ({ ...part, centre: undefined })),
    );
  };

  it.each([undefined, 1.1])("have the means and deviations of brute force, noise %s", (noise) => {
    const slab = learned("zellner", [10, 60]);
    const weights = enumerated(data, slab, noise, space);
    const truth = bruteForce(data, {
      slab: "zellner",
      scale: scalesOf(slab),
      ...(noise !== undefined && { noiseVariance: noise }),
      logPrior: () => 0,
      intercept: true,
      standard: false,
    });
    const mixture = mixtureOf(slab, noise, weights);
    const found = summarizeCoefficients(mixture, weights.inclusion);
    found.forEach(({ mean, sd, meanIfIncluded }, j) => {
      expect(mean).toBeCloseTo(truth.mean[j], 4);
      expect(sd).toBeCloseTo(truth.sd[j], 4);
      expect(meanIfIncluded * weights.inclusion[j]).toBeCloseTo(mean, 12);
    });
    if (noise === undefined) expect(summarizeNoise(mixture).mean).toBeCloseTo(truth.noise, 4);
  });

  it.each([undefined, 1.1])("have the quantiles and signs of direct draws, noise %s", (noise) => {
    const slab = learned("independent", [0.3, 1]);
    const weights = enumerated(data, slab, noise, space);
    const mixture = mixtureOf(slab, noise, weights);
    const found = summarizeCoefficients(mixture, weights.inclusion);
    const rng = Rng.seeded(77);
    const draws = 40_000;
    const values = Array.from({ length: P }, () => new Float64Array(draws));
    const noises = new Float64Array(draws);
    const counts = systematic(rng, mixture, draws);
    let d = 0;
    mixture.forEach(({ posterior }, m) => {
      const k = posterior.members.length;
      const factor = choleskyOf(posterior.covariance, k);
      const out = new Float64Array(k);
      for (let i = 0; i < counts[m]; i++, d++) {
        // σ² | S ~ RSS/χ²_ν, β | σ², S ~ N: the t distribution by its definition.
        const variance = noise ?? posterior.residualSquares / chiSquare(rng, posterior.freedom);
        const typical = noise ?? posterior.residualSquares / posterior.freedom;
        multivariateNormal(rng, out, new Float64Array(k), factor);
        posterior.members.forEach((j, a) => {
          values[j][d] = posterior.mean[a] + Math.sqrt(variance / typical) * out[a];
        });
        noises[d] = variance;
      }
    });
    expect(d).toBe(draws);
    found.forEach(({ lower, upper, sd, signProbability, meanIfIncluded, ...given }, j) => {
      const included = values[j].filter((value) => value !== 0);
      const same = included.filter((value) => value * meanIfIncluded > 0).length / included.length;
      expect(Math.abs(same - signProbability)).toBeLessThan(4.5 * Math.sqrt(0.25 / included.length));
      // Share of draws below a quantile, with the point mass at zero on both sides of it. Standard error 0.0008.
      for (const [q, at] of [
        [0.025, lower],
        [0.975, upper],
      ] as const) {
        const below = values[j].filter((value) => value < at).length / draws;
        const upTo = values[j].filter((value) => value <= at).length / draws;
        expect(below).toBeLessThan(q + 0.0035);
        expect(upTo).toBeGreaterThan(q - 0.0035);
      }
      for (const [q, at] of [
        [0.025, given.lowerIfIncluded],
        [0.975, given.upperIfIncluded],
      ] as const) {
        const below = included.filter((value) => value < at).length / included.length;
        expect(Math.abs(below - q)).toBeLessThan(4.5 * Math.sqrt((q * (1 - q)) / included.length));
      }
      expect(sd).toBeGreaterThan(0);
    });
    if (noise !== undefined) return;
    const summary = summarizeNoise(mixture);
    noises.sort();
    // Standard error of a 2.5% quantile of σ² from 40,000 draws: about 0.5% of it.
    expect(Math.abs(quantile(noises, 0.025) / summary.lower - 1)).toBeLessThan(0.02);
    expect(Math.abs(quantile(noises, 0.975) / summary.upper - 1)).toBeLessThan(0.02);
  });

  it("has the chi-square quantiles of σ² when one model carries everything, also when its scale is extreme", () => {
    for (const residualSquares of [1e-12, 30, 1e12]) {
      const one = { members: [], mean: new Float64Array(0), covariance: new Float64Array(0) };
      const summary = summarizeNoise([
        { probability: 1, posterior: { ...one, freedom: 12, residualSquares }, centre: undefined },
      ]);
      expect(summary.mean / (residualSquares / 10)).toBeCloseTo(1, 12);
      expect(chiSquareTail(residualSquares / summary.lower, 12)).toBeCloseTo(0.025, 6);
      expect(chiSquareTail(residualSquares / summary.upper, 12)).toBeCloseTo(0.975, 6);
    }
  });

  it("brackets σ² when a rare model fits very much worse", () => {
    const one = { members: [], mean: new Float64Array(0), covariance: new Float64Array(0), freedom: 6 };
    const summary = summarizeNoise([
      { probability: 0.99, posterior: { ...one, residualSquares: 1 }, centre: undefined },
      { probability: 0.01, posterior: { ...one, residualSquares: 1e6 }, centre: undefined },
    ]);
    // The bulk decides: P(σ² < x) ≈ 0.99·P(χ²₆ > 1/x).
    expect(0.99 * chiSquareTail(1 / summary.lower, 6)).toBeCloseTo(0.025, 5);
  });

  it("thins a long list of models without losing probability or favouring the top", () => {
    const one = { members: [], mean: new Float64Array(0), covariance: new Float64Array(0), freedom: 6 };
    const mixture = Array.from({ length: 2000 }, (_, i) => ({
      probability: i === 0 ? 0.5 : 0.5 / 1999,
      posterior: { ...one, residualSquares: i },
    }));
    const few = thinnedModels(mixture, 100);
    const total = few.reduce((sum, { probability }) => sum + probability, 0);
    const average = few.reduce((sum, c) => sum + c.probability * c.posterior.residualSquares, 0);
    expect(total).toBeCloseTo(1, 12);
    expect(few.length).toBeLessThanOrEqual(100);
    expect(Math.abs(average / 500 - 1)).toBeLessThan(0.02);
  });
});

/** How often each model is drawn: its share, rounded so that the counts add up. */
function systematic(rng: Rng, mixture: readonly { probability: number }[], draws: number): number[] {
  let cumulative = rng.uniform();
  let before = 0;
  return mixture.map(({ probability }, i) => {
    cumulative += probability * draws;
    const upTo = i === mixture.length - 1 ? draws : Math.min(draws, Math.floor(cumulative));
    const count = upTo - before;
    before = upTo;
    return count;
  });
}

function choleskyOf(matrix: Float64Array, n: number): Float64Array {
  const factor = matrix.slice();
  for (let i = 0; i < n; i++) {
    for (let j = 0; j <= i; j++) {
      let sum = matrix[i * n + j];
      for (let k = 0; k < j; k++) sum -= factor[i * n + k] * factor[j * n + k];
      factor[i * n + j] = i === j ? Math.sqrt(sum) : sum / factor[j * n + j];
    }
    for (let j = i + 1; j < n; j++) factor[i * n + j] = 0;
  }
  return factor;
}

/** A stretch from its first flip to its last. */
function whole(job: GibbsInput) {
  const stretch = temperedGibbs(job);
  while (stretch.next());
  return stretch.result();
}
