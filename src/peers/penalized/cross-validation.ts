/**
 * Cross-validation of a penalised path: for every fold a path on the other rows at the same λ, and its error on the
 * fold. The error and its standard error over folds are those of cv.glmnet,
 *
 *     mean = Σ w_f·e_f,   se = √(Σ w_f·(e_f − mean)² / (F − 1)),   w_f ∝ rows of the fold
 *
 * and the one-standard-error rule takes the largest λ whose error is within one of the best (Breiman et al. 1984).
 */

import type { GramSource } from "../gram-source.js";
import { gaussianPath } from "./gaussian.js";
import type { Path, PathPoint, PathSettings } from "./path.js";

export interface CrossValidated {
  readonly path: Path;
  /** Mean error on rows that were left out, and its standard error, for each point of the path. */
  readonly error: Float64Array;
  readonly standardError: Float64Array;
  /** Positions on the path. */
  readonly best: number;
  readonly oneStandardError: number;
}

/** What cross-validation asks of a family. */
export interface Validator {
  readonly folds: number;
  rows(fold: number): number;
  /** The path on all rows, or on all but those of a fold. */
  path(settings: PathSettings, without?: number): Promise<Path>;
  /** Mean error of each fit on the rows of a fold. */
  errors(points: readonly PathPoint[], fold: number): Promise<number[]>;
}

export async function crossValidate(validator: Validator, settings: PathSettings): Promise<CrossValidated> {
  const path = await validator.path(settings);
  const lambdas = path.points.map(({ lambda }) => lambda);
  const { maxSize: _, ...unbounded } = settings;
  const folds: { weight: number; errors: number[] }[] = [];
  for (let fold = 0; fold < validator.folds; fold++) {
    const { points } = await validator.path({ ...unbounded, lambdas }, fold);
    folds.push({ weight: validator.rows(fold), errors: await validator.errors(points, fold) });
  }
  return { path, ...errorCurve(folds, lambdas.length) };
}

export function errorCurve(
  folds: readonly { readonly weight: number; readonly errors: readonly number[] }[],
  count: number,
): Omit<CrossValidated, "path"> {
  const rows = folds.reduce((sum, { weight }) => sum + weight, 0);
  const over = (value: (errors: readonly number[]) => number): number =>
    folds.reduce((sum, { weight, errors }) => sum + (weight / rows) * value(errors), 0);
  const error = Float64Array.from({ length: count }, (_, i) => over((errors) => errors[i]));
  const standardError = error.map((mean, i) =>
    Math.sqrt(over((errors) => (errors[i] - mean) ** 2) / (folds.length - 1)),
  );
  const best = error.indexOf(Math.min(...error));
  const oneStandardError = error.findIndex((value) => value <= error[best] + standardError[best]);
  return { error, standardError, best, oneStandardError };
}

/** Mean squared errors from the cross-products of a fold: no look at the data. */
export function gaussianValidator(source: GramSource): Validator {
  return {
    folds: source.folds.length,
    rows: (fold) => source.folds[fold].rows,
    path: (settings, without) => gaussianPath(source, settings, without),
    errors: async (points, fold) => points.map((point) => meanSquaredError(source, fold, point)),
  };
}

function meanSquaredError(source: GramSource, fold: number, point: PathPoint): number {
  const { rows, sum, squares, target } = source.folds[fold];
  const { columns, shift } = source;
  const { variables, values } = point;
  // y − β₀ − Σ β_j x_j = u_y − Σ β_j u_j − e
  let e = point.intercept - shift[columns];
  let [cross, quadratic, mean] = [0, 0, sum[columns]];
  for (let a = 0; a < variables.length; a++) {
    const j = variables[a];
    const column = source.column(j, fold);
    e += values[a] * shift[j];
    cross += values[a] * target[j];
    mean -= values[a] * sum[j];
    quadratic += values[a] ** 2 * column[j];
    for (let c = 0; c < a; c++) quadratic += 2 * values[a] * values[c] * column[variables[c]];
  }
  return (squares[columns] - 2 * cross + quadratic - 2 * e * mean) / rows + e * e;
}
