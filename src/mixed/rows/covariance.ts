/**
 * The law of the effects of a term, Σ with half-t standard deviations (Huang and Wand 2013), as ΞQΞ: what the samplers
 * over rows share with the one over cross-products (expanded-gibbs.ts has the equations).
 */

import { cholesky } from "../../math/linear.js";
import { normal } from "../../math/normal.js";
import {
  addGram,
  choleskyInPlace,
  invertLower,
  packedSize,
  placeOf,
  solveLower,
  solveUpper,
} from "../../math/packed.js";
import type { Rng } from "../../math/rng.js";
import { inverseGamma, inverseWishart } from "../../math/variates.js";
import type { RowsPriors, RowsState, RowsTerm } from "./problem.js";

/** ξ_k given Σ. */
export function drawExpansion(rng: Rng, inverse: Float64Array, q: number, priors: RowsPriors): Float64Array {
  const { degrees: nu, spread } = priors;
  return Float64Array.from({ length: q }, (_, k) => {
    const scale = nu * inverse[placeOf(k, k)] + 1 / (spread * spread);
    return Math.sqrt((2 * nu) / inverseGamma(rng, 0.5 * (nu + q), scale));
  });
}

/** Q⁻¹ given the effects over ξ, packed. */
export function drawInner(rng: Rng, eta: Float64Array, q: number, { degrees }: RowsPriors): Float64Array {
  const count = eta.length / q;
  const scale = new Float64Array(q * q);
  for (let j = 0; j < q; j++) scale[j * q + j] = 1;
  for (let at = 0; at < eta.length; at += q) {
    for (let j = 0; j < q; j++) for (let k = 0; k <= j; k++) scale[j * q + k] += eta[at + j] * eta[at + k];
  }
  for (let j = 0; j < q; j++) for (let k = 0; k < j; k++) scale[k * q + j] = scale[j * q + k];
  cholesky(scale, q);
  const out = new Float64Array(q * q);
  inverseWishart(rng, out, degrees + q - 1 + count, scale, q);
  const packed = new Float64Array(packedSize(q));
  for (let j = 0, at = 0; j < q; j++) for (let k = 0; k <= j; k++) packed[at++] = out[j * q + k];
  return inverted(packed, q);
}

/** The inverse of a packed positive definite matrix. */
export function inverted(a: Float64Array, q: number): Float64Array {
  const factor = a.slice();
  choleskyInPlace(factor, 0, q);
  const inverse = new Float64Array(a.length);
  invertLower(inverse, factor, 0, q);
  const out = new Float64Array(a.length);
  addGram(out, 0, 1, inverse, q);
  return out;
}

/** out ← Ξ⁻¹Q⁻¹Ξ⁻¹ = Σ⁻¹. */
export function setInverse(out: Float64Array, inner: Float64Array, expansion: Float64Array): void {
  for (let j = 0, at = 0; j < expansion.length; j++) {
    for (let k = 0; k <= j; k++, at++) {
      const product = expansion[j] * expansion[k];
      out[at] = inner[at] / (Math.abs(product) > SMALLEST ? product : Math.sign(product || 1) * SMALLEST);
    }
  }
}

/** A variance that is zero to rounding: its inverse must still be a number. */
const SMALLEST = 1e-200;

/** x ← a draw of N(P⁻¹x, P⁻¹), P packed at `at`, which becomes its factor. */
export function drawNormal(
  rng: Rng,
  x: Float64Array,
  atX: number,
  precision: Float64Array,
  at: number,
  size: number,
): void {
  choleskyInPlace(precision, at, size);
  solveLower(x, atX, precision, at, size);
  for (let j = 0; j < size; j++) x[atX + j] += normal(rng);
  solveUpper(x, atX, precision, at, size);
}

/** log π(Σ) + q·log τ_k along one standard deviation τ_k, correlations as they are: the density of τ_k. */
export function logSpread(
  inverse: Float64Array,
  logDeterminant: number,
  q: number,
  priors: RowsPriors,
): number {
  const { degrees: nu, spread } = priors;
  let value = -0.5 * (nu + 2 * q) * logDeterminant;
  for (let k = 0; k < q; k++) {
    value -= 0.5 * (nu + q) * Math.log(nu * inverse[placeOf(k, k)] + 1 / (spread * spread));
  }
  return value;
}

/**
 * β and the effects of a term moved along the directions that the likelihood does not see: given b_j − u_jδ ~ N(0, Σ),
 * δ is normal. It is what hierarchical centring would do (Gelfand, Sahu and Carlin 1995), as a move of its own.
 */
export function shiftEffects(
  rng: Rng,
  { shifts, columns }: RowsTerm,
  state: Pick<RowsState, "beta">,
  b: Float64Array,
  inverse: Float64Array,
  fixedPrecision: number,
): void {
  const size = shifts.length;
  if (size === 0) return;
  const q = columns.length;
  const { beta } = state;
  const precision = new Float64Array(packedSize(size));
  const delta = new Float64Array(size);
  for (let s = 0; s < size; s++) {
    const one = shifts[s];
    for (let t = 0; t <= s; t++) {
      const other = shifts[t];
      let sum = 0;
      for (let j = 0; j < one.values.length; j++) sum += one.values[j] * other.values[j];
      sum *= inverse[placeOf(one.effect, other.effect)];
      for (let c = 0; c < beta.length; c++) sum += fixedPrecision * one.beta[c] * other.beta[c];
      precision[placeOf(s, t)] = sum;
    }
    for (let j = 0; j < one.values.length; j++) {
      let product = 0;
      for (let k = 0; k < q; k++) product += inverse[placeOf(one.effect, k)] * b[j * q + k];
      delta[s] += one.values[j] * product;
    }
    for (let c = 0; c < beta.length; c++) delta[s] -= fixedPrecision * one.beta[c] * beta[c];
  }
  drawNormal(rng, delta, 0, precision, 0, size);
  for (let s = 0; s < size; s++) {
    const { beta: direction, effect, values } = shifts[s];
    for (let c = 0; c < beta.length; c++) beta[c] += delta[s] * direction[c];
    for (let j = 0; j < values.length; j++) b[j * q + effect] -= delta[s] * values[j];
  }
}
