import { expect, it } from "vitest";
import { Rng } from "../../src/math/rng.js";
import { bayesianLasso, type LassoStatistics } from "../../src/peers/bayesian-lasso.js";
import reference from "../reference/bayesian-lasso.json" with { type: "json" };

function statistics(): LassoStatistics {
  const centre = (values: number[]): number[] => {
    const mean = values.reduce((a, b) => a + b, 0) / values.length;
    return values.map((value) => value - mean);
  };
  const dot = (a: number[], b: number[]) => a.reduce((sum, value, i) => sum + value * b[i], 0);
  const x = reference.x.map(centre);
  const y = centre(reference.y);
  return {
    gram: x.map((a) => Float64Array.from(x, (b) => dot(a, b))),
    cross: Float64Array.from(x, (a) => dot(a, y)),
    targetSquares: dot(y, y),
    freedom: y.length - 1,
  };
}

for (const [when, noiseVariance, theirs] of [
  ["known", 1, reference.known],
  ["unknown", undefined, reference.unknown],
] as const) {
  it(`one coefficient at a time has the posterior means of all at once, σ² ${when}`, () => {
    // 40 chains give our standard errors; theirs are stored. False alarms: 7 comparisons at |z| < 4.5, 5e-5.
    const chains = Array.from({ length: 40 }, (_, i) => {
      const settings = { lambda: reference.lambda, iterations: 1500, burnIn: 50, noiseVariance };
      const { mean, noiseVariance: noise } = bayesianLasso(Rng.seeded(9).split(i), statistics(), settings);
      return noiseVariance === undefined ? [...mean, noise] : [...mean];
    });
    chains[0].forEach((_, j) => {
      const expected = theirs.mean[j];
      const values = chains.map((chain) => chain[j]);
      const mean = values.reduce((a, b) => a + b, 0) / values.length;
      const variance = values.reduce((sum, v) => sum + (v - mean) ** 2, 0) / (values.length - 1);
      const error = Math.hypot(Math.sqrt(variance / values.length), theirs.error[j]);
      expect(Math.abs(mean - expected)).toBeLessThanOrEqual(4.5 * error);
    });
  });
}
