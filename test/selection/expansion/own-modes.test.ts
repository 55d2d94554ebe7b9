import { describe, expect, test } from "vitest";
import { normal } from "../../../src/math/normal.js";
import { Rng } from "../../../src/math/rng.js";
import { poisson } from "../../../src/math/variates.js";
import { invert, times } from "../../dense.js";
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

/**
 * Means of the coefficients of a model with prior variance 1 (none of the intercept), by the trapezoidal rule on a grid
 * about the mode, which is found by plain Newton steps.
 */
function meansOf(
  family: string,
  design: readonly (readonly number[])[],
  y: readonly number[],
  precision: readonly number[],
) {
  const k = design.length;
  const logPosterior = (theta: readonly number[]): number => {
    let log = theta.reduce((sum, t, a) => sum - 0.5 * precision[a] * t * t, 0);
    for (let i = 0; i < y.length; i++) {
      const eta = design.reduce((sum, column, a) => sum + theta[a] * column[i], 0);
      log += y[i] * eta - (family === "poisson" ? Math.exp(eta) : Math.log1p(Math.exp(eta)));
    }
    return log;
  };
  let theta = new Array<number>(k).fill(0);
  let inverse: number[][] = [];
  for (let step = 0; step < 40; step++) {
    const g = theta.map((t, a) => -precision[a] * t);
    const h = theta.map((_, a) => theta.map((_, b) => (a === b ? precision[a] : 0)));
    for (let i = 0; i < y.length; i++) {
      const eta = design.reduce((sum, column, a) => sum + theta[a] * column[i], 0);
      const mu = family === "poisson" ? Math.exp(eta) : 1 / (1 + Math.exp(-eta));
      const w = family === "poisson" ? mu : mu * (1 - mu);
      for (let a = 0; a < k; a++) {
        g[a] += (y[i] - mu) * design[a][i];
        for (let b = 0; b < k; b++) h[a][b] += w * design[a][i] * design[b][i];
      }
    }
    inverse = invert(h).inverse;
    theta = times(inverse, g).map((d, a) => theta[a] + d);
  }
  const POINTS = 25;
  const top = logPosterior(theta);
  const sums = new Array<number>(k).fill(0);
  let total = 0;
  for (let cell = 0; cell < POINTS ** k; cell++) {
    const at = theta.map((t, a) => {
      const place = Math.floor(cell / POINTS ** a) % POINTS;
      return t + ((12 * place) / (POINTS - 1) - 6) * Math.sqrt(inverse[a][a]);
    });
    const w = Math.exp(logPosterior(at) - top);
    total += w;
    for (let a = 0; a < k; a++) sums[a] += w * at[a];
  }
  return sums.map((sum) => sum / total);
}

const CASES = [
  ["binomial", "always"],
  ["binomial", "none"],
  ["poisson", "always"],
  ["poisson", "none"],
] as const;

describe("coefficients of classes and counts", () => {
  test.each(CASES)(
    "have the posterior means of the model that carries everything: %s, intercept %s",
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
      const means = meansOf(family, design, sample.y, precision).slice(-2);
      for (const j of [0, 1]) {
        const { mean, sd } = variable(result, `x${j}`);
        expect(Math.abs(mean - means[j])).toBeLessThan(0.05 * sd);
      }
    },
  );
});
