/** Which model of a path is taken, and what is right and wrong about a selection. */

import { logGamma } from "../../src/math/special.js";
import type { LinearModel } from "../shapes/shapes.js";
import type { Outcome, PathModel } from "./outcome.js";

/**
 * The extended BIC of Chen and Chen (2008), −2·log likelihood + k·log n + 2γ·log(p choose k), with the smallest γ for
 * which it is consistent, 1 − 1/(2κ) where p = n^κ; the plain BIC where that is below 0.
 */
export function extendedGamma(rows: number, columns: number): number {
  return Math.max(0, 1 - Math.log(rows) / (2 * Math.log(columns)));
}

/** The model with the smallest criterion; the only one where there is no choice. */
export function chosen(
  models: readonly PathModel[],
  { rows, columns }: { readonly rows: number; readonly columns: number },
  gamma: number,
): PathModel {
  const choose = (k: number) => logGamma(columns + 1) - logGamma(k + 1) - logGamma(columns - k + 1);
  const criterion = ({ deviance = 0, columns: used }: PathModel): number =>
    deviance + used.length * Math.log(rows) + 2 * gamma * choose(used.length);
  return models.reduce((best, model) => (criterion(model) < criterion(best) ? model : best));
}

export interface Judged {
  /** Selected variables that are not true, and true ones that are not selected. */
  readonly wrong: number;
  readonly missed: number;
  readonly fsr: number;
  readonly nsr: number;
  /** Mean squared error of the coefficients of true variables. */
  readonly mse1: number;
}

export function judge(outcome: Pick<Outcome, "selected">, model: LinearModel, truth: LinearModel): Judged {
  const selected = outcome.selected ?? model.columns;
  const real = new Set(truth.columns);
  const found = selected.filter((j) => real.has(j)).length;
  const [wrong, missed] = [selected.length - found, real.size - found];
  const estimate = new Map(model.columns.map((j, k) => [j, model.values[k]]));
  const squares = truth.columns.map((j, k) => ((estimate.get(j) ?? 0) - truth.values[k]) ** 2);
  return {
    wrong,
    missed,
    fsr: selected.length === 0 ? 0 : wrong / selected.length,
    nsr: missed / real.size,
    mse1: squares.reduce((sum, square) => sum + square, 0) / squares.length,
  };
}
