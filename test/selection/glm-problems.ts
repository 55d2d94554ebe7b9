/** Random logistic and Poisson problems with inclusion probabilities all over (0, 1). */

import { normal } from "../../src/math/normal.js";
import { Rng } from "../../src/math/rng.js";
import { poisson } from "../../src/math/variates.js";
import type { FitOptions } from "../../src/options/fit.js";
import type { GlmSettings } from "./glm-brute-force.js";
import type { Regression } from "./problems.js";

export interface GlmProblem {
  readonly data: Regression;
  readonly options: Omit<FitOptions, "target">;
  readonly truth: Omit<GlmSettings, "accuracy">;
}

export const GLM_PROBLEMS = 30;

export function glmProblem(index: number): GlmProblem {
  const rng = Rng.seeded(7000 + index);
  const pick = <T>(items: readonly T[]): T => items[rng.below(items.length)];
  const family = index % 2 === 0 ? "binomial" : "poisson";
  const p = 2 + rng.below(7);
  const rows = Math.round(100 * 20 ** rng.uniform());
  const correlation = pick([0, 0.3, 0.6, 0.8, 0.9]);
  const chained = rng.uniform() < 0.5;
  const intercept = family === "binomial" ? pick([0, 0.5, -1, -2]) : pick([0, 1, 2]);
  const information = family === "binomial" ? 0.2 : Math.exp(intercept);
  // About the size at which the data are in two minds.
  const edge = Math.sqrt((2 + Math.log(rows)) / (rows * information) / (1 - correlation));
  const beta = Array.from({ length: p }, () => (rng.uniform() < 0.5 ? 0 : edge * normal(rng)));
  const columns = beta.map(() => new Array<number>(rows));
  const y = Array.from({ length: rows }, (_, i) => {
    let last = normal(rng);
    let eta = intercept;
    beta.forEach((b, j) => {
      const x = Math.sqrt(correlation) * last + Math.sqrt(1 - correlation) * normal(rng);
      if (chained) last = x;
      columns[j][i] = x;
      eta += b * x;
    });
    if (family === "poisson") return poisson(rng, Math.exp(eta));
    return rng.uniform() < 1 / (1 + Math.exp(-eta)) ? 1 : 0;
  });
  // Columns in units of their own, some far from zero, which the statistician never sees.
  columns.forEach((values) => {
    const [shift, scale] = [pick([0, 3, -40]), 10 ** (2 * rng.uniform() - 1)];
    for (let i = 0; i < rows; i++) values[i] = scale * (values[i] + shift);
  });
  const prior = pick(["inclusion", "inclusion-given", "beta-binomial", "uniform"] as const);
  const slabVariance = pick([0.25, 1, 4]);
  return {
    data: { columns, y },
    options: {
      ...{ family, slabVariance, seed: index },
      ...(prior === "inclusion-given" && { priorInclusion: 0.35 }),
      ...(prior !== "inclusion-given" && { modelPrior: prior }),
      // All sizes are equally likely.
      ...(prior === "beta-binomial" && { expectedSize: columns.length / 2 }),
      // A search, where there is one, so short that much is left for the certificate to find.
      iterations: 40,
    },
    truth: { family, slabVariance, logPrior: logPriors[prior](p) },
  };
}

const independent = (p: number, lambda: number) => (k: number) =>
  k * Math.log(lambda) + (p - k) * Math.log(1 - lambda);

const logPriors = {
  inclusion: (p: number) => independent(p, 1 / (p + 1) ** 1.1),
  "inclusion-given": (p: number) => independent(p, 0.35),
  // ∫ λᵏ(1 − λ)^(p−k) dλ = k!(p − k)!/(p + 1)!
  "beta-binomial": (p: number) => (k: number) => {
    let log = 0;
    for (let i = 1; i <= k; i++) log += Math.log(i) - Math.log(p - k + i);
    return log - Math.log(p + 1);
  },
  uniform: () => () => 0,
};
