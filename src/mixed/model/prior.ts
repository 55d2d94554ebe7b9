/**
 * The priors of the mixed model with their Jacobians. On s = log σ² and D = L·L′ with λ_j = log L_jj, j = 0 … q−1:
 *
 *     log π(β | s)  = −(p/2)·s − ‖β‖²/(2κσ²)
 *     log π(s)      = −(ν/2)·s − scale/(2σ²)                    the Jacobian e^s takes 1 from ν/2 + 1
 *     log π(L)      = −(δ + q + 1)·Σλ_j − ½ψ·tr(D⁻¹) + Σ(q − j + 1)·λ_j
 *
 * The last sum is |∂D/∂L| = 2^q·Π L_jj^{q−j} times ∂L_jj/∂λ_j = L_jj.
 */

import { placeOf } from "../../math/packed.js";
import { factorStart, type MixedLayout, type MixedPoint, pivots } from "./chart.js";

export function logPrior(layout: MixedLayout, theta: Float64Array, point: MixedPoint): number {
  const { fixedVariance, noiseDegrees, noiseScale, covarianceDegrees, covarianceScale } = layout.priors;
  const p = layout.fixed.length;
  const q = layout.random.length;
  let square = 0;
  for (let j = 0; j < p; j++) square += theta[j] ** 2;
  let trace = 0;
  for (const value of point.inverseFactor) trace += value * value;
  let value =
    -0.5 * ((p + noiseDegrees) * theta[p] + (square / fixedVariance + noiseScale) * point.precision);
  value -= 0.5 * covarianceScale * trace;
  let j = 0;
  for (const at of pivots(layout)) value += (q - j++ + 1 - covarianceDegrees - q - 1) * theta[at];
  return value;
}

export function addPriorGrad(
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
  const degrees = covarianceDegrees + q + 1;
  addScaleGrad(out, scale, layout, point, { s: identity(q), weight: covarianceScale, degrees });
  let j = 0;
  for (const at of pivots(layout)) out[at] += scale * (q - j++ + 1);
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

function identity(q: number): Float64Array {
  const out = new Float64Array((q * (q + 1)) / 2);
  for (let j = 0, at = 0; j < q; j++, at += j + 1) out[at] = 1;
  return out;
}
