/** Random variates of the laws that models, priors and conjugate updates need. The generator is always first. */

import { squareLower } from "./linear.js";
import { normal } from "./normal.js";
import type { Rng } from "./rng.js";
import { expit, logGamma } from "./special.js";

export const bernoulli = (rng: Rng, p: number): boolean => rng.uniform() < p;

/** Density e^{−x} on x > 0. Divide by a rate. */
export const exponential = (rng: Rng): number => -Math.log(rng.uniformOpen());

/**
 * Density ∝ x^{shape−1} e^{−x}; divide by a rate (Marsaglia and Tsang 2000: with d = shape − 1/3 and
 * c = 1/√(9d), d(1 + cξ)³ is accepted with probability above 0.95). A shape below 1 may underflow to 0: where
 * that matters, use `logGammaVariate`.
 */
export function gamma(rng: Rng, shape: number): number {
  return shape < 1 ? Math.exp(logGammaVariate(rng, shape)) : gammaFromOne(rng, shape);
}

/** The logarithm of a gamma variate, finite for any shape: G_a = G_{a+1}·U^{1/a}. */
export function logGammaVariate(rng: Rng, shape: number): number {
  if (shape >= 1) return Math.log(gammaFromOne(rng, shape));
  if (!(shape > 0)) throw new RangeError(`the shape of a gamma variable must be positive, not ${shape}`);
  return Math.log(gammaFromOne(rng, shape + 1)) - exponential(rng) / shape;
}

function gammaFromOne(rng: Rng, shape: number): number {
  if (!(shape < Number.POSITIVE_INFINITY)) throw new RangeError(`a gamma variable has no shape ${shape}`);
  const d = shape - 1 / 3;
  const c = 1 / Math.sqrt(9 * d);
  for (;;) {
    const x = normal(rng);
    const root = 1 + c * x;
    if (root <= 0) continue;
    const v = root * root * root;
    const u = rng.uniformOpen();
    const xx = x * x;
    if (u < 1 - 0.0331 * xx * xx || Math.log(u) < 0.5 * xx + d * (1 - v + Math.log(v))) return d * v;
  }
}

export const chiSquare = (rng: Rng, freedom: number): number => 2 * gamma(rng, freedom / 2);

/** Density ∝ x^{−shape−1} e^{−scale/x}: the conjugate law of a variance. */
export const inverseGamma = (rng: Rng, shape: number, scale: number): number =>
  scale * Math.exp(-logGammaVariate(rng, shape));

/** Density ∝ x^{a−1}(1 − x)^{b−1}, from logarithms so that small a and b cannot give 0/0. */
export const beta = (rng: Rng, a: number, b: number): number =>
  expit(logGammaVariate(rng, a) - logGammaVariate(rng, b));

export const studentT = (rng: Rng, freedom: number): number =>
  normal(rng) * Math.sqrt(freedom / 2) * Math.exp(-0.5 * logGammaVariate(rng, freedom / 2));

/** Counts: by multiplication of uniforms below mean 10, by Hörmann's (1993) transformed rejection PTRS above. */
export function poisson(rng: Rng, mean: number): number {
  if (!(mean >= 0 && mean < Number.POSITIVE_INFINITY))
    throw new RangeError(`a Poisson mean cannot be ${mean}`);
  if (mean < 10) {
    const floor = Math.exp(-mean);
    let count = 0;
    for (let product = rng.uniform(); product > floor; product *= rng.uniform()) count++;
    return count;
  }
  const logMean = Math.log(mean);
  const b = 0.931 + 2.53 * Math.sqrt(mean);
  const a = -0.059 + 0.02483 * b;
  const inverseAlpha = 1.1239 + 1.1328 / (b - 3.4);
  const quick = 0.9277 - 3.6224 / (b - 2);
  for (;;) {
    const u = rng.uniform() - 0.5;
    const v = rng.uniformOpen();
    const room = 0.5 - Math.abs(u);
    const k = Math.floor(((2 * a) / room + b) * u + mean + 0.43);
    if (room >= 0.07 && v <= quick) return k;
    if (k < 0 || (room < 0.013 && v > room)) continue;
    if (Math.log((v * inverseAlpha) / (a / (room * room) + b)) <= k * logMean - mean - logGamma(k + 1))
      return k;
  }
}

