/**
 * The posterior over models of classes or counts on columns of zeros and ones, straight from the definition. Rows with
 * the same pattern are one cell, so every integral
 *
 *     p(y | S) = ∫∫ p(y | a, β) N(β; 0, vI) da dβ
 *
 * can be had by importance sampling with very many draws, from multivariate t distributions at the mode: one of the
 * mode's own width and one of twice that. Shares nothing with what it checks but the random numbers.
 */

import { normal } from "../../../src/math/normal.js";
import { Rng } from "../../../src/math/rng.js";
import { invert, times } from "../../dense.js";

export interface CellProblem {
  readonly columns: readonly (readonly number[])[];
  readonly y: readonly number[];
}

export interface CellSettings {
  readonly family: "binomial" | "poisson";
  readonly slabVariance: number;
  readonly logPrior: (size: number) => number;
  readonly draws: number;
}

export interface CellTruth {
  readonly pip: number[];
  /** Per unit of the column, zero where it is out. */
  readonly mean: number[];
  readonly sd: number[];
  /** The largest standard error of a log marginal likelihood. */
  readonly error: number;
}

/** One pattern of the columns: its rows and what the target sums up to there. */
interface Cell {
  readonly x: number[];
  readonly rows: number;
  readonly sum: number;
}

export function cellTruth({ columns, y }: CellProblem, settings: CellSettings): CellTruth {
  const p = columns.length;
  const sd = columns.map((values) => {
    const mean = values.reduce((a, b) => a + b, 0) / values.length;
    return Math.sqrt(values.reduce((sum, u) => sum + (u - mean) ** 2, 0) / (values.length - 1));
  });
  const models = Array.from({ length: 2 ** p }, (_, mask) => {
    const members = Array.from({ length: p }, (_, j) => j).filter((j) => (mask >> j) & 1);
    const cells = cellsOf(
      members.map((j) => columns[j]),
      y,
    );
    const precision = members.map((j) => sd[j] ** 2 / settings.slabVariance);
    const { log, ...moments } = integral(Rng.seeded(1000 + mask), cells, precision, settings);
    return { members, log: log + settings.logPrior(members.length), ...moments };
  });
  const top = Math.max(...models.map(({ log }) => log));
  const total = models.reduce((sum, { log }) => sum + Math.exp(log - top), 0);
  const pip = new Array<number>(p).fill(0);
  const mean = new Array<number>(p).fill(0);
  const square = new Array<number>(p).fill(0);
  for (const model of models) {
    const weight = Math.exp(model.log - top) / total;
    model.members.forEach((j, a) => {
      pip[j] += weight;
      mean[j] += weight * model.mean[a];
      square[j] += weight * model.square[a];
    });
  }
  return {
    pip,
    mean,
    sd: square.map((s, j) => Math.sqrt(s - mean[j] ** 2)),
    error: Math.max(...models.map(({ error }) => error)),
  };
}

function cellsOf(columns: readonly (readonly number[])[], y: readonly number[]): Cell[] {
  const cells = new Map<number, { x: number[]; rows: number; sum: number }>();
  for (let i = 0; i < y.length; i++) {
    let key = 0;
    for (let a = 0; a < columns.length; a++) key = 2 * key + columns[a][i];
    const cell = cells.get(key) ?? { x: columns.map((values) => values[i]), rows: 0, sum: 0 };
    cells.set(key, cell);
    cell.rows += 1;
    cell.sum += y[i];
  }
  return [...cells.values()];
}

const softplus = (t: number): number => (t > 0 ? t + Math.log1p(Math.exp(-t)) : Math.log1p(Math.exp(t)));

function logJoint(
  cells: readonly Cell[],
  precision: readonly number[],
  theta: readonly number[],
  s: CellSettings,
) {
  let log = 0;
  for (const { x, rows, sum } of cells) {
    let eta = theta[0];
    for (let a = 0; a < x.length; a++) eta += theta[a + 1] * x[a];
    log += sum * eta - rows * (s.family === "poisson" ? Math.exp(eta) : softplus(eta));
  }
  precision.forEach((w, a) => {
    log -= 0.5 * w * theta[a + 1] ** 2 - 0.5 * Math.log(w);
  });
  return log;
}

