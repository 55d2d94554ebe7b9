import { describe, expect, test } from "vitest";
import { Rng } from "../../../src/math/rng.js";
import { fitRegression, inclusion, variable } from "../fit-arrays.js";
import { glmBruteForce } from "../glm-brute-force.js";

const LAMBDA = 0.2;

/** Columns of zeros and a few ones, and classes or counts that some of them make likelier. */
function rare(seed: number, family: "binomial" | "poisson", rows: number, shares: readonly number[]) {
  const rng = Rng.seeded(seed);
  const beta = shares.map(() => (rng.uniform() < 0.5 ? 0 : 1 + 2 * rng.uniform()));
  const columns = shares.map((share) => Array.from({ length: rows }, () => (rng.uniform() < share ? 1 : 0)));
  // Each column has a one at least.
  columns.forEach((values, j) => {
    values[j] = 1;
  });
  const level = -3.5 - rng.uniform();
  const y = Array.from({ length: rows }, (_, i) => {
    const eta = level + beta.reduce((sum, b, j) => sum + b * columns[j][i], 0);
    if (family === "binomial") return rng.uniform() < 1 / (1 + Math.exp(-eta)) ? 1 : 0;
    return rng.uniform() < Math.exp(eta) ? 1 + (rng.uniform() < 0.1 ? 1 : 0) : 0;
  });
  return { columns, y };
}

const CASES = [
  ["binomial", 1, 4000, [0.003, 0.01, 0.03, 0.1]],
  ["binomial", 2, 4000, [0.003, 0.003, 0.01, 0.01]],
  ["binomial", 3, 1000, [0.003, 0.01, 0.03, 0.01]],
  ["binomial", 4, 8000, [0.001, 0.003, 0.01, 0.03]],
  ["binomial", 5, 4000, [0.001, 0.001, 0.003, 0.01]],
  ["poisson", 6, 4000, [0.003, 0.01, 0.03, 0.01]],
  ["poisson", 7, 2000, [0.003, 0.003, 0.01, 0.03]],
] as const;

describe("few ones in a column, few events", () => {
  test.each(CASES)(
    "no model is lost on the way to its mode: %s, seed %i, %i rows",
    async (family, seed, rows, shares) => {
      const data = rare(seed, family, rows, shares);
      const result = await fitRegression(data, { family, priorInclusion: LAMBDA, slabVariance: 1 });
      const p = shares.length;
      const logPrior = (k: number) => k * Math.log(LAMBDA) + (p - k) * Math.log(1 - LAMBDA);
      const truth = glmBruteForce(data, { family, slabVariance: 1, logPrior, accuracy: 0.05 });
      inclusion(result).forEach((pip, j) => {
        expect(Math.abs(pip - truth.laplacePip[j])).toBeLessThan(0.01);
      });
    },
  );

  test("three ones among 20,000 rows, all of them events, have an effect of the size of log odds", async () => {
    const rows = 20_000;
    const rng = Rng.seeded(9);
    const rarest = Array.from({ length: rows }, (_, i) => (i % 7000 === 3 ? 1 : 0));
    const other = Array.from({ length: rows }, () => (rng.uniform() < 0.01 ? 1 : 0));
    const y = rarest.map((one) => (one === 1 || rng.uniform() < 0.02 ? 1 : 0));
    const result = await fitRegression({ columns: [rarest, other], y }, { family: "binomial" });
    const { pip, meanIfIncluded } = variable(result, "x0");
    expect(pip).toBeGreaterThan(0.5);
    expect(meanIfIncluded).toBeGreaterThan(3);
    expect(meanIfIncluded).toBeLessThan(40);
    expect(result.diagnostics.warnings.join(" ")).not.toMatch(/mode/);
  });
});
