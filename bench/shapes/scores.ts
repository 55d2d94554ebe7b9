/**
 * How a linear model predicts fresh rows: R² of measurements, log loss of classes, mean deviance of counts. The rows
 * are drawn again from their seed, so that they need neither a file nor memory; only columns that a model uses are kept.
 */

import { denseRows } from "./dense-draws.js";
import type { LinearModel, Shape, ShapeFamily } from "./shapes.js";
import { sparseRows } from "./sparse-draws.js";

export const SCORES: Readonly<Record<ShapeFamily, { readonly words: string; readonly larger: boolean }>> = {
  gaussian: { words: "R²", larger: true },
  binomial: { words: "log loss", larger: false },
  poisson: { words: "deviance", larger: false },
};

/** Sums over rows, from which a score follows. */
export class Score {
  private loss = 0;
  private rows = 0;
  private sum = 0;
  private squares = 0;

  constructor(private readonly family: ShapeFamily) {}

  add(y: number, eta: number): void {
    this.loss += LOSSES[this.family](y, eta);
    this.rows += 1;
    this.sum += y;
    this.squares += y * y;
  }

  get value(): number {
    if (this.family !== "gaussian") return this.loss / this.rows;
    return 1 - this.loss / (this.squares - this.sum ** 2 / this.rows);
  }
}

const LOSSES: Readonly<Record<ShapeFamily, (y: number, eta: number) => number>> = {
  gaussian: (y, eta) => (y - eta) ** 2,
  binomial: (y, eta) => Math.max(eta, 0) - y * eta + Math.log1p(Math.exp(-Math.abs(eta))),
  poisson: (y, eta) => 2 * ((y > 0 ? y * (Math.log(y) - eta) : 0) - y + Math.exp(eta)),
};

/** Whether the first score is better. */
export function isBetter(family: ShapeFamily, one: number, other: number): boolean {
  return SCORES[family].larger ? one > other : one < other;
}

/** The best of the scores that are numbers. */
export function best(family: ShapeFamily, scores: readonly number[]): number {
  return scores.reduce((kept, score) => (Number.isNaN(kept) || isBetter(family, score, kept) ? score : kept));
}

/** The score of each model on fresh rows of the shape. */
export function heldOutScores(shape: Shape, seed: number, models: readonly LinearModel[]): number[] {
  const scores = models.map(() => new Score(shape.family));
  if (shape.law.kind === "sparse") addSparse(shape, seed, models, scores);
  else addDense(shape, seed, models, scores);
  return scores.map(({ value }) => value);
}

function addDense(
  shape: Shape,
  seed: number,
  models: readonly LinearModel[],
  scores: readonly Score[],
): void {
  /** Which models use a column, and with what coefficient. */
  const users = new Map<number, [model: number, value: number][]>();
  models.forEach(({ columns, values }, m) => {
    columns.forEach((j, k) => {
      const already = users.get(j) ?? [];
      already.push([m, values[k]]);
      users.set(j, already);
    });
  });
  for (const drawn of denseRows(shape, shape.heldOut, seed)) {
    const eta = models.map(({ intercept }) => new Float64Array(drawn.rows).fill(intercept));
    let j = 0;
    for (const x of drawn.columns()) {
      for (const [m, b] of users.get(j) ?? []) for (let i = 0; i < drawn.rows; i++) eta[m][i] += b * x[i];
      j++;
    }
    eta.forEach((etas, m) => {
      for (let i = 0; i < drawn.rows; i++) scores[m].add(drawn.y[i], etas[i]);
    });
  }
}

function addSparse(
  shape: Shape,
  seed: number,
  models: readonly LinearModel[],
  scores: readonly Score[],
): void {
  const coefficients = models.map(({ columns, values }) => new Map(columns.map((j, k) => [j, values[k]])));
  for (const { y, entries } of sparseRows(shape, shape.heldOut, seed)) {
    coefficients.forEach((of, m) => {
      let eta = models[m].intercept;
      for (const j of entries) eta += of.get(j) ?? 0;
      scores[m].add(y, eta);
    });
  }
}
