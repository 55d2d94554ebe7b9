import { describe, expect, it } from "vitest";
import { chiSquareTail } from "../../../src/math/distributions.js";
import { quantile } from "../../../src/math/quantile.js";
import { Rng } from "../../../src/math/rng.js";
import { chiSquare, multivariateNormal } from "../../../src/math/variates.js";
import { uniformPrior } from "../../../src/models/model-priors.js";
import { lawsOf } from "../../../src/selection/posterior/laws/many-laws.js";
import {
  components,
  summarizeCoefficients,
  summarizeNoise,
} from "../../../src/selection/posterior/laws/mixture.js";
import { type ModelWeights, thinnedModels } from "../../../src/selection/posterior/model-weights.js";
import type { Slab } from "../../../src/selection/posterior/slab.js";
import { bruteForce } from "../brute-force.js";
import { statisticsOf } from "../problems.js";
import { doubtful, enumerated, learned, P, scalesOf, spaceOf } from "./doubtful.js";

describe("model-averaged coefficients", () => {
  const data = doubtful(24, 0.6);
  const space = spaceOf(uniformPrior(P), [], P);
  const mixtureOf = (slab: Slab, noise: number | undefined, weights: ModelWeights) => {
    const statistics = statisticsOf(data, true);
    return components(statistics, noise, weights, (models) =>
      lawsOf({ statistics, slab, noiseVariance: noise, centre: undefined }, models),
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
