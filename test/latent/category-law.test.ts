import { describe, expect, it } from "vitest";
import { levelsGiven } from "../../src/latent/category-law.js";
import { missingEntries } from "../../src/latent/missing.js";
import { cholesky, inverse } from "../../src/math/linear.js";
import { normal } from "../../src/math/normal.js";
import { Rng } from "../../src/math/rng.js";
import { weakShrinkage } from "../../src/models/shrinkage.js";
import { drawLaw } from "../../src/selection/missing/law.js";

/** Sums of the rows, and their scatter. */
function scatterOf(rows: readonly (readonly number[])[]) {
  const p = rows[0].length;
  const mean = Array.from({ length: p }, (_, j) => rows.reduce((sum, row) => sum + row[j], 0) / rows.length);
  const squares = new Float64Array(p * p);
  for (const row of rows) {
    for (let i = 0; i < p; i++)
      for (let j = 0; j < p; j++) squares[i * p + j] += (row[i] - mean[i]) * (row[j] - mean[j]);
  }
  return { rows: rows.length, mean, squares };
}

const nothing = (p: number) =>
  ({ family: "gaussian", intercept: 0, coefficients: new Float64Array(p), noiseVariance: 1 }) as const;

/** Truth values that share a normal number, as rare as the bound is far out. */
function alike(rng: Rng, columns: number, correlation: number, bound: number): number[] {
  const common = Math.sqrt(correlation) * normal(rng);
  return Array.from({ length: columns }, () =>
    common + Math.sqrt(1 - correlation) * normal(rng) > bound ? 1 : 0,
  );
}

describe("the levels of one factor given the others", () => {
  it("are those of the table of two truth values, whatever it is", () => {
    const table = [0.85, 0.06, 0.02, 0.07];
    const mean = Float64Array.of(table[1] + table[3], table[2] + table[3]);
    const both = table[3] - mean[0] * mean[1];
    const factor = Float64Array.of(mean[0] * (1 - mean[0]), both, both, mean[1] * (1 - mean[1]));
    cholesky(factor, 2);
    const precision = new Float64Array(4);
    inverse(precision, factor, 2);
    const one = { columns: [0], low: [0], high: [1] };
    const given = levelsGiven({ columns: [0, 1], precision, mean, shares: mean, least: 1e-9 }, one);
    for (const other of [0, 1]) {
      const odds = given(Float64Array.of(0, other)).slice();
      // What the Gaussian says is taken back here, and put in again by the density of all columns.
      const away = [-mean[0], other - mean[1]];
      odds[1] -= away[0] * precision[0] + away[1] * precision[1] + 0.5 * precision[0];
      const share = table[1 + 2 * other] / (table[2 * other] + table[1 + 2 * other]);
      expect(Math.exp(odds[0])).toBeCloseTo(1 - share, 10);
      expect(Math.exp(odds[1])).toBeCloseTo(share, 10);
    }
  });

  it.each([
    { columns: 2, correlation: 0.5, bound: 1.3 },
    { columns: 4, correlation: 0.5, bound: 1.3 },
    { columns: 4, correlation: 0.9, bound: 1.3 },
    { columns: 6, correlation: 0.5, bound: 0 },
  ])(
    "keep shares and correlations of $columns truth values filled again and again: $correlation, $bound",
    (shape) => {
      const { columns, correlation, bound } = shape;
      const rng = Rng.seeded(7);
      const truth = Array.from({ length: 3000 }, () => [
        ...alike(rng, columns, correlation, bound),
        normal(rng),
      ]);
      const holes = truth.map(() =>
        Array.from({ length: columns }, (_, j) => j).filter(() => rng.uniform() < 0.3),
      );
      const rows = truth.map((row) => Float64Array.from(row));
      const factors = Array.from({ length: columns }, (_, j) => ({ columns: [j], low: [0], high: [1] }));
      const from = scatterOf(truth);
      for (let sweep = 0; sweep < 30; sweep++) {
        const scatter = scatterOf(rows.map((row) => [...row]));
        const law = drawLaw(rng, scatter, weakShrinkage(Array(columns + 1).fill(0.1)), factors);
        const entries = missingEntries(law.joint, nothing(columns + 1), { factors, ...law });
        rows.forEach((row, i) => {
          entries.draw(rng, row, 0, holes[i], 0, holes[i].length);
        });
      }
      const to = scatterOf(rows.map((row) => [...row]));
      const correlationOf = ({ squares }: typeof to, i: number, j: number): number => {
        const p = columns + 1;
        return squares[i * p + j] / Math.sqrt(squares[i * p + i] * squares[j * p + j]);
      };
      for (let i = 0; i < columns; i++) {
        expect(Math.abs(to.mean[i] - from.mean[i])).toBeLessThan(0.03);
        for (let j = 0; j < i; j++) {
          // The one before went to 0.63 where 0.18 was right.
          expect(Math.abs(correlationOf(to, i, j) - correlationOf(from, i, j))).toBeLessThan(0.1);
        }
      }
    },
  );

  it("are told by complete categories, too: a text of three levels beside a rare truth value", () => {
    const rng = Rng.seeded(8);
    const chance = [0.02, 0.1, 0.5];
    const level = Array.from({ length: 4000 }, () => Math.floor(3 * rng.uniform()));
    const rows = level.map((l) => [l === 1 ? 1 : 0, l === 2 ? 1 : 0, rng.uniform() < chance[l] ? 1 : 0]);
    const text = { columns: [0, 1], low: [0, 0], high: [1, 1] };
    const rare = { columns: [2], low: [0], high: [1] };
    const law = drawLaw(rng, scatterOf(rows), weakShrinkage([0.2, 0.2, 0.2]), [rare, text]);
    const entries = missingEntries(law.joint, nothing(3), { factors: [rare], law: law.law! });
    const draws = 20_000;
    for (const [l, p] of chance.entries()) {
      const x = Float64Array.of(l === 1 ? 1 : 0, l === 2 ? 1 : 0, 0);
      let ones = 0;
      for (let d = 0; d < draws; d++) {
        entries.draw(rng, x, 0, [2], 0, 1);
        ones += x[2];
      }
      // Five standard errors of a share among 1,333 rows, twice: that of the data and that of the law drawn from them.
      expect(Math.abs(ones / draws - p)).toBeLessThan(5 * Math.sqrt((2 * p * (1 - p)) / 1333));
    }
  });
});
