/**
 * The path of a penalised binomial fit,
 *
 *     −(1/N)·ℓ(β₀, β) + Σ_j P_λ(β_j)
 *
 * by proximal Newton steps: the quadratic expansion of ℓ on a working set, minimised with the penalty by coordinate
 * descent, halved while it does not descend (Friedman, Hastie and Tibshirani 2010; Lee, Sun and Saunders 2014). For
 * concave penalties the information is replaced by its bound ¼X'X, which makes every step a descent and keeps each
 * coordinate's problem convex. The working set holds the variables with a coefficient and those whose gradient
 * exceeds the threshold; one pass over all columns after each solution finds those.
 */

import { SparrowError } from "../../errors.js";
import type { GlmPoint } from "../../selection/expansion/expansion.js";
import type { Scaling } from "../../store/batch/scaling.js";
import type { Store } from "../../store/store.js";
import type { Pool } from "../../workers/pool.js";
import type { Sums } from "../gram-source.js";
import type { Validator } from "./cross-validation.js";
import { descend, WorkingSet } from "./descent.js";
import { type FoldChoice, type GlmPassInput, glmPassJob, glmPassJobs } from "./glm-pass.js";
import {
  lambdaSequence,
  minRatio,
  PATH_DEFAULTS,
  type Path,
  type PathPoint,
  type PathSettings,
  pathEnds,
} from "./path.js";
import type { Penalty } from "./penalty.js";

export interface BinomialData {
  readonly store: Store;
  readonly pool: Pool;
  /** Of each fold; one fold holds all rows when there is no cross-validation. */
  readonly folds: readonly Sums[];
  /** From the stored target to 0 and 1. */
  readonly target: Scaling["target"];
}

/** Newton steps for one λ; the bound's steps are shorter and need many more. */
const MAX_STEPS = 5000;
const HALVINGS = 30;
/** No smaller move can be told from rounding. */
const FINEST = 1e-24;

export async function binomialPath(
  data: BinomialData,
  settings: PathSettings,
  without?: number,
): Promise<Path> {
  const given = { ...PATH_DEFAULTS, ...settings };
  const { penalty, intercept: hasIntercept, maxSize = Number.POSITIVE_INFINITY } = given;
  const fit = binomialFit(data, given.standardize, hasIntercept, !penalty.convex, without);
  const { columns } = data.store.layout;
  const share = fit.mean;
  if (!(share > 0 && share < 1))
    throw new SparrowError("The target holds one class only; there is nothing to explain.");
  const nullPoint: GlmPoint = {
    columns: [],
    theta: new Float64Array(0),
    intercept: hasIntercept ? Math.log(share / (1 - share)) : 0,
  };
  const empty = await fit.gradient(nullPoint);
  const nullDeviance = -2 * empty.logLikelihood;
  const largest =
    empty.gradient.reduce((most, g) => Math.max(most, Math.abs(g)), 0) / Math.max(penalty.entry, 1e-3);
  const lambdas = settings.lambdas
    ? Float64Array.from(settings.lambdas)
    : lambdaSequence(largest, minRatio(settings, fit.rows, columns), given.count);
  const solver: Solver = {
    penalty,
    hasIntercept,
    tolerance: Math.max(given.tolerance, FINEST) * nullDeviance,
    fit,
  };

  const points: PathPoint[] = [];
  let rounds = 0;
  let before = 0;
  let point = nullPoint;
  let { gradient } = empty;
  for (const lambda of lambdas) {
    settings.signal?.throwIfAborted();
    let logLikelihood = 0;
    for (let first = true; ; first = false) {
      const threshold = penalty.slope(0, lambda) * (1 + 1e-9);
      const members = new Set(point.columns);
      const entering = [...gradient.keys()].filter(
        (j) => !members.has(j) && Math.abs(gradient[j]) > threshold,
      );
      if (entering.length === 0 && !first) break;
      const solved = await solve(solver, lambda, widened(point, entering));
      rounds += solved.steps;
      point = solved.point;
      ({ gradient, logLikelihood } = await fit.gradient(point));
    }
    point = nonzero(point);
    if (point.columns.length > maxSize) break;
    const devianceRatio = 1 - (-2 * logLikelihood) / nullDeviance;
    points.push(fit.inDataUnits(point, lambda, devianceRatio));
    if (!settings.lambdas && penalty.convex && pathEnds(devianceRatio, before, points.length, false)) break;
    before = devianceRatio;
  }
  return { points, rounds };
}

