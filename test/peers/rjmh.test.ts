import { describe, expect, it } from "vitest";
import { normal } from "../../src/math/normal.js";
import { Rng } from "../../src/math/rng.js";
import type { InnerProducts } from "../../src/peers/inner-products.js";
import { type RjmhPlan, rjmhChain } from "../../src/peers/rjmh.js";
import { Evidence } from "../../src/selection/posterior/evidence.js";

const P = 7;
const ROWS = 30;

/** Correlated columns with effects of all sizes, so that inclusion probabilities spread over (0, 1). */
function problem(): { products: InnerProducts; gram: Float64Array; cross: Float64Array } {
  const rng = Rng.seeded(11);
  const common = Array.from({ length: ROWS }, () => normal(rng));
  const x = Array.from({ length: P }, () => common.map((c) => 0.7 * c + normal(rng)));
  const effects = [0.5, -0.4, 0.35, 0.2, 0.1, 0, 0];
  const y = common.map((_, i) => effects.reduce((sum, b, j) => sum + b * x[j][i], normal(rng)));
  const dot = (a: number[], b: number[]) => a.reduce((sum, value, i) => sum + value * b[i], 0);
  const gram = Float64Array.from({ length: P * P }, (_, at) => dot(x[Math.floor(at / P)], x[at % P]));
  const cross = Float64Array.from(x, (column) => dot(column, y));
  const products: InnerProducts = {
    rows: ROWS,
    targetSquares: dot(y, y),
    target: (j) => cross[j],
    pair: (i, j) => gram[i * P + j],
  };
  return { products, gram, cross };
}

/** Posterior over all 2^P models up to the largest size, and the posterior means of the coefficients. */
function enumerated(plan: RjmhPlan): { inclusion: Float64Array; mean: Float64Array } {
  const { products, gram, cross } = problem();
  const statistics = { size: P, gram, cross, targetSquares: products.targetSquares, freedom: plan.freedom };
  const evidence = new Evidence(
    statistics,
    { kind: "independent", scale: plan.slabVariance },
    plan.noiseVariance,
  );
  const inclusion = new Float64Array(P);
  const mean = new Float64Array(P);
  let total = 0;
  for (let bits = 0; bits < 2 ** P; bits++) {
    const members = Array.from({ length: P }, (_, j) => j).filter((j) => (bits >> j) & 1);
    if (members.length > plan.maxSize) continue;
    evidence.rebuild(members);
    const odds = Math.log(plan.inclusion / (1 - plan.inclusion));
    const weight = Math.exp(evidence.logMarginal() + members.length * odds);
    const posterior = evidence.posterior();
    total += weight;
    posterior.members.forEach((j, i) => {
      inclusion[j] += weight;
      mean[j] += weight * posterior.mean[i];
    });
  }
  return { inclusion: inclusion.map((v) => v / total), mean: mean.map((v) => v / total) };
}

describe("reversible jumps on the full data", () => {
  const plan: RjmhPlan = {
    seed: 7,
    stream: 0,
    iterations: 4000,
    burnIn: 200,
    thin: 1,
    variables: Array.from({ length: P }, (_, j) => j),
    weights: Float64Array.from({ length: P }, (_, j) => 0.2 + 0.1 * j),
    inclusion: 0.3,
    maxSize: P,
    slabVariance: 2,
    noiseVariance: 1,
    freedom: ROWS,
  };
  const cases: [string, RjmhPlan][] = [
    ["σ² is known", plan],
    ["σ² is unknown", { ...plan, noiseVariance: undefined }],
    ["no more than two variables may be in", { ...plan, maxSize: 2 }],
  ];
  for (const [when, settings] of cases) {
    it(`give the enumerated inclusion probabilities and means when ${when}`, () => {
      // 25 independent chains give the standard errors. False alarms: 14 comparisons at |t| < 5 with 24 degrees of
      // freedom, 6e-4 for a fresh seed.
      const chains = Array.from({ length: 25 }, (_, stream) => {
        const chain = rjmhChain(problem().products, { ...settings, stream });
        while (chain.next());
        return chain.result();
      });
      const exact = enumerated(settings);
      for (const key of ["inclusion", "mean"] as const) {
        for (let j = 0; j < P; j++) {
          const values = chains.map((chain) => chain[key][j]);
          const mean = values.reduce((a, b) => a + b, 0) / values.length;
          const variance = values.reduce((sum, v) => sum + (v - mean) ** 2, 0) / (values.length - 1);
          expect(Math.abs(mean - exact[key][j])).toBeLessThan(5 * Math.sqrt(variance / values.length));
        }
      }
      expect(exact.inclusion.filter((pip) => pip > 0.05 && pip < 0.95).length).toBeGreaterThan(2);
    });
  }

  it("repeat themselves with the same seed and stream", () => {
    const [one, other] = [1, 1].map((stream) => {
      const chain = rjmhChain(problem().products, { ...plan, stream, iterations: 300 });
      while (chain.next());
      return chain.result();
    });
    expect(one).toEqual(other);
  });
});