/** An index with probability ∝ e^{logWeights[i]}, on any scale; −∞ is never drawn. For many draws use `aliasTable`. */
export function categorical(rng: Rng, logWeights: ArrayLike<number>): number {
  let max = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < logWeights.length; i++) max = Math.max(max, logWeights[i]);
  if (!Number.isFinite(max)) throw new RangeError("the largest log weight must be finite");
  let total = 0;
  for (let i = 0; i < logWeights.length; i++) total += Math.exp(logWeights[i] - max);
  let left = rng.uniform() * total;
  let last = 0;
  for (let i = 0; i < logWeights.length; i++) {
    const weight = Math.exp(logWeights[i] - max);
    if (weight === 0) continue;
    if (left < weight) return i;
    left -= weight;
    last = i;
  }
  // Only rounding of the running difference leads here.
  return last;
}

/** out ~ N(mean, LLᵀ), L the lower triangular factor of dimension `mean.length`. */
export function multivariateNormal(
  rng: Rng,
  out: Float64Array,
  mean: Float64Array,
  factor: Float64Array,
): void {
  const n = mean.length;
  for (let i = 0; i < n; i++) out[i] = normal(rng);
  // From the last row up, so that the normals that a row needs are still there.
  for (let i = n - 1; i >= 0; i--) {
    let sum = mean[i];
    for (let j = 0; j <= i; j++) sum += factor[i * n + j] * out[j];
    out[i] = sum;
  }
}

/**
 * out ~ Wishart(freedom, S), S = LLᵀ, mean freedom·S: with Bartlett's (1933) lower triangular A (A_ii² chi-square
 * with freedom − i, i from 0; normals below), out = (LA)(LA)ᵀ. Needs freedom > n − 1.
 */
export function wishart(rng: Rng, out: Float64Array, freedom: number, factor: Float64Array, n: number): void {
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < i; j++) out[i * n + j] = normal(rng);
    out[i * n + i] = Math.sqrt(chiSquare(rng, freedom - i));
  }
  for (let i = n - 1; i >= 0; i--) {
    for (let j = 0; j <= i; j++) {
      let sum = 0;
      for (let k = j; k <= i; k++) sum += factor[i * n + k] * out[k * n + j];
      out[i * n + j] = sum;
    }
  }
  squareLower(out, n);
}

/** out ~ inverse Wishart(freedom, S), S = LLᵀ, mean S/(freedom − n − 1): the conjugate law of a covariance. */
export function inverseWishart(
  rng: Rng,
  out: Float64Array,
  freedom: number,
  factor: Float64Array,
  n: number,
): void {
  inverseWishartFactor(rng, out, freedom, factor, n);
  squareLower(out, n);
}

/**
 * Its lower triangular factor, in the lower triangle of `out`. With an upper triangular U such that
 * UUᵀ ~ Wishart(freedom, I) it is B where BUᵀ = L, found from its last row up, each over the row and the diagonal element
 * of U that are no longer needed.
 */
export function inverseWishartFactor(
  rng: Rng,
  out: Float64Array,
  freedom: number,
  factor: Float64Array,
  n: number,
): void {
  for (let i = 0; i < n; i++) {
    out[i * n + i] = Math.sqrt(chiSquare(rng, freedom - (n - 1 - i)));
    for (let j = i + 1; j < n; j++) out[i * n + j] = normal(rng);
  }
  for (let i = n - 1; i >= 0; i--) {
    out[i * n + i] = factor[i * n + i] / out[i * n + i];
    for (let j = i - 1; j >= 0; j--) {
      let sum = factor[i * n + j];
      for (let k = j + 1; k <= i; k++) sum -= out[j * n + k] * out[i * n + k];
      out[i * n + j] = sum / out[j * n + j];
    }
  }
}
