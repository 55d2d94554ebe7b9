/**
 * Gibbs for the mixed model with half-t standard deviations, on all the data, from cross-products. The law of Σ of Huang
 * and Wand (2013) is that of ΞQΞ with Q ~ inverse-Wishart(ν + q − 1, I) and Ξ a diagonal of ξ_k ~ N(0, νA²), so that
 * b_i = Ξη_i with η_i ~ N(0, Q), which is the parameter expansion of Liu and Wu (1999) and Gelman (2006). A sweep:
 *
 *     ξ_k² | Σ         = 2ν/a_k,  a_k ~ inverse gamma((ν + q)/2, ν(Σ⁻¹)_kk + A⁻²)
 *     β | σ², Σ        with the b_i integrated out
 *     b_i | β, σ², Σ   exactly, for every unit; η_i = Ξ⁻¹b_i
 *     Q | η            inverse-Wishart(ν + q − 1 + N, I + Σ η_i η_i′)
 *     β, ξ | η, σ²     normal: the regression of y on W and on the columns Z_k η_k
 *     σ² | β, ξ, η     inverse gamma, with its own auxiliary variable
 *
 * Where groups differ little the next to last line moves Σ, where they differ much the one before it: one of the two
 * mixes well wherever the truth is, zero included. A θ is all that a sweep needs to know of the one before.
 */

import { cholesky } from "../math/linear.js";
import { normal } from "../math/normal.js";
import { choleskyInPlace, packedSize, placeOf, solveLower, solveUpper } from "../math/packed.js";
import type { Rng } from "../math/rng.js";
import { inverseGamma, inverseWishart } from "../math/variates.js";
import { layoutOf, type MixedDesign, type MixedLayout, thetaOf, unpack } from "./model/chart.js";
import { type CrossProducts, pooled } from "./model/crossproducts.js";

/** Yields θ, in the coordinates of the model, after every sweep. */
export function* expandedGibbs(
  rng: Rng,
  start: Float64Array,
  { design, data }: { readonly design: MixedDesign; readonly data: CrossProducts },
): Generator<Float64Array, void> {
  const layout = layoutOf(design);
  const { spreadDegrees: nu, spread } = layout.priors;
  const q = layout.random.length;
  const groups = sweeps(layout, data);
  const point = unpack(layout);
  const expansion = new Float64Array(q);
  const p = layout.fixed.length;
  let theta = start;
  for (;;) {
    point.read(theta);
    for (let k = 0; k < q; k++) {
      const inverse = point.precision * point.inverseCovariance[placeOf(k, k)];
      const a = inverseGamma(rng, 0.5 * (nu + q), nu * inverse + 1 / (spread * spread));
      expansion[k] = Math.sqrt((2 * nu) / a);
    }
    const variance = 1 / point.precision;
    groups.integrate(point.inverseCovariance);
    const beta = groups.drawFixed(rng, variance);
    groups.drawEffects(rng, beta, variance, expansion);
    const between = covarianceOf(rng, groups.squares, nu + q - 1 + data.rows.length, q);
    const { coefficients, residual } = groups.regress(rng, variance);
    const noise = inverseGamma(rng, 0.5 * (nu + 1), nu / variance + 1 / (spread * spread));
    const next = inverseGamma(rng, 0.5 * (groups.rows + p + nu), 0.5 * residual + nu / noise);
    theta = thetaOf(
      layout,
      coefficients.subarray(0, p),
      next,
      scaledFactor(between, coefficients.subarray(p), Math.sqrt(next)),
    );
    yield theta;
  }
}

/** Q ~ inverse-Wishart(degrees, I + S), S packed. */
function covarianceOf(rng: Rng, s: Float64Array, degrees: number, q: number): Float64Array {
  const scale = new Float64Array(q * q);
  for (let j = 0; j < q; j++) {
    for (let k = 0; k < q; k++) scale[j * q + k] = s[placeOf(j, k)] + Number(j === k);
  }
  cholesky(scale, q);
  const out = new Float64Array(q * q);
  inverseWishart(rng, out, degrees, scale, q);
  return out;
}

/** The Cholesky factor of ΞQΞ/σ², packed: signs of Ξ go into Q, so that the diagonal stays positive. */
function scaledFactor(q: Float64Array, expansion: Float64Array, sd: number): Float64Array {
  const size = expansion.length;
  const factor = new Float64Array(packedSize(size));
  for (let j = 0, at = 0; j < size; j++) {
    for (let k = 0; k <= j; k++)
      factor[at++] = Math.sign(expansion[j]) * Math.sign(expansion[k]) * q[j * size + k];
  }
  choleskyInPlace(factor, 0, size);
  for (let j = 0, at = 0; j < size; j++) {
    const scale = Math.max(Math.abs(expansion[j]) / sd, SMALLEST);
    for (let k = 0; k <= j; k++) factor[at++] *= scale;
  }
  return factor;
}

/** A standard deviation that is zero to rounding: its inverse square must still be a number. */
const SMALLEST = 1e-100;

