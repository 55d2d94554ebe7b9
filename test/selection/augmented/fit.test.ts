/** Classes with few rows as a user would fit them, beside reversible jumps over the same prior. */

import { describe, expect, test } from "vitest";
import { type Design, makeDesign } from "../../../bench/few-rows/designs.js";
import { usualPrior } from "../../../bench/few-rows/problem.js";
import { fitRegression, variable } from "../fit-arrays.js";
import { jumpChain } from "./jumps.js";

const usual = { name: "", family: "binomial", correlation: 0, rows: 60 } as const;
const DESIGNS: readonly Design[] = [
  // With 40 columns of this kind an expansion has 3.6 variables for 11, and probabilities that are off by up to 0.5.
  { ...usual, columns: 24, events: 0.2, kind: "heavy", effects: 6, size: 0.6, seed: 41 },
  { ...usual, columns: 30, events: 0.5, kind: "sparse", effects: 3, size: 1, seed: 43 },
];

describe.each(DESIGNS)("classes of $rows rows and $columns $kind columns", (design) => {
  const data = makeDesign(design);
  const problem = { ...data, family: "binomial", prior: usualPrior(design.rows, design.columns) } as const;
  const chains = [1, 2].map((seed) => jumpChain(problem, seed, 4000, 500));
  const mean = (of: (chain: (typeof chains)[number]) => number) => (of(chains[0]) + of(chains[1])) / 2;

  // Stated errors are up to 0.014, and chains of jumps differ by up to 0.07, so that their mean is off by half of that.
  test("have the probabilities and the size of models that reversible jumps have", async () => {
    const result = await fitRegression(data, { family: "binomial" });
    data.columns.forEach((_, j) => {
      const { pip } = variable(result, `x${j}`);
      expect(Math.abs(pip - mean((chain) => chain.pip[j])), `x${j}`).toBeLessThan(0.05);
    });
    const size = mean((chain) => chain.size.reduce((sum, share, k) => sum + share * k, 0));
    expect(Math.abs(result.modelSize.mean - size)).toBeLessThan(0.08 * size);
    expect(result.settings.likelihood).toBe("exact");
    expect(result.certificate?.complete).toBe(true);
    expect(result.verdict).not.toMatch(/quadratic/);
  });
});

test("a column that is asked for is in every model, and models keep to their largest size", async () => {
  const data = makeDesign({ ...DESIGNS[1], rows: 40, columns: 18 });
  const result = await fitRegression(data, { family: "binomial", always: ["x7"], maxSize: 2 });
  expect(variable(result, "x7").pip).toBe(1);
  expect(result.modelSize.lower).toBeGreaterThanOrEqual(1);
  expect(result.modelSize.upper).toBeLessThanOrEqual(3);
  expect(result.modelSize.mean).toBeLessThanOrEqual(3);
});
