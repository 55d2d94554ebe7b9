/**
 * The priors of the mixed model with their Jacobians. On s = log σ² and D = L·L′ with λ_j = log L_jj, j = 0 … q−1:
 *
 * The paper's law:
 *
 *     log π(β | s)  = −(p/2)·s − ‖β‖²/(2κσ²)
 *     log π(s)      = −(ν/2)·s − scale/(2σ²)                    the Jacobian e^s takes 1 from ν/2 + 1
 *     log π(L)      = −(δ + q + 1)·Σλ_j − ½ψ·tr(D⁻¹) + Σ(q − j + 1)·λ_j
 *
 * The last sum is |∂D/∂L| = 2^q·Π L_jj^{q−j} times ∂L_jj/∂λ_j = L_jj. And half-t with ν degrees and scale A on σ and on
 * the standard deviations of Σ = σ²D (Huang and Wand 2013, with their auxiliary variables integrated out):
 *
 *     log π(β)      = −‖β‖²/(2κ)                                in variances of the target: p fixed effects tell nothing of σ²
 *     log π(s)      = s/2 − ((ν + 1)/2)·log(1 + σ²/(νA²))
 *     log π(L | s)  = −((ν + 2q)/2)·log|Σ| + (q(q + 1)/2)·s − ((ν + q)/2)·Σ_k log(ν(Σ⁻¹)_kk + A⁻²) + Σ(q − j + 1)·λ_j
 *
 * Where effects are in or out (spike-and-slab.ts), half-t gains Σ_k log r(x_k) − qs/2 with x_k = ‖row k of L‖/u_k.
 */

import { placeOf } from "../../math/packed.js";
import { factorStart, type MixedLayout, type MixedPoint, pivots } from "./chart.js";
import { logRatio, ratioSlope } from "./spike-and-slab.js";

export function logPrior(layout: MixedLayout, theta: Float64Array, point: MixedPoint): number {
  const p = layout.fixed.length;
  const q = layout.random.length;
  const isPaper = layout.priors.law === "inverse-wishart";
  let square = 0;
  for (let j = 0; j < p; j++) square += theta[j] ** 2 / layout.priors.fixedVariance;
  let value = isPaper ? -0.5 * (p * theta[p] + square * point.precision) : -0.5 * square;
  value += isPaper ? logPaper(layout, theta, point) : logHalfT(layout, theta, point);
  if (layout.priors.law === "spike-and-slab") value += logInOrOut(layout, spreadsOf(point, q), theta[p]);
  let j = 0;
  for (const at of pivots(layout)) value += (q - j++ + 1) * theta[at];
  return value;
}

function logPaper(layout: MixedLayout, theta: Float64Array, point: MixedPoint): number {
  const { noiseDegrees, noiseScale, covarianceDegrees, covarianceScale } = layout.priors;
  const p = layout.fixed.length;
  const q = layout.random.length;
  let trace = 0;
  for (const value of point.inverseFactor) trace += value * value;
  let value = -0.5 * (noiseDegrees * theta[p] + noiseScale * point.precision + covarianceScale * trace);
  for (const at of pivots(layout)) value -= (covarianceDegrees + q + 1) * theta[at];
  return value;
}

function logHalfT(layout: MixedLayout, theta: Float64Array, point: MixedPoint): number {
  const { spreadDegrees: nu, spread } = layout.priors;
  const s = theta[layout.fixed.length];
  const q = layout.random.length;
  let logDeterminant = q * s;
  for (const at of pivots(layout)) logDeterminant += 2 * theta[at];
  let value = 0.5 * s - 0.5 * (nu + 1) * Math.log1p(1 / (point.precision * nu * spread * spread));
  value += 0.5 * q * (q + 1) * s - 0.5 * (nu + 2 * q) * logDeterminant;
  for (let k = 0; k < q; k++) {
    const inverse = point.precision * point.inverseCovariance[placeOf(k, k)];
    value -= 0.5 * (nu + q) * Math.log(nu * inverse + 1 / (spread * spread));
  }
  return value;
}

/** Standard deviations of the effects over that of the noise: the lengths of the rows of L. */
export function spreadsOf({ factor }: MixedPoint, q: number): Float64Array {
  return Float64Array.from({ length: q }, (_, k) => {
    let square = 0;
    for (let at = placeOf(k, 0); at <= placeOf(k, k); at++) square += factor[at] * factor[at];
    return Math.sqrt(square);
  });
}

/** What half-t is multiplied with, from standard deviations over that of the noise and log σ². */
export function logInOrOut({ priors }: MixedLayout, spreads: Float64Array, s: number): number {
  let value = -0.5 * spreads.length * s;
  spreads.forEach((spread, k) => {
    value += logRatio(priors.resolutions[k], spread / priors.resolutions[k].unit);
  });
  return value;
}

