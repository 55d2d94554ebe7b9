/**
 * Classes and counts: p(y | S) = ∫∫ p(y | a, β) N(β; 0, vI) da dβ in standard units by importance sampling, with a
 * proposal that learns: a t distribution at the mode, then a mixture of that and of one with the mean and covariance of
 * the weighted draws, which follows where the posterior is far from normal (separation, empty cells). Rows that are alike
 * are counted once. Done twice with different random numbers: the difference says how far off it is.
 */

import type { Data, Problem, Truth } from "../problem.js";
import { Random } from "../random.js";
import { averaged, type Worked } from "./average.js";
import { backward, choleskyOf, dot, forward, logDeterminant, standardised } from "./linear.js";

const FREEDOM = 5;
const LEARNING = [1000, 2000, 4000];
/** Draws of a model: as few as make the two answers agree. */
const DRAWS = [20_000, 80_000, 320_000];
const AGREED = 0.002;

interface Known {
  readonly data: Data;
  readonly x: readonly Float64Array[];
  readonly sd: readonly number[];
}

/** Rows with the same values of some columns, of which their number and the sum of their targets say everything. */
interface Grouped {
  /** With an intercept, in standard units. */
  readonly design: readonly (readonly number[])[];
  readonly count: readonly number[];
  readonly sum: readonly number[];
}

function grouped({ data: { columns, y }, x }: Known, members: readonly number[]): Grouped {
  const places = new Map<string, number>();
  const [design, count, sum]: [number[][], number[], number[]] = [[], [], []];
  y.forEach((value, i) => {
    const key = members.map((j) => columns[j][i]).join();
    const at = places.get(key) ?? design.length;
    if (at === design.length) {
      places.set(key, at);
      design.push([1, ...members.map((j) => x[j][i])]);
      count.push(0);
      sum.push(0);
    }
    count[at] += 1;
    sum[at] += value;
  });
  return { design, count, sum };
}

export function integrated(data: Data, problem: Problem): Truth {
  const all = data.columns.map(standardised);
  const known = { data, x: all.map(({ x }) => x), sd: all.map(({ sd }) => sd) };
  const p = all.length;
  const once = (seed: number, draws: number): Truth => {
    const models = Array.from({ length: 2 ** p }, (_, mask) => {
      const members = Array.from({ length: p }, (__, j) => j).filter((j) => (mask >> j) & 1);
      return integral(known, members, { ...problem, draws }, new Random(seed + mask));
    });
    return averaged(models, known.sd, 0);
  };
  for (const draws of DRAWS) {
    const [first, second] = [once(problem.seed * 1000, draws), once(problem.seed * 1000 + 500, draws)];
    const error = Math.max(
      ...Object.entries(first.variables).map(([name, [pip]]) => Math.abs(pip - second.variables[name][0])),
    );
    if (error < AGREED) return { ...first, error: Number(error.toPrecision(3)) };
  }
  throw new Error(`${problem.name}: two answers do not agree`);
}

type Matrix = readonly (readonly number[])[];
interface Proposal {
  readonly mean: readonly number[];
  /** L with LL' the scale matrix. */
  readonly factor: Matrix;
}

function integral(
  known: Known,
  members: readonly number[],
  problem: Problem & { readonly draws: number },
  random: Random,
): Worked {
  const rows = grouped(known, members);
  const { design, count, sum } = rows;
  const at = [0, ...members.map((j) => j + 1)];
  const d = at.length;
  const v = problem.slabVariance;
  const binomial = problem.family === "binomial";
  const cumulant = (eta: number): number =>
    binomial ? Math.max(0, eta) + Math.log1p(Math.exp(-Math.abs(eta))) : Math.exp(eta);
  const joint = (theta: readonly number[]): number => {
    let log = -0.5 * (d - 1) * Math.log(2 * Math.PI * v);
    for (let a = 1; a < d; a++) log -= theta[a] ** 2 / (2 * v);
    for (let i = 0; i < design.length; i++) {
      let eta = 0;
      for (let a = 0; a < d; a++) eta += design[i][a] * theta[a];
      log += sum[i] * eta - count[i] * cumulant(eta);
    }
    return log;
  };
  const atMode = modeOf(rows, { v, binomial, joint });
  let learnt: Proposal = atMode;
  const draws = (n: number) => {
    const thetas: number[][] = [];
    const logs: number[] = [];
    for (let i = 0; i < n; i++) {
      const from = random.uniform() < 0.4 ? atMode : learnt;
      const theta = drawn(random, from);
      thetas.push(theta);
      const proposal = Math.log(
        0.4 * Math.exp(logDensity(theta, atMode)) + 0.6 * Math.exp(logDensity(theta, learnt)),
      );
      logs.push(joint(theta) - proposal);
    }
    const top = logs.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY);
    const weights = logs.map((log) => Math.exp(log - top));
    const total = weights.reduce((a, b) => a + b, 0);
    const mean = at.map(
      (_, a) =>
        dot(
          weights,
          thetas.map((theta) => theta[a]),
        ) / total,
    );
    const covariance = at.map((_, a) =>
      at.map(
        (__, b) =>
          thetas.reduce((sum, t, i) => sum + weights[i] * (t[a] - mean[a]) * (t[b] - mean[b]), 0) / total,
      ),
    );
    return { log: top + Math.log(total / n), mean, covariance };
  };
  for (const n of LEARNING) {
    const { mean, covariance } = draws(n);
    learnt = {
      mean,
      factor: choleskyOf(covariance.map((row, a) => row.map((c, b) => c * 1.1 + (a === b ? 1e-12 : 0)))),
    };
  }
  const { log, mean, covariance } = draws(problem.draws);
  const prior = members.length * Math.log(problem.priorInclusion / (1 - problem.priorInclusion));
  return {
    members,
    log: log + prior,
    mean: mean.slice(1),
    variance: covariance.map((row, a) => row[a]).slice(1),
  };
}