interface Solver {
  readonly penalty: Penalty;
  readonly hasIntercept: boolean;
  readonly tolerance: number;
  readonly fit: BinomialFit;
}

/** The minimiser over the point's columns. */
async function solve(
  { penalty, hasIntercept, tolerance, fit }: Solver,
  lambda: number,
  start: GlmPoint,
): Promise<{ point: GlmPoint; steps: number }> {
  const objective = (logLikelihood: number, { theta }: GlmPoint): number =>
    theta.reduce((sum, b) => sum + penalty.value(Math.abs(b), lambda), -logLikelihood);
  const free = hasIntercept ? 1 : 0;
  let point = start;
  let here = await fit.expansion(point);
  for (let steps = 1; steps <= MAX_STEPS; steps++) {
    const set = new WorkingSet(Math.max(1, point.columns.length + free));
    const size = point.columns.length + 1;
    for (let i = 1 - free; i < size; i++) {
      const row = here.information.subarray(i * size + 1 - free, i * size + i + 1);
      set.append(row, here.score[i], i === 0 ? point.intercept : point.theta[i - 1]);
    }
    descend(set, { penalty, lambda, free, tolerance: 0.01 * tolerance, maxRounds: 10_000 });
    let change = 0;
    const target: GlmPoint = {
      columns: point.columns,
      theta: set.beta.slice(free, set.size),
      intercept: hasIntercept ? set.beta[0] : 0,
    };
    for (let i = 1 - free; i < size; i++) {
      const delta = i === 0 ? target.intercept - point.intercept : target.theta[i - 1] - point.theta[i - 1];
      change = Math.max(change, here.information[i * size + i] * delta * delta);
    }
    if (change <= tolerance) return { point: target, steps };
    const from = objective(here.logLikelihood, point);
    let share = 1;
    let next = target;
    here = await fit.expansion(next);
    // Rounding is no reason to halve.
    for (
      let h = 0;
      h < HALVINGS && objective(here.logLikelihood, next) > from + 1e-12 * Math.abs(from);
      h++
    ) {
      share /= 2;
      next = between(point, target, share);
      here = await fit.expansion(next);
    }
    point = next;
  }
  throw new SparrowError(
    `The ${penalty.name} path did not converge at λ = ${lambda}; leave out columns that separate the classes.`,
  );
}

const between = (from: GlmPoint, to: GlmPoint, share: number): GlmPoint => ({
  columns: to.columns,
  theta: to.theta.map((b, i) => from.theta[i] + share * (b - from.theta[i])),
  intercept: from.intercept + share * (to.intercept - from.intercept),
});

const widened = (point: GlmPoint, entering: readonly number[]): GlmPoint => ({
  columns: [...point.columns, ...entering],
  theta: Float64Array.of(...point.theta, ...entering.map(() => 0)),
  intercept: point.intercept,
});

const nonzero = ({ columns, theta, intercept }: GlmPoint): GlmPoint => ({
  columns: columns.filter((_, i) => theta[i] !== 0),
  theta: theta.filter((b) => b !== 0),
  intercept,
});

interface BinomialFit {
  readonly rows: number;
  /** Share of ones. */
  readonly mean: number;
  /** Mean log-likelihood and gradient of all columns, per row. */
  gradient(point: GlmPoint): Promise<{ logLikelihood: number; gradient: Float64Array }>;
  /** The same with the information, for the point's columns, the ones in front. */
  expansion(
    point: GlmPoint,
  ): Promise<{ logLikelihood: number; score: Float64Array; information: Float64Array }>;
  inDataUnits(point: GlmPoint, lambda: number, devianceRatio: number): PathPoint;
}