export function addPriorGrad(
  out: Float64Array,
  scale: number,
  layout: MixedLayout,
  theta: Float64Array,
  point: MixedPoint,
): void {
  const q = layout.random.length;
  if (layout.priors.law === "inverse-wishart") addPaperGrad(out, scale, layout, theta, point);
  else addHalfTGrad(out, scale, layout, theta, point);
  if (layout.priors.law === "spike-and-slab") addInOrOutGrad(out, scale, layout, point);
  let j = 0;
  for (const at of pivots(layout)) out[at] += scale * (q - j++ + 1);
}

function addPaperGrad(
  out: Float64Array,
  scale: number,
  layout: MixedLayout,
  theta: Float64Array,
  point: MixedPoint,
): void {
  const { fixedVariance, noiseDegrees, noiseScale, covarianceDegrees, covarianceScale } = layout.priors;
  const p = layout.fixed.length;
  const q = layout.random.length;
  let square = noiseScale;
  for (let j = 0; j < p; j++) {
    square += theta[j] ** 2 / fixedVariance;
    out[j] -= (scale * point.precision * theta[j]) / fixedVariance;
  }
  out[p] += 0.5 * scale * (square * point.precision - p - noiseDegrees);
  const s = diagonal(q, () => 1);
  addScaleGrad(out, scale, layout, point, { s, weight: covarianceScale, degrees: covarianceDegrees + q + 1 });
}

function addHalfTGrad(
  out: Float64Array,
  scale: number,
  layout: MixedLayout,
  theta: Float64Array,
  point: MixedPoint,
): void {
  const { spreadDegrees: nu, spread, fixedVariance } = layout.priors;
  const p = layout.fixed.length;
  const q = layout.random.length;
  for (let j = 0; j < p; j++) out[j] -= (scale * theta[j]) / fixedVariance;
  const variance = Math.exp(theta[p]);
  let slope = 0.5 - (0.5 * (nu + 1) * variance) / (variance + nu * spread * spread);
  slope += 0.5 * q * (q + 1 - nu - 2 * q);
  // The logarithm of a diagonal element of Σ⁻¹ moves as that of D⁻¹, and against s.
  const s = diagonal(q, (k) => {
    const weight = nu * point.precision;
    const inverse = point.inverseCovariance[placeOf(k, k)];
    const share = ((nu + q) * weight) / (weight * inverse + 1 / (spread * spread));
    slope += 0.5 * share * inverse;
    return share;
  });
  out[p] += scale * slope;
  addScaleGrad(out, scale, layout, point, { s, weight: 1, degrees: nu + 2 * q });
}

function addInOrOutGrad(out: Float64Array, scale: number, layout: MixedLayout, point: MixedPoint): void {
  const { resolutions } = layout.priors;
  const from = factorStart(layout);
  spreadsOf(point, layout.random.length).forEach((spread, k) => {
    const share = (scale * ratioSlope(resolutions[k], spread / resolutions[k].unit)) / (spread * spread);
    const last = placeOf(k, k);
    for (let at = placeOf(k, 0); at < last; at++) out[from + at] += share * point.factor[at];
    out[from + last] += share * point.factor[last] ** 2;
  });
  out[layout.fixed.length] -= 0.5 * scale * layout.random.length;
}

/** −½·degrees·log|D| − ½·weight·tr(D⁻¹S), S packed. */
interface ScaleTerm {
  readonly s: Float64Array;
  readonly weight: number;
  readonly degrees: number;
}

/** out += scale · ∇_L of such a term: with M = L⁻¹SL⁻ᵀ, that of the trace is L⁻ᵀM. */
export function addScaleGrad(
  out: Float64Array,
  scale: number,
  layout: MixedLayout,
  point: MixedPoint,
  { s, weight, degrees }: ScaleTerm,
): void {
  const q = layout.random.length;
  const { inverseFactor: inverse, inverseCovariance, factor } = point;
  // L⁻ᵀM = D⁻¹·S·L⁻ᵀ, of which only the lower triangle is a direction of L.
  const row = new Float64Array(q);
  const start = factorStart(layout);
  for (let j = 0, at = 0; j < q; j++) {
    for (let l = 0; l < q; l++) {
      let sum = 0;
      for (let i = 0; i < q; i++) sum += inverseCovariance[placeOf(j, i)] * s[placeOf(i, l)];
      row[l] = sum;
    }
    for (let k = 0; k <= j; k++, at++) {
      let sum = 0;
      for (let l = 0; l <= k; l++) sum += row[l] * inverse[(k * (k + 1)) / 2 + l];
      out[start + at] += scale * weight * (j === k ? factor[at] * sum : sum);
    }
    out[start + at - 1] -= scale * degrees;
  }
}

function diagonal(q: number, value: (k: number) => number): Float64Array {
  const out = new Float64Array((q * (q + 1)) / 2);
  for (let j = 0, at = 0; j < q; j++, at += j + 1) out[at] = value(j);
  return out;
}
