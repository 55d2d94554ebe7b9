import { describe, expect, test } from "vitest";
import { fitRegression, variable } from "../fit-arrays.js";
import { cellTruth } from "./cells.js";
import { hardSet } from "./hard-sets.js";

const LAMBDA = 0.2;
const P = 2;
const logPrior = (k: number) => k * Math.log(LAMBDA) + (P - k) * Math.log(1 - LAMBDA);

// Laplace's method alone is off by 0.04 in a probability, by 0.28 standard deviations in a mean. The truth has errors of
// up to 0.06 in a log marginal likelihood: 0.015 in a probability.
describe("more rows than draws of coefficients can be afforded for", () => {
  test.each([
    [201, "each by itself"],
    [205, "each by itself"],
    [650_000_001, "together where one is within the other"],
  ])("rare columns are integrated: seed %i, %s", async (seed) => {
    const set = hardSet(seed, 650_000);
    const { family, y } = set;
    const columns = set.columns.slice(0, P);
    const truth = cellTruth({ columns, y }, { family, slabVariance: 1, logPrior, draws: 20_000 });
    const result = await fitRegression({ columns, y }, { family, priorInclusion: LAMBDA, slabVariance: 1 });
    columns.forEach((_, j) => {
      const { pip, mean } = variable(result, `x${j}`);
      expect(Math.abs(pip - truth.pip[j])).toBeLessThan(0.03);
      expect(Math.abs(mean - truth.mean[j])).toBeLessThan(0.2 * truth.sd[j]);
    });
  });
});