/** The passes over the groups, with all that they write to. */
function sweeps({ fixed, random, width, priors }: MixedLayout, data: CrossProducts) {
  const { values, stride } = data;
  const p = fixed.length;
  const q = random.length;
  const count = data.rows.length;
  const size = packedSize(q);
  const { rows, values: total } = pooled(data);
  const columns = [...fixed, width];
  // Where in a group's cross-products z_k meets z_l, and the k-th random column each of W and y.
  const within = Int32Array.from(random.flatMap((a, j) => random.slice(0, j + 1).map((b) => placeOf(a, b))));
  const across = Int32Array.from(columns.flatMap((a) => random.map((b) => placeOf(a, b))));
  const factors = new Float64Array(count * size);
  const gram = new Float64Array(packedSize(p + 1));
  const u = new Float64Array((p + 1) * q);
  const squares = new Float64Array(size);
  const wide = p + q;
  /** [W, Zη]′[W, Zη] and [W, Zη]′y of the groups, but for W′W and W′y, which are those of the data. */
  const products = new Float64Array(packedSize(wide + 1));
  const b = new Float64Array(q);
  const eta = new Float64Array(q);

  return {
    rows,
    squares,
    /** gram ← [W y]′(I + ZDZ′)⁻¹[W y] = [W y]′[W y] − U′U with U = R⁻¹Z′[W y], R·R′ = Z′Z + D⁻¹. */
    integrate(inverseCovariance: Float64Array): void {
      gram.fill(0);
      for (let i = 0, from = 0, at = 0; i < count; i++, from += stride, at += size) {
        for (let e = 0; e < size; e++) factors[at + e] = values[from + within[e]] + inverseCovariance[e];
        choleskyInPlace(factors, at, q);
        for (let j = 0, to = 0; j <= p; j++) {
          const own = j * q;
          for (let k = 0; k < q; k++) u[own + k] = values[from + across[own + k]];
          solveLower(u, own, factors, at, q);
          for (let k = 0; k <= j; k++, to++) {
            for (let l = 0; l < q; l++) gram[to] -= u[own + l] * u[k * q + l];
          }
        }
      }
      for (let j = 0, to = 0; j <= p; j++) {
        for (let k = 0; k <= j; k++, to++) gram[to] += total[placeOf(columns[j], columns[k])];
      }
    },
    drawFixed(rng: Rng, variance: number): Float64Array {
      const precision = gram.slice(0, packedSize(p));
      for (let j = 0; j < p; j++) precision[placeOf(j, j)] += 1 / priors.fixedVariance;
      const beta = gram.slice(packedSize(p), packedSize(p) + p);
      drawNormal(rng, beta, precision, Math.sqrt(variance));
      return beta;
    },
    /** b_i for every group, from the factors of `integrate`, and what the next lines need of η_i = b_i/ξ. */
    drawEffects(rng: Rng, beta: Float64Array, variance: number, expansion: Float64Array): void {
      const sd = Math.sqrt(variance);
      squares.fill(0);
      products.fill(0);
      for (let i = 0, from = 0, at = 0; i < count; i++, from += stride, at += size) {
        for (let k = 0; k < q; k++) {
          let sum = values[from + across[p * q + k]];
          for (let j = 0; j < p; j++) sum -= values[from + across[j * q + k]] * beta[j];
          b[k] = sum;
        }
        solveLower(b, 0, factors, at, q);
        for (let k = 0; k < q; k++) b[k] += sd * normal(rng);
        solveUpper(b, 0, factors, at, q);
        for (let k = 0; k < q; k++) eta[k] = b[k] / expansion[k];
        for (let k = 0, e = 0; k < q; k++) {
          const row = packedSize(p + k);
          for (let j = 0; j < p; j++) products[row + j] += eta[k] * values[from + across[j * q + k]];
          for (let l = 0; l <= k; l++, e++) {
            const square = eta[k] * eta[l];
            squares[e] += square;
            products[row + p + l] += square * values[from + within[e]];
          }
          products[packedSize(wide) + p + k] += eta[k] * values[from + across[p * q + k]];
        }
      }
    },
    /** β and ξ given η, and ‖y − Wβ − Zb‖² + ‖β‖²/κ there. */
    regress(rng: Rng, variance: number): { coefficients: Float64Array; residual: number } {
      for (let j = 0; j < p; j++) {
        for (let k = 0; k <= j; k++) products[placeOf(j, k)] = total[placeOf(fixed[j], fixed[k])];
        products[placeOf(j, j)] += 1 / priors.fixedVariance;
        products[placeOf(wide, j)] = total[placeOf(width, fixed[j])];
      }
      const precision = products.slice(0, packedSize(wide));
      const ofExpansion = variance / (priors.spreadDegrees * priors.spread ** 2);
      for (let k = p; k < wide; k++) precision[placeOf(k, k)] += ofExpansion;
      const coefficients = products.slice(packedSize(wide), packedSize(wide) + wide);
      drawNormal(rng, coefficients, precision, Math.sqrt(variance));
      let residual = total[placeOf(width, width)];
      for (let j = 0; j < wide; j++) {
        let product = -2 * products[placeOf(wide, j)];
        for (let k = 0; k < wide; k++) product += products[placeOf(j, k)] * coefficients[k];
        residual += coefficients[j] * product;
      }
      return { coefficients, residual: Math.max(residual, Number.EPSILON * total[placeOf(width, width)]) };
    },
  };
}

/** x ← a draw of N(P⁻¹x, sd²·P⁻¹), P packed, which is spoilt. */
function drawNormal(rng: Rng, x: Float64Array, precision: Float64Array, sd: number): void {
  const size = x.length;
  choleskyInPlace(precision, 0, size);
  solveLower(x, 0, precision, 0, size);
  for (let j = 0; j < size; j++) x[j] += sd * normal(rng);
  solveUpper(x, 0, precision, 0, size);
}
