/** The passes over the groups of the expanded Gibbs sampler, from cross-products, with all that they write to. */

import { normal } from "../math/normal.js";
import { choleskyInPlace, packedSize, placeOf, solveLower, solveUpper } from "../math/packed.js";
import type { Rng } from "../math/rng.js";
import type { MixedLayout, MixedPoint } from "./model/chart.js";
import { type CrossProducts, pooled } from "./model/crossproducts.js";

/** What is left of the data when the random effects are integrated out. */
export interface Integral {
  /** R_i of R_i·R_i′ = Z_i′Z_i + D⁻¹. */
  readonly factors: Float64Array;
  /** [W y]′(I + ZDZ′)⁻¹[W y], with the prior of β. */
  readonly gram: Float64Array;
  /** log|I + ZDZ′| */
  logDeterminant: number;
}

/** What the passes read and write. */
function passes({ fixed, random, width, priors }: MixedLayout, data: CrossProducts) {
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
  const u = new Float64Array((p + 1) * q);
  const squares = new Float64Array(size);
  const wide = p + q;
  /** [W, Zη]′[W, Zη] and [W, Zη]′y of the groups, but for W′W and W′y, which are those of the data. */
  const products = new Float64Array(packedSize(wide + 1));
  const b = new Float64Array(q);
  const eta = new Float64Array(q);
  return {
    p,
    q,
    count,
    size,
    stride,
    values,
    rows,
    total,
    columns,
    within,
    across,
    u,
    squares,
    products,
    b,
    eta,
    wide,
    priors,
    fixed,
    width,
  };
}

type Passes = ReturnType<typeof passes>;

export function sweeps(layout: MixedLayout, data: CrossProducts) {
  const own = passes(layout, data);
  return {
    rows: own.rows,
    squares: own.squares,
    integral: (): Integral => ({
      factors: new Float64Array(own.count * own.size),
      gram: new Float64Array(packedSize(own.p + 1)),
      logDeterminant: 0,
    }),
    integrate: (out: Integral, point: MixedPoint): void => integrate(own, out, point),
    logMarginal: (integral: Integral, point: MixedPoint): number => logMarginal(own, integral, point),
    drawEffects: (rng: Rng, integral: Integral, variance: number, expansion: Float64Array): Float64Array =>
      drawEffects(own, rng, integral, variance, expansion),
    regress: (rng: Rng, variance: number): Float64Array => regress(own, rng, variance),
    residual: (coefficients: Float64Array): number => residual(own, coefficients),
  };
}

/** [W y]′(I + ZDZ′)⁻¹[W y] = [W y]′[W y] − U′U with U = R⁻¹Z′[W y], R·R′ = Z′Z + D⁻¹. */
function integrate(own: Passes, out: Integral, { inverseCovariance, factor, precision }: MixedPoint): void {
  const { p, q, count, size, stride, values, total, columns, within, across, u, priors } = own;
  const { factors, gram } = out;
  gram.fill(0);
  let logs = 0;
  let product = 1;
  for (let i = 0, from = 0, at = 0; i < count; i++, from += stride, at += size) {
    for (let e = 0; e < size; e++) factors[at + e] = values[from + within[e]] + inverseCovariance[e];
    choleskyInPlace(factors, at, q);
    // Logarithms of products cost less than those of factors, as long as products are numbers.
    for (let k = 0, e = at; k < q; k++, e += k + 1) {
      product *= factors[e] * factor[e - at];
      if (product > 1e100 || product < 1e-100) {
        logs += Math.log(product);
        product = 1;
      }
    }
    for (let j = 0, to = 0; j <= p; j++) {
      const row = j * q;
      for (let k = 0; k < q; k++) u[row + k] = values[from + across[row + k]];
      solveLower(u, row, factors, at, q);
      for (let k = 0; k <= j; k++, to++) {
        for (let l = 0; l < q; l++) gram[to] -= u[row + l] * u[k * q + l];
      }
    }
  }
  out.logDeterminant = 2 * (logs + Math.log(product));
  for (let j = 0, to = 0; j <= p; j++) {
    for (let k = 0; k <= j; k++, to++) gram[to] += total[placeOf(columns[j], columns[k])];
    if (j < p) gram[to - 1] += 1 / (precision * priors.fixedVariance);
  }
}

/** log p(y | σ², D), up to what depends on neither: β integrated out as well. */
function logMarginal(own: Passes, { gram, logDeterminant }: Integral, { precision }: MixedPoint): number {
  const { p, rows } = own;
  const factor = gram.slice();
  // The last pivot is what no β explains.
  choleskyInPlace(factor, 0, p + 1);
  let value = -0.5 * (logDeterminant - (rows - p) * Math.log(precision));
  for (let j = 0; j < p; j++) value -= Math.log(factor[placeOf(j, j)]);
  return value - 0.5 * precision * factor[placeOf(p, p)] ** 2;
}

/** β, which is returned, and b_i for every group; and what the next lines need of η_i = b_i/ξ. */
function drawEffects(
  own: Passes,
  rng: Rng,
  { factors, gram }: Integral,
  variance: number,
  expansion: Float64Array,
): Float64Array {
  const { p, q, wide, count, size, stride, values, within, across, squares, products, b, eta } = own;
  const { total, fixed, width } = own;
  const sd = Math.sqrt(variance);
  const beta = gram.slice(packedSize(p), packedSize(p) + p);
  drawNormal(rng, beta, gram.slice(0, packedSize(p)), sd);
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
  for (let j = 0; j < p; j++) {
    for (let k = 0; k <= j; k++) products[placeOf(j, k)] = total[placeOf(fixed[j], fixed[k])];
    products[placeOf(wide, j)] = total[placeOf(width, fixed[j])];
  }
  return beta;
}

/** β and ξ given η. */
function regress({ p, wide, products, priors }: Passes, rng: Rng, variance: number): Float64Array {
  const precision = products.slice(0, packedSize(wide));
  const ofExpansion = variance / (priors.spreadDegrees * priors.spread ** 2);
  for (let k = 0; k < wide; k++) {
    precision[placeOf(k, k)] += k < p ? variance / priors.fixedVariance : ofExpansion;
  }
  const coefficients = products.slice(packedSize(wide), packedSize(wide) + wide);
  drawNormal(rng, coefficients, precision, Math.sqrt(variance));
  return coefficients;
}

/** ‖y − Wβ − Zb‖² at such β and ξ. */
function residual({ wide, products, total, width }: Passes, coefficients: Float64Array): number {
  let square = total[placeOf(width, width)];
  for (let j = 0; j < wide; j++) {
    let product = -2 * products[placeOf(wide, j)];
    for (let k = 0; k < wide; k++) product += products[placeOf(j, k)] * coefficients[k];
    square += coefficients[j] * product;
  }
  return Math.max(square, Number.EPSILON * total[placeOf(width, width)]);
}

/** x ← a draw of N(P⁻¹x, sd²·P⁻¹), P packed, which is spoilt. */
function drawNormal(rng: Rng, x: Float64Array, precision: Float64Array, sd: number): void {
  const size = x.length;
  choleskyInPlace(precision, 0, size);
  solveLower(x, 0, precision, 0, size);
  for (let j = 0; j < size; j++) x[j] += sd * normal(rng);
  solveUpper(x, 0, precision, 0, size);
}
