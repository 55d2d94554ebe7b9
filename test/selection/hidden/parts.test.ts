import { describe, expect, test } from "vitest";
import { normal } from "../../../src/math/normal.js";
import { Rng } from "../../../src/math/rng.js";
import { partsOf } from "../../../src/selection/hidden/parts.js";
import { fitRegression, variable } from "../fit-arrays.js";
import { logPosterior } from "./closed-form.js";

const PRIOR = { modelPrior: "inclusion", priorInclusion: 0.002, slabVariance: 1 } as const;

describe("the columns that a member may stand for", () => {
  const rng = Rng.seeded(4);
  const chance = Array.from({ length: 500 }, () => 0.03 * normal(rng));
  const everywhere = () => true;

  test("are none where all are like it by chance", () => {
    expect(partsOf([1, ...chance], 0, (j) => j > 0)).toEqual([]);
  });

  test("are the two most alike, the three, and so on, whatever their signs and the factor", () => {
    const likeness = [0.5, ...chance, -0.6, 0.4, 0.55, 1].map((value) => -7 * value);
    const [a, b, c, d, member] = [0, 501, 502, 503, 504];
    expect(partsOf(likeness, member, (j) => j !== member)).toEqual([
      [b, d],
      [a, b, d],
      [a, b, c, d],
    ]);
  });

  test("are none that are held already", () => {
    const likeness = [1, ...chance, 0.6, 0.5, 0.55];
    expect(partsOf(likeness, 0, (j) => j > 0 && j !== 501)).toEqual([[502, 503]]);
  });

  test("stand out where all columns are like the member", () => {
    const common = chance.map((value) => 0.6 + value);
    expect(partsOf([1, ...common, 0.8, 0.82], 0, (j) => j > 0)).toEqual([[501, 502]]);
  });

  test("are none that say little of it together", () => {
    expect(partsOf([1, ...chance, 0.2, 0.2, 0.2], 0, (j) => j > 0)).toEqual([]);
  });

  test("are at most 64, in sets that grow by an eighth, all of them one of these", () => {
    const sets = partsOf([...chance, ...Array.from({ length: 60 }, () => 0.3), 1], 560, (j) => j < 560);
    expect(sets.length).toBeLessThan(30);
    expect(sets.at(-1)).toHaveLength(60);
    const many = partsOf([...chance, ...Array.from({ length: 90 }, () => 0.3), 1], 590, (j) => j < 590);
    expect(many.at(-1)).toHaveLength(64);
  });

  test("are none of none", () => {
    expect(partsOf([1], 0, () => false)).toEqual([]);
    expect(partsOf([0, 0, 0], 0, everywhere)).toEqual([]);
  });
});

/** The last column is the sum of the first ones, measured with an error; the target is made of what it measures. */
function total({ parts, rows, p, error, seed }: Record<"parts" | "rows" | "p" | "error" | "seed", number>) {
  const rng = Rng.seeded(seed);
  const columns = Array.from({ length: p }, () => Float64Array.from({ length: rows }, () => normal(rng)));
  const sum = Float64Array.from({ length: rows }, (_, i) =>
    columns.slice(0, parts).reduce((all, column) => all + column[i], 0),
  );
  columns[p - 1] = sum.map((value) => value + error * normal(rng));
  const y = sum.map((value) => 0.5 * value + normal(rng));
  const chance = sum.map((value) => (rng.uniform() < 1 / (1 + Math.exp(-0.7 * value)) ? 1 : 0));
  return { columns, y, chance };
}

describe("a total that is measured with an error does not hide its parts", () => {
  test.each([
    { parts: 4, rows: 2000, p: 500, error: 0.6, seed: 1 },
    { parts: 6, rows: 2000, p: 400, error: 0.7, seed: 2 },
    { parts: 15, rows: 3000, p: 400, error: 1.2, seed: 3 },
    { parts: 6, rows: 2000, p: 100, error: 0.7, seed: 4 },
  ])("$parts parts among $p columns", async (shape) => {
    const made = total(shape);
    const parts = Array.from({ length: shape.parts }, (_, j) => j);
    const better = logPosterior(made, parts, PRIOR) - logPosterior(made, [shape.p - 1], PRIOR);
    expect(better).toBeGreaterThan(10);
    const result = await fitRegression(made, { seed: 1, ...PRIOR });
    for (const j of parts) expect(variable(result, `x${j}`).pip).toBeGreaterThan(0.99);
    expect(variable(result, `x${shape.p - 1}`).pip).toBeLessThan(0.2);
  });

  test("has the odds of a closed form where both are probable", async () => {
    const made = total({ parts: 4, rows: 2000, p: 500, error: 0.4, seed: 1 });
    const better = logPosterior(made, [0, 1, 2, 3], PRIOR) - logPosterior(made, [499], PRIOR);
    expect(Math.abs(better)).toBeLessThan(6);
    const result = await fitRegression(made, { seed: 1, ...PRIOR });
    const models = new Map(result.models!.map((m) => [m.variables.join(), m.probability]));
    expect(Math.log(models.get("x0,x1,x2,x3")! / models.get("x499")!)).toBeCloseTo(better, 6);
  });

  test("classes", async () => {
    const { columns, chance } = total({ parts: 6, rows: 3000, p: 400, error: 1, seed: 5 });
    const result = await fitRegression({ columns, y: chance }, { family: "binomial", seed: 1, ...PRIOR });
    for (let j = 0; j < 6; j++) expect(variable(result, `x${j}`).pip).toBeGreaterThan(0.9);
    expect(variable(result, "x399").pip).toBeLessThan(0.2);
  });

  test("is kept where it is the better model", async () => {
    const shape = { parts: 6, rows: 2000, p: 400, error: 0.05, seed: 6 };
    const made = total(shape);
    const better = logPosterior(made, [0, 1, 2, 3, 4, 5], PRIOR) - logPosterior(made, [399], PRIOR);
    expect(better).toBeLessThan(-10);
    const result = await fitRegression(made, { seed: 1, ...PRIOR });
    expect(variable(result, "x399").pip).toBeGreaterThan(0.99);
  });
});
