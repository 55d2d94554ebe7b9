import { describe, expect, test } from "vitest";
import { epsilonLikeTable } from "../../src/experiments/epsilon-like.js";
import { simulatedTable, trueCoefficients } from "../../src/experiments/simulated.js";
import type { Chunk, ColumnTable } from "../../src/tables/table.js";

async function whole(table: ColumnTable): Promise<number[][]> {
  const columns = table.columns.map(() => [] as number[]);
  const chunks = table.chunks(table.columns.map((_, i) => i)) as Iterable<Chunk>;
  for (const chunk of chunks) {
    for (const [i, column] of chunk.columns.entries()) columns[i].push(...Array.from(column));
  }
  return columns;
}

describe("simulated classes", () => {
  test("are exactly balanced, and still follow the logistic model", async () => {
    const rows = 20_000;
    const columns = await whole(simulatedTable({ kind: "logistic", rows, columns: 9, seed: 1 }));
    const y = columns[9];
    expect(y.reduce((sum, v) => sum + v, 0)).toBe(rows / 2);
    const beta = trueCoefficients(9, "logistic");
    // E[y − μ] and E[(y − μ)·z_j] vanish: five standard errors each, a false alarm in 10⁵ seeds.
    const residual = y.map((v, i) => {
      const eta = beta.reduce((sum, b, j) => sum + b * columns[j][i], 0);
      return v - 1 / (1 + Math.exp(-eta));
    });
    for (const z of [y.map(() => 1), ...columns.slice(0, 9)]) {
      const terms = residual.map((r, i) => r * z[i]);
      const mean = terms.reduce((a, b) => a + b, 0) / rows;
      const sd = Math.sqrt(terms.reduce((sum, t) => sum + (t - mean) ** 2, 0) / rows);
      expect(Math.abs(mean)).toBeLessThan((5 * sd) / Math.sqrt(rows));
    }
  });

  test("have predictors with mutual correlation one half, those that cause them included", async () => {
    const rows = 20_000;
    const columns = await whole(simulatedTable({ kind: "logistic", rows, columns: 9, seed: 2 }));
    const correlation = (a: number[], b: number[]) => a.reduce((sum, v, i) => sum + v * b[i], 0) / rows;
    // The variance of a product of two normals with correlation ½ is 1.25.
    for (const [a, b] of [
      [0, 7],
      [0, 8],
      [7, 8],
    ]) {
      expect(Math.abs(correlation(columns[a], columns[b]) - 0.5)).toBeLessThan(5 * Math.sqrt(1.25 / rows));
    }
  });
});

test("the stand-in for epsilon has rows of unit length and labels of both kinds", async () => {
  const settings = { rows: 1200, columns: 50, seed: 3 } as const;
  const train = await whole(epsilonLikeTable({ ...settings, part: "train" }));
  for (let i = 0; i < 1200; i += 97) {
    const length = train.slice(0, 50).reduce((sum, column) => sum + column[i] ** 2, 0);
    expect(length).toBeCloseTo(1, 5);
  }
  expect(new Set(train[50])).toEqual(new Set([-1, 1]));
  const test = await whole(epsilonLikeTable({ ...settings, part: "test" }));
  expect(test[0].slice(0, 5)).not.toEqual(train[0].slice(0, 5));
});
