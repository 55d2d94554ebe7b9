import { describe, expect, test } from "vitest";
import { normal } from "../../../src/math/normal.js";
import { Rng } from "../../../src/math/rng.js";
import { poisson } from "../../../src/math/variates.js";
import { fitRegression, variable } from "../fit-arrays.js";

const ROWS = 300;

function data(family: "binomial" | "poisson", level: number) {
  const rng = Rng.seeded(21);
  const columns = Array.from({ length: 4 }, () => Array.from({ length: ROWS }, () => normal(rng)));
  const y = Array.from({ length: ROWS }, (_, i) => {
    const eta = level + 0.9 * columns[0][i] - 0.7 * columns[1][i];
    return family === "poisson"
      ? poisson(rng, Math.exp(eta))
      : Number(rng.uniform() < 1 / (1 + Math.exp(-eta)));
  });
  return { columns, y };
}

/** The mode of a model with coefficients of prior variance v (per unit), by plain Newton steps in float64. */
function modeOf(
  family: string,
  design: readonly (readonly number[])[],
  y: readonly number[],
  precision: readonly number[],
) {
  const k = design.length;
  const theta = new Array<number>(k).fill(0);
  for (let step = 0; step < 60; step++) {
    const g = theta.map((t, a) => -precision[a] * t);
    const h = Array.from({ length: k }, (_, a) =>
      Array.from({ length: k }, (_, b) => (a === b ? precision[a] : 0)),
    );
    for (let i = 0; i < y.length; i++) {
      const eta = design.reduce((sum, column, a) => sum + theta[a] * column[i], 0);
      const mu = family === "poisson" ? Math.exp(eta) : 1 / (1 + Math.exp(-eta));
      const w = family === "poisson" ? mu : mu * (1 - mu);
      for (let a = 0; a < k; a++) {
        g[a] += (y[i] - mu) * design[a][i];
        for (let b = 0; b < k; b++) h[a][b] += w * design[a][i] * design[b][i];
      }
    }
    const delta = solved(h, g);
    for (let a = 0; a < k; a++) theta[a] += delta[a];
  }
  return theta;
}

/** Gauss–Jordan: small and positive definite. */
function solved(matrix: number[][], right: number[]): number[] {
  const m = matrix.map((row, i) => [...row, right[i]]);
  m.forEach((row, i) => {
    const pivot = row[i];
    for (let c = 0; c < row.length; c++) row[c] /= pivot;
    m.forEach((other, r) => {
      if (r === i) return;
      const factor = other[i];
      for (let c = 0; c < other.length; c++) other[c] -= factor * row[c];
    });
  });
  return m.map((row) => row[row.length - 1]);
}

const CASES = [
  ["binomial", "always"],
  ["binomial", "none"],
  ["poisson", "always"],
  ["poisson", "none"],
] as const;

describe("coefficients of classes and counts", () => {
  test.each(CASES)(
    "are those of the mode of the model that carries everything: %s, intercept %s",
    async (family, intercept) => {
      const sample = data(family, intercept === "none" ? 0 : -0.4);
      const options = {
        family,
        intercept,
        always: ["x0", "x1"],
        priorInclusion: 1e-9,
        scale: "none",
        slabVariance: 1,
      } as const;
      const result = await fitRegression(sample, options);
      const design = [
        ...(intercept === "none" ? [] : [new Array<number>(ROWS).fill(1)]),
        sample.columns[0],
        sample.columns[1],
      ];
      const precision = intercept === "none" ? [1, 1] : [0, 1, 1];
      const mode = modeOf(family, design, sample.y, precision).slice(-2);
      for (const j of [0, 1]) {
        const { mean, sd } = variable(result, `x${j}`);
        expect(Math.abs(mean - mode[j])).toBeLessThan(0.01 * sd);
      }
    },
  );
});