function integral(rng: Rng, cells: readonly Cell[], precision: readonly number[], s: CellSettings) {
  const { theta, covariance } = modeOf(cells, precision, s);
  const k = theta.length;
  const factor = lower(covariance);
  const top = logJoint(cells, precision, theta, s);
  const half = factor.reduce((sum, row, i) => sum + Math.log(row[i]), 0);
  const FREEDOM = 5;
  const constant =
    logGamma((FREEDOM + k) / 2) - logGamma(FREEDOM / 2) - (k / 2) * Math.log(FREEDOM * Math.PI) - half;
  const density = (distance: number, width: number): number =>
    Math.exp(
      constant - k * Math.log(width) - 0.5 * (FREEDOM + k) * Math.log1p(distance / (width * width * FREEDOM)),
    );
  let [sum, squares] = [0, 0];
  const first = new Array<number>(k - 1).fill(0);
  const second = new Array<number>(k - 1).fill(0);
  for (let d = 0; d < s.draws; d++) {
    const width = d % 2 === 0 ? 1 : 2;
    let chi = 0;
    for (let i = 0; i < FREEDOM; i++) chi += normal(rng) ** 2;
    const stretch = width * Math.sqrt(FREEDOM / chi);
    const z = theta.map(() => stretch * normal(rng));
    const at = theta.map((t, i) => factor[i].reduce((a, l, c) => a + (c <= i ? l * z[c] : 0), t));
    const distance = z.reduce((a, b) => a + b * b, 0);
    const proposal = 0.5 * (density(distance, 1) + density(distance, 2));
    const w = Math.exp(logJoint(cells, precision, at, s) - top) / proposal;
    sum += w;
    squares += w * w;
    for (let a = 0; a < k - 1; a++) {
      first[a] += w * at[a + 1];
      second[a] += w * at[a + 1] ** 2;
    }
  }
  const average = sum / s.draws;
  // Powers of 2π: one for each coefficient belongs to the prior.
  return {
    log: top + Math.log(average) - 0.5 * (k - 1) * Math.log(2 * Math.PI),
    error: Math.sqrt(squares / s.draws - average ** 2) / (average * Math.sqrt(s.draws)),
    mean: first.map((f) => f / sum),
    square: second.map((f) => f / sum),
  };
}

function modeOf(cells: readonly Cell[], precision: readonly number[], s: CellSettings) {
  const rows = cells.reduce((sum, cell) => sum + cell.rows, 0);
  const mean = cells.reduce((sum, cell) => sum + cell.sum, 0) / rows;
  let theta = [
    s.family === "poisson" ? Math.log(mean) : Math.log(mean / (1 - mean)),
    ...precision.map(() => 0),
  ];
  for (let step = 0; ; step++) {
    const gradient = theta.map((t, a) => (a > 0 ? -precision[a - 1] * t : 0));
    const information = theta.map((_, a) => theta.map((_, b) => (a === b && a > 0 ? precision[a - 1] : 0)));
    for (const { x, rows, sum } of cells) {
      const design = [1, ...x];
      const eta = design.reduce((total, u, a) => total + u * theta[a], 0);
      const mu = s.family === "poisson" ? Math.exp(eta) : 1 / (1 + Math.exp(-eta));
      const w = rows * (s.family === "poisson" ? mu : mu * (1 - mu));
      design.forEach((u, a) => {
        gradient[a] += u * (sum - rows * mu);
        design.forEach((v, b) => {
          information[a][b] += w * u * v;
        });
      });
    }
    const covariance = invert(information).inverse;
    const move = times(covariance, gradient);
    const gain = move.reduce((total, m, a) => total + m * gradient[a], 0);
    if (gain < 1e-12 || step > 500) return { theta, covariance };
    let share = Math.min(1, 3 / Math.max(...move.map(Math.abs)));
    const here = logJoint(cells, precision, theta, s);
    const moved = () => theta.map((t, a) => t + share * move[a]);
    while (!(logJoint(cells, precision, moved(), s) >= here - 1e-9)) share /= 2;
    theta = moved();
  }
}

function lower(matrix: readonly (readonly number[])[]): number[][] {
  const factor = matrix.map((row) => row.map(() => 0));
  matrix.forEach((row, i) => {
    for (let j = 0; j <= i; j++) {
      let sum = row[j];
      for (let c = 0; c < j; c++) sum -= factor[i][c] * factor[j][c];
      factor[i][j] = i === j ? Math.sqrt(sum) : sum / factor[j][j];
    }
  });
  return factor;
}

/** Of a positive multiple of one half. */
function logGamma(x: number): number {
  let log = Number.isInteger(x) ? 0 : 0.5 * Math.log(Math.PI);
  for (let t = x - 1; t > 0; t--) log += Math.log(t);
  return log;
}
