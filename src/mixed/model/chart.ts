/**
 * How the parameters of the mixed model lie in θ: p fixed effects, log σ², then the lower triangle L of D = L·L′
 * by rows with the logarithm of each diagonal element in its place.
 */

import { addGram, invertLower, outerOfLower, packedSize } from "../../math/packed.js";
import type { CrossProducts } from "./crossproducts.js";
import type { Resolution } from "./spike-and-slab.js";

/** Some of the units, and N / n. */
export interface UnitBatch {
  readonly data: CrossProducts;
  readonly units: Uint32Array;
  readonly weight: number;
}

/** The random effects of a batch's units, q numbers each. */
export interface Effects {
  readonly values: Float64Array;
}

export interface MixedDesign {
  /** Names of all columns that the cross-products hold. */
  readonly columns: readonly string[];
  /** Which of them have a fixed effect, and which a random one; a column may have both. */
  readonly fixed: readonly number[];
  readonly random: readonly number[];
  readonly priors?: Partial<MixedPriors>;
}

export interface MixedPriors {
  /** κ in β ~ N(0, κI), in variances of the target; of the paper's law, β | σ² ~ N(0, κσ²I). */
  readonly fixedVariance: number;
  /**
   * The law of the standard deviations: half-t on each of them and on that of the noise, with the correlations of Huang
   * and Wand (2013); the same with those of the effects in or out (spike-and-slab.ts); or the paper's: σ² ~ scale/χ² and
   * D ~ inverse-Wishart, which all but excludes small ones.
   */
  readonly law: "spike-and-slab" | "half-t" | "inverse-wishart";
  /** What the data can tell of each random effect, where the law is in or out. */
  readonly resolutions: readonly Resolution[];
  /** Degrees of freedom of half-t; with 2 every correlation is uniform on (−1, 1). */
  readonly spreadDegrees: number;
  /** Scale of half-t, in standard deviations of the target over those of the effect's column. */
  readonly spread: number;
  /** Of the other law: σ² ~ scale/χ²_degrees. */
  readonly noiseDegrees: number;
  /** The scale of that law. */
  readonly noiseScale: number;
  /** Of the other law: D ~ inverse-Wishart(degrees, scale·I). */
  readonly covarianceDegrees: number;
  /** The scale of that law. */
  readonly covarianceScale: number;
}

export interface MixedLayout {
  readonly columns: readonly string[];
  readonly fixed: readonly number[];
  readonly random: readonly number[];
  readonly width: number;
  readonly size: number;
  readonly names: readonly string[];
  readonly priors: MixedPriors;
  /** Scratch of one number a column. */
  readonly coefficients: Float64Array;
  readonly products: Float64Array;
}

export function layoutOf({ columns, fixed, random, priors }: MixedDesign): MixedLayout {
  const q = random.length;
  const names = [...fixed.map((j) => columns[j]), "log noise variance"];
  for (let j = 0; j < q; j++) {
    for (let k = 0; k <= j; k++) {
      const name = `${columns[random[j]]}, ${columns[random[k]]}`;
      names.push(j === k ? `log factor[${name}]` : `factor[${name}]`);
    }
  }
  return {
    columns,
    fixed,
    random,
    width: columns.length,
    size: names.length,
    names,
    priors: {
      fixedVariance: 1,
      law: "inverse-wishart",
      resolutions: [],
      spreadDegrees: 2,
      spread: 1,
      noiseDegrees: 2,
      noiseScale: 1,
      covarianceDegrees: q + 2,
      covarianceScale: 1,
      ...priors,
    },
    coefficients: new Float64Array(columns.length),
    products: new Float64Array(columns.length),
  };
}

/** Places in θ of the logarithms of the diagonal of L. */
export function* pivots({ fixed, random }: MixedLayout): Generator<number> {
  for (let j = 0, at = fixed.length + 1; j < random.length; j++, at += j + 1) yield at;
}

/** Place in θ of the first element of L. */
export const factorStart = ({ fixed }: MixedLayout): number => fixed.length + 1;

/** The derived quantities of one θ, recomputed by `read`. */
export function unpack({ fixed, random }: { fixed: readonly number[]; random: readonly number[] }) {
  const p = fixed.length;
  const q = random.length;
  return {
    /** 1/σ² */
    precision: 1,
    /** L and its inverse, packed. */
    factor: new Float64Array(packedSize(q)),
    inverseFactor: new Float64Array(packedSize(q)),
    /** D⁻¹, packed. */
    inverseCovariance: new Float64Array(packedSize(q)),
    read(theta: Float64Array): void {
      this.precision = Math.exp(-theta[p]);
      for (let j = 0, at = 0; j < q; j++) {
        for (let k = 0; k < j; k++, at++) this.factor[at] = theta[p + 1 + at];
        this.factor[at] = Math.exp(theta[p + 1 + at]);
        at++;
      }
      invertLower(this.inverseFactor, this.factor, 0, q);
      this.inverseCovariance.fill(0);
      addGram(this.inverseCovariance, 0, 1, this.inverseFactor, q);
    },
  };
}

export type MixedPoint = ReturnType<typeof unpack>;

/** β, σ² and the lower triangle of Σ = σ²D, the parameters that people read. */
export function natural(layout: MixedLayout, theta: Float64Array): Float64Array {
  const p = layout.fixed.length;
  const q = layout.random.length;
  const point = unpack(layout);
  point.read(theta);
  const out = new Float64Array(layout.size);
  out.set(theta.subarray(0, p));
  const variance = Math.exp(theta[p]);
  out[p] = variance;
  const covariance = new Float64Array(packedSize(q));
  outerOfLower(covariance, point.factor, q);
  for (let i = 0; i < covariance.length; i++) out[p + 1 + i] = variance * covariance[i];
  return out;
}

/** θ from β, σ² and the Cholesky factor of D. */
export function thetaOf(
  layout: MixedLayout,
  beta: ArrayLike<number>,
  variance: number,
  factor: ArrayLike<number>,
): Float64Array {
  const theta = new Float64Array(layout.size);
  const p = layout.fixed.length;
  theta.set(beta);
  theta[p] = Math.log(variance);
  for (let i = 0; i < factor.length; i++) theta[p + 1 + i] = factor[i];
  for (const j of pivots(layout)) theta[j] = Math.log(theta[j]);
  return theta;
}
