/**
 * Scores of predictions against what was observed, one record per family. y is the target, μ the predicted mean
 * (for a binomial target the probability of a 1). Conventions:
 * - R² = 1 − Σ(y − μ)²/Σ(y − ȳ)², absent when y is constant; it may be negative.
 * - The error rate calls a probability above ½ a 1 and counts exactly ½ as half an error.
 * - The log loss bounds probabilities away from 0 and 1 by 1e-15, so that one overconfident row costs 34.5 and
 *   not infinity.
 * - AUC is P(μ of a 1 > μ of a 0) + ½P(equal) (Mann and Whitney 1947), absent when y has one class.
 * - Poisson deviance is the mean of 2(y log(y/μ) − (y − μ)), with 0·log 0 = 0.
 */

import { FitMoments } from "../kernels/fit-moments.js";
import { type Calibration, calibration } from "./calibration.js";

type Numbers = ArrayLike<number>;

export interface GaussianScores {
  /** Rows that were scored. */
  readonly rows: number;
  /** Root of the mean squared error. */
  readonly rmse: number;
  /** Share of the variance that is explained; absent for a constant target. */
  readonly r2?: number;
}

export interface BinomialScores {
  readonly rows: number;
  readonly errorRate: number;
  readonly logLoss: number;
  readonly brier: number;
  readonly auc?: number;
  readonly calibration: Calibration;
}

export interface PoissonScores {
  readonly rows: number;
  readonly deviance: number;
  readonly rmse: number;
}

export function gaussianScores(y: Numbers, mu: Numbers): GaussianScores {
  refuseUnpaired(y, mu);
  const { squares, sum, least, most } = momentsOf(y, mu);
  // Whatever is no number leaves none behind.
  if (!Number.isFinite(squares)) {
    refuseUnless(mu, Number.isFinite, "a number");
    refuseUnless(y, Number.isFinite, "a number");
  }
  const scores = { rows: y.length, rmse: Math.sqrt(squares / y.length) };
  if (least.value === most.value) return scores;
  const spread = momentsOf(y, new Float64Array(y.length).fill(sum / y.length)).squares;
  return { ...scores, r2: 1 - squares / spread };
}

function momentsOf(y: Numbers, mu: Numbers): FitMoments {
  const moments = new FitMoments();
  moments.add(y, mu, y.length);
  return moments;
}

export function binomialScores(y: Numbers, mu: Numbers): BinomialScores {
  refuseUnpaired(y, mu);
  const rows = y.length;
  let [errors, loss, squares] = [0, 0, 0];
  for (let i = 0; i < rows; i++) {
    const [p, isOne] = [mu[i], y[i] === 1];
    if (!(p >= 0 && p <= 1)) throw refused(i, p, "a probability");
    if (!isOne && y[i] !== 0) throw refused(i, y[i], "0 or 1");
    if (p === 0.5) errors += 0.5;
    else if (p > 0.5 !== isOne) errors += 1;
    loss -= Math.log(Math.max(isOne ? p : 1 - p, 1e-15));
    squares += (y[i] - p) ** 2;
  }
  const area = auc(y, mu);
  return {
    rows,
    errorRate: errors / rows,
    logLoss: loss / rows,
    brier: squares / rows,
    ...(area === undefined ? {} : { auc: area }),
    calibration: calibration(y, mu),
  };
}

export function poissonScores(y: Numbers, mu: Numbers): PoissonScores {
  refuseUnless(mu, (m) => m > 0 && m < Infinity, "a positive mean");
  refuseUnless(y, (v) => v >= 0 && v < Infinity, "a count");
  const deviance = total(y, mu, (v, m) => 2 * ((v > 0 ? v * Math.log(v / m) : 0) - (v - m)));
  const squares = total(y, mu, (v, m) => (v - m) ** 2);
  return { rows: y.length, deviance: deviance / y.length, rmse: Math.sqrt(squares / y.length) };
}

/** How many pairs of a one and a zero are in order, of all; equal predictions are half in order. */
export function auc(y: Numbers, mu: Numbers): number | undefined {
  const all = new Float64Array(y.length);
  let [count, from] = [0, y.length];
  for (let i = 0; i < y.length; i++) {
    if (y[i] === 1) all[count++] = mu[i];
    else all[--from] = mu[i];
  }
  // Numbers alone are sorted several times faster than their places are.
  const [ones, zeros] = [all.subarray(0, count).sort(), all.subarray(count).sort()];
  let inOrder = 0;
  let [below, upTo] = [0, 0];
  for (const one of ones) {
    while (below < zeros.length && zeros[below] < one) below++;
    while (upTo < zeros.length && zeros[upTo] <= one) upTo++;
    inOrder += (below + upTo) / 2;
  }
  return ones.length === 0 || zeros.length === 0 ? undefined : inOrder / (ones.length * zeros.length);
}

function total(y: Numbers, mu: Numbers, term: (y: number, mu: number) => number): number {
  refuseUnpaired(y, mu);
  let sum = 0;
  for (let i = 0; i < y.length; i++) sum += term(y[i], mu[i]);
  return sum;
}

function refuseUnpaired(y: Numbers, mu: Numbers): void {
  if (y.length === mu.length && y.length > 0) return;
  throw new RangeError("Scores need one prediction for each of at least one row.");
}

function refuseUnless(values: Numbers, fine: (value: number) => boolean, what: string): void {
  for (let i = 0; i < values.length; i++) if (!fine(values[i])) throw refused(i, values[i], what);
}

const refused = (row: number, value: number, what: string): RangeError =>
  new RangeError(`Row ${row + 1} has ${value} where ${what} is needed.`);
