/**
 * Inclusion probabilities of a small logistic or Poisson problem, straight from the definition: for each subset of
 * the columns the marginal likelihood
 *
 *     p(y | S) = ∫∫ p(y | a, β) N(β; 0, vI) da dβ
 *
 * by importance sampling from a multivariate t at the mode, in antithetic pairs, until the standard error of its
 * logarithm is small enough. Shares nothing with what it checks but the random numbers.
 */

import { normal } from "../../src/math/normal.js";
import { Rng } from "../../src/math/rng.js";
import { inner, invert, times } from "../dense.js";
import { centred, type Regression } from "./problems.js";

export interface GlmSettings {
  readonly family: "binomial" | "poisson";
  readonly slabVariance: number;
  readonly logPrior: (size: number) => number;
  /** Standard error to reach of the log marginal likelihood of a model that matters; five times that for others. */
  readonly accuracy: number;
}

export interface GlmBruteForce {
  readonly pip: number[];
  /** The same by Laplace's approximation at the mode of every model. */
  readonly laplacePip: number[];
  /** The largest standard error of the log marginal likelihood of a model that matters, and of Laplace's. */
  readonly error: number;
  readonly laplaceError: number;
}

/** A model below this share of the posterior, by Laplace's approximation, may keep that: it decides nothing. */
const NEGLIGIBLE = 1e-5;
/** A model above this share matters. */
const PROBABLE = 0.01;
const FREEDOM = 20;
const MIN_PAIRS = 500;
const MAX_PAIRS = 200_000;

export function glmBruteForce({ columns, y }: Regression, settings: GlmSettings): GlmBruteForce {
  const p = columns.length;
  const x = columns.map((values) => {
    const c = centred(values);
    const sd = Math.sqrt(inner(c, c) / (c.length - 1));
    return Float64Array.from(c, (u) => u / sd);
  });
  const ones = new Float64Array(y.length).fill(1);
  const models = Array.from({ length: 2 ** p }, (_, mask) => {
    const members = Array.from({ length: p }, (_, j) => j).filter((j) => (mask >> j) & 1);
    const mode = modeOf([ones, ...members.map((j) => x[j])], y, settings);
    return { mask, mode, log: settings.logPrior(members.length) + mode.laplace };
  });
  const share = shares(models.map(({ log }) => log));
  let [error, laplaceError] = [0, 0];
  const logs = models.map(({ mask, mode, log }, m) => {
    if (share[m] < NEGLIGIBLE) return log;
    const matters = share[m] > PROBABLE;
    const correction = importance(Rng.seeded(mask), mode, y, settings, (matters ? 1 : 5) * settings.accuracy);
    if (matters) {
      error = Math.max(error, correction.error);
      laplaceError = Math.max(laplaceError, Math.abs(correction.log));
    }
    return log + correction.log;
  });
  const inclusion = (weights: readonly number[]): number[] =>
    Array.from({ length: p }, (_, j) => weights.reduce((sum, w, mask) => sum + ((mask >> j) & 1 ? w : 0), 0));
  return { pip: inclusion(shares(logs)), laplacePip: inclusion(share), error, laplaceError };
}

function shares(logs: readonly number[]): number[] {
  const largest = Math.max(...logs);
  const weights = logs.map((log) => Math.exp(log - largest));
  const total = weights.reduce((a, b) => a + b, 0);
  return weights.map((w) => w / total);
}

interface Mode {
  readonly design: readonly Float64Array[];
  readonly theta: number[];
  readonly eta: Float64Array;
  /** log p(y, θ̂) without constants of y, and its Laplace approximation of the integral without (2π)^(1/2). */
  readonly logJoint: number;
  readonly laplace: number;
  /** The inverse of the information, factored: A·A' = H⁻¹. */
  readonly factor: number[][];
}

/** b(η) with p(y | η) ∝ exp(yη − b(η)). */
function cumulant(family: GlmSettings["family"], eta: number): number {
  if (family === "poisson") return Math.exp(eta);
  return eta > 0 ? eta + Math.log1p(Math.exp(-eta)) : Math.log1p(Math.exp(eta));
}

function logJointOf(
  eta: Float64Array,
  theta: readonly number[],
  y: readonly number[],
  s: GlmSettings,
): number {
  let log = 0;
  for (let i = 0; i < y.length; i++) log += y[i] * eta[i] - cumulant(s.family, eta[i]);
  for (let a = 1; a < theta.length; a++) log -= theta[a] ** 2 / (2 * s.slabVariance);
  return log - 0.5 * (theta.length - 1) * Math.log(s.slabVariance);
}

function predictor(design: readonly Float64Array[], theta: readonly number[]): Float64Array {
  const eta = new Float64Array(design[0].length);
  design.forEach((column, a) => {
    for (let i = 0; i < eta.length; i++) eta[i] += theta[a] * column[i];
  });
  return eta;
}

