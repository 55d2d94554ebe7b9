import { describe, expect, test } from "vitest";
import { design, factorDesign, type Kind, type Response } from "../../../bench/hidden/designs.js";
import { normal } from "../../../src/math/normal.js";
import { Rng } from "../../../src/math/rng.js";
import { long, short } from "../../long.js";
import { fitRegression, variable } from "../fit-arrays.js";
import { logPosterior } from "./closed-form.js";

const PRIOR = { modelPrior: "inclusion", priorInclusion: 0.002, slabVariance: 1 } as const;

describe("columns that matter together only", () => {
  const cases: readonly { kind: Kind; response: Response; columns: number; rows: number }[] = [
    { kind: "pair", response: "gaussian", columns: 350, rows: 800 },
    { kind: "pair", response: "gaussian", columns: 1200, rows: 800 },
    { kind: "pair", response: "binomial", columns: 350, rows: 1200 },
    { kind: "pair", response: "poisson", columns: 350, rows: 800 },
    { kind: "triple", response: "gaussian", columns: 350, rows: 800 },
    { kind: "triple", response: "gaussian", columns: 120, rows: 800 },
    { kind: "behind", response: "gaussian", columns: 400, rows: 800 },
  ];
  test.each(cases)("a $kind among $columns columns, $response", async (one) => {
    const made = design({ ...one, seed: 3, share: 0.2 });
    const result = await fitRegression(made, { family: one.response, seed: 1, ...PRIOR });
    for (const j of made.truth) expect(variable(result, `x${j}`).pip).toBeGreaterThan(0.99);
    expect(result.certificate).toMatchObject({ complete: true, overall: { somethingLeft: false } });
    expect(result.verdict).toBe("No problems found.");
  });

  test("have the odds of a closed form", async () => {
    // Weak enough to be in doubt.
    const made = design({ kind: "pair", rows: 400, columns: 350, seed: 3, share: 0.065 });
    const result = await fitRegression(made, { seed: 1, ...PRIOR });
    const together = logPosterior(made, [0, 1], PRIOR) - logPosterior(made, [], PRIOR);
    expect(together).toBeGreaterThan(-2);
    const models = new Map(result.models!.map((m) => [m.variables.join(), m.probability]));
    expect(Math.log(models.get("x0,x1")! / models.get("")!)).toBeCloseTo(together, 6);
  });
});

describe("columns that mean nothing", () => {
  test.each([
    { rows: 300, columns: 40 },
    { rows: 200, columns: 350 },
    { rows: 60, columns: 400, common: 0.5 },
  ])("are supported neither alone nor together: $rows × $columns", async (shape) => {
    const made = design({ ...shape, kind: "noise", seed: 5 });
    const result = await fitRegression(made, { seed: 1 });
    expect(result.certificate!.overall!.pValue).toBeGreaterThan(0.002);
    expect(result.verdict).toBe(
      "No problems found. No variable was selected: the data support none of them.",
    );
  });
});

test("many small effects are told, although no variable stands out", async () => {
  const rng = Rng.seeded(8);
  const [rows, p] = [600, 400];
  const columns = Array.from({ length: p }, () => Float64Array.from({ length: rows }, () => normal(rng)));
  const effects = columns.map(() => 0.07 * normal(rng));
  const y = Float64Array.from(
    { length: rows },
    (_, i) => columns.reduce((sum, x, j) => sum + effects[j] * x[i], 0) + normal(rng),
  );
  const result = await fitRegression({ columns, y }, { seed: 1, ...PRIOR });
  expect(result.certificate!.overall!.somethingLeft).toBe(true);
  expect(result.verdict).toContain("All variables together explain more");
  expect(result.verdict).not.toContain("support none");
  // The columns make about two thirds of the variance.
  expect(result.certificate!.overall!.share).toBeGreaterThan(0.3);
});

/** The sum of the first two columns and that of the next two are nearly the same, and make the target. */
function twoPairs(rows: number, p: number, seed: number) {
  const rng = Rng.seeded(seed);
  const columns = Array.from({ length: p }, () => Float64Array.from({ length: rows }, () => normal(rng)));
  const y = new Float64Array(rows);
  for (let i = 0; i < rows; i++) {
    const sum = columns[0][i] + columns[1][i];
    const [a, b] = [columns[2][i], columns[3][i]];
    columns[2][i] = 0.5 * (sum + a - b) + 0.05 * normal(rng);
    columns[3][i] = 0.5 * (sum - a + b) + 0.05 * normal(rng);
    y[i] = sum + 0.4 * normal(rng);
  }
  return { columns, y };
}

describe("two ways to say the same, with more columns than rows", () => {
  test.skipIf(short)(long("two ways to say the same are weighed against each other"), async () => {
    const made = twoPairs(60, 500, 4);
    const result = await fitRegression(made, { seed: 2, ...PRIOR });
    const apart = logPosterior(made, [2, 3], PRIOR) - logPosterior(made, [0, 1], PRIOR);
    // Neither is negligible, and no flip of one variable leads from one to the other.
    expect(Math.abs(apart)).toBeLessThan(2);
    const models = new Map(result.models!.map((m) => [m.variables.join(), m.probability]));
    const share = 1 / (1 + models.get("x0,x1")! / models.get("x2,x3")!);
    const { pipError } = variable(result, "x2");
    expect(Math.abs(share - 1 / (1 + Math.exp(-apart)))).toBeLessThan(4 * pipError);
  });
});

test("blocks of columns that are alike have the same answer from every seed", async () => {
  const made = factorDesign(71, 20, 16, 0.8, [1.2, -1, 0.9], 6);
  const runs = await Promise.all([1, 2].map((seed) => fitRegression(made, { seed, ...PRIOR })));
  const [first, second] = runs.map((run) => made.columns.map((_, j) => variable(run, `x${j}`).pip));
  const apart = Math.max(...first.map((pip, j) => Math.abs(pip - second[j])));
  expect(apart).toBeLessThan(0.03);
});