/** Newton's method with halved steps, all in float64; the proposal there is twice as wide as the curvature says. */
function modeOf(
  { design, count, sum }: Grouped,
  { v, binomial, joint }: { v: number; binomial: boolean; joint: (theta: readonly number[]) => number },
): Proposal {
  const d = design[0].length;
  const total = (values: readonly number[]) => values.reduce((a, b) => a + b, 0);
  const mean = total(sum) / total(count);
  let theta = design[0].map((_, a) => (a > 0 ? 0 : binomial ? Math.log(mean / (1 - mean)) : Math.log(mean)));
  for (let pass = 0; ; pass++) {
    const gradient = theta.map((t, a) => (a > 0 ? -t / v : 0));
    const information = theta.map((_, a) => theta.map((__, b) => (a === b && a > 0 ? 1 / v : 0)));
    design.forEach((row, i) => {
      const eta = dot(row, theta);
      const mu = binomial ? 1 / (1 + Math.exp(-eta)) : Math.exp(eta);
      const weight = count[i] * (binomial ? mu * (1 - mu) : mu);
      for (let a = 0; a < d; a++) {
        gradient[a] += (sum[i] - count[i] * mu) * row[a];
        for (let b = 0; b < d; b++) information[a][b] += weight * row[a] * row[b];
      }
    });
    const l = choleskyOf(information);
    const step = backward(l, forward(l, gradient));
    const decrement = dot(step, gradient);
    if (decrement < 1e-10 || pass === 200) {
      // The inverse of the information, column by column.
      const inverse = theta.map((_, a) =>
        backward(
          l,
          forward(
            l,
            theta.map((__, b) => (a === b ? 1 : 0)),
          ),
        ),
      );
      return { mean: theta, factor: choleskyOf(inverse.map((row) => row.map((value) => 2 * value))) };
    }
    const here = joint(theta);
    let share = 1;
    const moved = () => theta.map((t, a) => t + share * step[a]);
    while (share > 1e-6 && !(joint(moved()) > here)) share /= 2;
    if (share <= 1e-6) share = 0.01;
    theta = moved();
  }
}

function drawn(random: Random, { mean, factor }: Proposal): number[] {
  const z = mean.map(() => random.normal());
  const stretch = 1 / Math.sqrt(random.gamma(FREEDOM / 2));
  return mean.map((m, a) => m + stretch * factor[a].reduce((sum, l, b) => sum + l * z[b], 0));
}

/** Of the t distribution, constants included. */
function logDensity(theta: readonly number[], { mean, factor }: Proposal): number {
  const d = mean.length;
  const z = forward(
    factor,
    theta.map((t, a) => t - mean[a]),
  );
  return (
    logGamma((FREEDOM + d) / 2) -
    logGamma(FREEDOM / 2) -
    0.5 * d * Math.log(FREEDOM * Math.PI) -
    0.5 * logDeterminant(factor) -
    0.5 * (FREEDOM + d) * Math.log1p(dot(z, z) / FREEDOM)
  );
}

/** Of a positive multiple of one half. */
function logGamma(x: number): number {
  let log = Number.isInteger(x) ? 0 : 0.5 * Math.log(Math.PI);
  for (let t = x - 1; t > 0; t--) log += Math.log(t);
  return log;
}