/** Newton's method, halving steps that go too far. */
function modeOf(design: readonly Float64Array[], y: readonly number[], s: GlmSettings): Mode {
  const k = design.length;
  const mean = y.reduce((a, b) => a + b, 0) / y.length;
  let theta = design.map((_, a) =>
    a > 0 ? 0 : s.family === "poisson" ? Math.log(mean) : Math.log(mean / (1 - mean)),
  );
  for (;;) {
    const eta = predictor(design, theta);
    const logJoint = logJointOf(eta, theta, y, s);
    const mu = eta.map((e) => (s.family === "poisson" ? Math.exp(e) : 1 / (1 + Math.exp(-e))));
    const weight = s.family === "poisson" ? mu : mu.map((m) => m * (1 - m));
    const gradient = theta.map((t, a) => {
      let sum = a > 0 ? -t / s.slabVariance : 0;
      for (let i = 0; i < y.length; i++) sum += (y[i] - mu[i]) * design[a][i];
      return sum;
    });
    const information = design.map((u, a) =>
      design.map((v, b) => {
        let sum = a === b && a > 0 ? 1 / s.slabVariance : 0;
        for (let i = 0; i < y.length; i++) sum += weight[i] * u[i] * v[i];
        return sum;
      }),
    );
    const { inverse, logDeterminant } = invert(information);
    const step = times(inverse, gradient);
    if (inner(step, gradient) < 1e-12) {
      // Every model has the intercept, so one factor of √2π is common to all and left out.
      const laplace = logJoint - 0.5 * logDeterminant;
      return { design, theta, eta, logJoint, laplace, factor: factored(inverse, k) };
    }
    let share = 1;
    const moved = () => theta.map((t, a) => t + share * step[a]);
    while (!(logJointOf(predictor(design, moved()), moved(), y, s) >= logJoint - 1e-9)) share /= 2;
    theta = moved();
  }
}

function factored(matrix: readonly (readonly number[])[], n: number): number[][] {
  const factor = Array.from({ length: n }, () => new Array<number>(n).fill(0));
  for (let i = 0; i < n; i++) {
    for (let j = 0; j <= i; j++) {
      let sum = matrix[i][j];
      for (let k = 0; k < j; k++) sum -= factor[i][k] * factor[j][k];
      factor[i][j] = i === j ? Math.sqrt(sum) : sum / factor[j][j];
    }
  }
  return factor;
}

/** log of the integral over Laplace's approximation of it: the mean of (joint / t density), both relative to the mode. */
function importance(
  rng: Rng,
  mode: Mode,
  y: readonly number[],
  settings: GlmSettings,
  accuracy: number,
): { log: number; error: number } {
  const { design, theta, factor } = mode;
  const k = theta.length;
  // Γ((ν + k)/2) / (Γ(ν/2)(ν/2)^(k/2)): the density of the t at its centre over that of the normal.
  const atCentre = logGamma((FREEDOM + k) / 2) - logGamma(FREEDOM / 2) - (k / 2) * Math.log(FREEDOM / 2);
  const gain = gains(mode, y, settings);
  let [count, sum, squares] = [0, 0, 0];
  for (;;) {
    const z = Array.from({ length: k }, () => normal(rng));
    let chi = 0;
    for (let i = 0; i < FREEDOM; i++) chi += normal(rng) ** 2;
    const stretch = Math.sqrt(FREEDOM / chi);
    const move = factor.map((row) => stretch * inner(row, z));
    const distance = stretch * stretch * inner(z, z);
    const logProposal = atCentre - 0.5 * (FREEDOM + k) * Math.log1p(distance / FREEDOM);
    const [there, opposite] = gain(move, predictor(design, move));
    const pair = 0.5 * (Math.exp(there - logProposal) + Math.exp(opposite - logProposal));
    count += 1;
    sum += pair;
    squares += pair * pair;
    if (count < MIN_PAIRS || count % 100 !== 0) continue;
    const mean = sum / count;
    const error = Math.sqrt(Math.max(0, squares / count - mean * mean) / count) / mean;
    if (error < accuracy || count >= MAX_PAIRS) return { log: Math.log(mean), error };
  }
}

/**
 * (move, X·move) ↦ log p(y, θ̂ ± move) − log p(y, θ̂). With δ = x'move a row costs one exponential for both signs:
 * Poisson e^η(e^±δ − 1), logistic log(1 − μ + μe^±δ), of which many rows share a logarithm.
 */
function gains(
  { design, theta, eta }: Mode,
  y: readonly number[],
  { family, slabVariance }: GlmSettings,
): (move: readonly number[], away: Float64Array) => [number, number] {
  const mu = eta.map((e) => (family === "poisson" ? Math.exp(e) : 1 / (1 + Math.exp(-e))));
  const score = design.map((column) => column.reduce((sum, u, i) => sum + y[i] * u, 0));
  return (move, away) => {
    let linear = 0;
    let quadratic = 0;
    for (let a = 0; a < move.length; a++) {
      linear += move[a] * score[a];
      if (a === 0) continue;
      linear -= (theta[a] * move[a]) / slabVariance;
      quadratic -= move[a] ** 2 / (2 * slabVariance);
    }
    let [up, down] = [0, 0];
    if (family === "poisson") {
      for (let i = 0; i < away.length; i++) {
        const e = Math.exp(away[i]);
        up += mu[i] * (e - 1);
        down += mu[i] * (1 / e - 1);
      }
    } else {
      for (let from = 0; from < away.length; from += 8) {
        let [productUp, productDown] = [1, 1];
        for (let i = from; i < Math.min(from + 8, away.length); i++) {
          const e = Math.exp(away[i]);
          productUp *= 1 + mu[i] * (e - 1);
          productDown *= 1 + mu[i] * (1 / e - 1);
        }
        up += Math.log(productUp);
        down += Math.log(productDown);
      }
    }
    return [quadratic + linear - up, quadratic - linear - down];
  };
}

/** Of a positive multiple of one half. */
function logGamma(x: number): number {
  let log = Number.isInteger(x) ? 0 : 0.5 * Math.log(Math.PI);
  for (let t = x - 1; t > 0; t--) log += Math.log(t);
  return log;
}
