/**
 * The linear mixed model of Song et al. (2020), supplement, section on MovieLens (van Dyk 2000):
 *
 *     y_i = W_i β + Z_i b_i + e_i,   b_i ~ N(0, σ²D),   e_i ~ N(0, σ²I)
 *     β | σ² ~ N(0, κσ²I),   σ² ~ 1/χ²_2,   D ~ inverse-Wishart(q + 2, I)
 *
 * over θ = (β, log σ², log-Cholesky of D): every θ is admissible, and the density carries the Jacobian. The paper
 * has κ = 1 and inverse-Wishart(p + 2, I) with p = q; we count q, without which D has no proper prior when p < q − 1.
 *
 * W_i and Z_i are selections of the columns of one X_i, so a unit is only [X_i y_i]′[X_i y_i] and its row count.
 * With c_i = β and b_i scattered over the columns of X, everything follows from ρ_i = X_i′y_i − X_i′X_i c_i.
 *
 * The weight N/n of a batch multiplies the units' terms and not the prior. That is the update of Algorithm S1, since
 * (N/n)·{∇log π(θ) + Σ} − ((N−n)/n)·∇log π(θ) = ∇log π(θ) + (N/n)·Σ.
 */

import { packedSize, traceOfProduct } from "../../math/packed.js";
import type { Model } from "../../types.js";
import {
  type Effects,
  layoutOf,
  type MixedDesign,
  type MixedLayout,
  type MixedPoint,
  pivots,
  type UnitBatch,
  unpack,
} from "./chart.js";
import type { CrossProducts } from "./crossproducts.js";
import { addPriorGrad, addScaleGrad, logPrior } from "./prior.js";

/** The sums over a batch that θ sees. Filled with draws of b, or with its conditional expectations. */
export interface EffectSums {
  units: number;
  rows: number;
  /** Σ ‖y − Wβ − Zb‖² */
  residual: number;
  /** Σ W′(y − Wβ − Zb) */
  readonly score: Float64Array;
  /** Σ b b′, packed */
  readonly effects: Float64Array;
}

export interface MixedModel extends Model<Effects, UnitBatch> {
  readonly layout: MixedLayout;
  /** log p(y of the batch | θ, b), unweighted: the importance weights of Algorithm S1 are its multiples. */
  logLikelihood(theta: Float64Array, z: Effects, batch: UnitBatch): number;
}

export function mixed(design: MixedDesign): MixedModel {
  const layout = layoutOf(design);
  const { fixed, random } = layout;
  const p = fixed.length;
  const q = random.length;
  const sums = emptySums(p, q);
  const point = unpack(layout);

  function gather(theta: Float64Array, z: Effects, { data, units }: UnitBatch): void {
    point.read(theta);
    clear(sums);
    sums.units = units.length;
    for (let i = 0; i < units.length; i++) {
      sums.rows += data.rows[units[i]];
      scatter(layout, theta, z.values, i * q);
      addUnit(sums, layout, data, units[i]);
      addOuter(sums.effects, z.values, i * q, q);
    }
  }

  return {
    layout,
    names: layout.names,
    logJoint(theta, z, batch) {
      gather(theta, z, batch);
      const likelihood = gaussian(sums.rows, sums.residual, theta[p], point.precision);
      const quadratic = traceOfProduct(point.inverseCovariance, sums.effects, q);
      let latent = gaussian(sums.units * q, quadratic, theta[p], point.precision);
      for (const j of pivots(layout)) latent -= sums.units * theta[j];
      return logPrior(layout, theta, point) + batch.weight * (likelihood + latent);
    },
    logLikelihood(theta, z, batch) {
      gather(theta, z, batch);
      return gaussian(sums.rows, sums.residual, theta[p], point.precision);
    },
    addGrad(out, scale, theta, z, batch) {
      gather(theta, z, batch);
      addSumsGrad(out, scale * batch.weight, layout, point, sums);
      addPriorGrad(out, scale, layout, theta, point);
    },
  };
}

/** log of N(0, σ²) densities with total square `square`, up to 2π. */
const gaussian = (count: number, square: number, logVariance: number, precision: number): number =>
  -0.5 * (count * logVariance + square * precision);

export function emptySums(p: number, q: number): EffectSums {
  return {
    units: 0,
    rows: 0,
    residual: 0,
    score: new Float64Array(p),
    effects: new Float64Array(packedSize(q)),
  };
}

export function clear(sums: EffectSums): void {
  sums.units = 0;
  sums.rows = 0;
  sums.residual = 0;
  sums.score.fill(0);
  sums.effects.fill(0);
}

export function addOuter(out: Float64Array, b: Float64Array, from: number, q: number): void {
  for (let j = 0, to = 0; j < q; j++) {
    const value = b[from + j];
    for (let k = 0; k <= j; k++) out[to++] += value * b[from + k];
  }
}

/** c ← β and a unit's random effects b[from …), scattered over the columns of X. */
export function scatter(
  { fixed, random, coefficients: c }: MixedLayout,
  theta: Float64Array,
  b: Float64Array,
  from: number,
): void {
  c.fill(0);
  for (let j = 0; j < fixed.length; j++) c[fixed[j]] = theta[j];
  for (let j = 0; j < random.length; j++) c[random[j]] += b[from + j];
}

/** Adds one unit's residual sum of squares and score at c. */
export function addUnit(
  sums: EffectSums,
  { fixed, width, coefficients: c, products }: MixedLayout,
  data: CrossProducts,
  unit: number,
): void {
  const { values } = data;
  const start = unit * data.stride;
  const last = start + packedSize(width);
  for (let j = 0; j < width; j++) products[j] = values[last + j];
  for (let j = 0, row = start; j < width; row += ++j) {
    let sum = products[j] - values[row + j] * c[j];
    for (let k = 0; k < j; k++) {
      const a = values[row + k];
      sum -= a * c[k];
      products[k] -= a * c[j];
    }
    products[j] = sum;
  }
  let residual = values[last + width];
  for (let j = 0; j < width; j++) residual -= c[j] * (values[last + j] + products[j]);
  sums.residual += residual;
  for (let j = 0; j < fixed.length; j++) sums.score[j] += products[fixed[j]];
}

/** out += scale · ∇_θ of the units' part of log π(θ, b). */
export function addSumsGrad(
  out: Float64Array,
  scale: number,
  layout: MixedLayout,
  point: MixedPoint,
  sums: EffectSums,
): void {
  const p = layout.fixed.length;
  const q = layout.random.length;
  const { precision, inverseCovariance } = point;
  for (let j = 0; j < p; j++) out[j] += scale * precision * sums.score[j];
  const square = sums.residual + traceOfProduct(inverseCovariance, sums.effects, q);
  out[p] += 0.5 * scale * (square * precision - sums.rows - sums.units * q);
  addScaleGrad(out, scale, layout, point, { s: sums.effects, weight: precision, degrees: sums.units });
}
