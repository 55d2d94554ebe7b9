import { describe, expect, test } from "vitest";
import { fitRegression, variable } from "../fit-arrays.js";
import { cellTruth } from "./cells.js";
import { type HardSet, hardSet } from "./hard-sets.js";

const LAMBDA = 0.2;

/** The largest error of a probability, and of a mean in posterior standard deviations. */
async function errorsOf(set: HardSet) {
  const { family } = set;
  const p = set.columns.length;
  const logPrior = (k: number) => k * Math.log(LAMBDA) + (p - k) * Math.log(1 - LAMBDA);
  const truth = cellTruth(set, { family, slabVariance: 1, logPrior, draws: 20_000 });
  const result = await fitRegression(set, { family, priorInclusion: LAMBDA, slabVariance: 1 });
  const ours = set.columns.map((_, j) => variable(result, `x${j}`));
  return {
    pip: Math.max(...ours.map(({ pip }, j) => Math.abs(pip - truth.pip[j]))),
    mean: Math.max(...ours.map(({ mean }, j) => Math.abs(mean - truth.mean[j]) / truth.sd[j])),
    warnings: result.diagnostics.warnings.join(" "),
  };
}

// Separated columns, columns without an event, columns within columns; 1 to 300 ones, 2 to 600 events. Importance
// sampling of the truth has standard errors of up to 0.03 in a log marginal likelihood: 0.008 in a probability.
describe("few ones in a column, few events", () => {
  const seeds = Array.from({ length: 16 }, (_, i) => i + 1);

  test.each(seeds)(
    "probabilities and means are those of the integrals: 1,000 rows, seed %i",
    async (seed) => {
      const { pip, mean } = await errorsOf(hardSet(seed, 1000));
      expect(pip).toBeLessThan(0.03);
      expect(mean).toBeLessThan(0.2);
    },
  );

  test.each(seeds.slice(0, 8))("and with 20,000 rows, seed %i", async (seed) => {
    const { pip, mean, warnings } = await errorsOf(hardSet(100 + seed, 20_000));
    expect(pip).toBeLessThan(0.03);
    expect(mean).toBeLessThan(0.2);
    expect(warnings).not.toMatch(/mode/);
  });

  test("an indicator without a single event is not ruled out", async () => {
    const rows = 2000;
    const y = Array.from({ length: rows }, (_, i) => (i % 40 === 1 ? 1 : 0));
    const never = Array.from({ length: rows }, (_, i) => (i % 400 === 0 ? 1 : 0));
    const other = Array.from({ length: rows }, (_, i) => (i % 3 === 0 ? 1 : 0));
    const set = { family: "binomial", columns: [never, other], y, name: "no event" } as const;
    const { pip } = await errorsOf(set);
    expect(pip).toBeLessThan(0.01);
  });
});