function binomialFit(
  data: BinomialData,
  standardize: boolean,
  hasIntercept: boolean,
  bound: boolean,
  without: number | undefined,
): BinomialFit {
  const { store, pool, folds, target } = data;
  const { layout, shift } = store;
  const { columns } = layout;
  const parts = folds.filter((_, f) => f !== without);
  const rows = parts.reduce((sum, part) => sum + part.rows, 0);
  const choice: FoldChoice | undefined =
    without === undefined ? undefined : { fold: without, folds: folds.length, inside: false };
  const total = (key: "sum" | "squares", j: number): number =>
    parts.reduce((sum, part) => sum + part[key][j], 0);
  const slope = new Float64Array(columns + 1);
  const offset = new Float64Array(columns + 1);
  offset[columns] = 1;
  for (let j = 0; j < columns; j++) {
    const mean = total("sum", j) / rows;
    const square = total("squares", j) / rows;
    const variance = square - mean * mean;
    // A constant column has no slope and no offset: it is not there.
    if (variance <= 1e-12 * square) continue;
    slope[j] = standardize ? 1 / Math.sqrt(variance) : 1;
    offset[j] = slope[j] * (hasIntercept ? -mean : shift[j]);
  }
  const scaling: Scaling = { slope, offset, target };

  async function pass(point: GlmPoint, want: GlmPassInput["want"]): Promise<Float64Array> {
    const jobs = glmPassJobs(layout, { scaling, point, rows: choice, want });
    const sums = await pool.run(glmPassJob, jobs);
    const added = sums[0].slice();
    for (const part of sums.slice(1)) for (let i = 0; i < added.length; i++) added[i] += part[i];
    return added.map((value) => value / rows);
  }

  return {
    rows,
    mean: (target.slope * total("sum", columns)) / rows + target.offset,
    async gradient(point) {
      const sums = await pass(point, "score");
      return { logLikelihood: sums[0], gradient: sums.slice(2) };
    },
    async expansion(point) {
      const size = point.columns.length + 1;
      const sums = await pass(point, bound ? "bound" : "information");
      const information = sums.slice(1 + size);
      for (let i = 0; i < size; i++) {
        for (let j = 0; j < i; j++) information[i * size + j] = information[j * size + i];
      }
      return { logLikelihood: sums[0], score: sums.slice(1, 1 + size), information };
    },
    inDataUnits(point, lambda, devianceRatio) {
      const order = point.columns.map((j, i) => ({ j, b: point.theta[i] })).sort((a, c) => a.j - c.j);
      let intercept = point.intercept;
      for (const { j, b } of order) intercept += b * (offset[j] - slope[j] * shift[j]);
      return {
        lambda,
        intercept: hasIntercept ? intercept : 0,
        variables: Uint32Array.from(order, ({ j }) => j),
        values: Float64Array.from(order, ({ j, b }) => b * slope[j]),
        devianceRatio,
      };
    },
  };
}

/** Mean deviances on the rows of a fold. */
export function binomialValidator(data: BinomialData): Validator {
  const { store, pool, folds, target } = data;
  const { columns } = store.layout;
  // As they came: x = u + shift.
  const slope = new Float64Array(columns + 1).fill(1, 0, columns);
  const offset = store.shift.slice();
  offset[columns] = 1;
  return {
    folds: folds.length,
    rows: (fold) => folds[fold].rows,
    path: (settings, without) => binomialPath(data, settings, without),
    async errors(points, fold) {
      const errors: number[] = [];
      for (const { variables, values, intercept } of points) {
        const jobs = glmPassJobs(store.layout, {
          scaling: { slope, offset, target },
          point: { columns: [...variables], theta: values, intercept },
          rows: { fold, folds: folds.length, inside: true },
          want: "likelihood",
        });
        const sums = await pool.run(glmPassJob, jobs);
        errors.push((-2 * sums.reduce((total, part) => total + part[0], 0)) / folds[fold].rows);
      }
      return errors;
    },
  };
}
