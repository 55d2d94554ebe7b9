/**
 * The missing entries of a row given everything else. The predictors have the density
 *
 *     p(x) ∝ exp(−½(x − μ)'P(x − μ) + ½(d − μ_D)'Q(d − μ_D)) · p(d),   P = Σ⁻¹,   Q = (Σ_DD)⁻¹,
 *
 * over numbers and over the columns d of categories, which take only their levels (Gaussian given the levels: the model
 * of linear discriminants); the response has p(y | η), η = α + β'x. Factors are drawn one after the other, each from its
 * levels l with probability ∝ exp(−½(x_l − μ)'P(x_l − μ)) · exp(½(d_l − μ_D)'Q(d_l − μ_D)) · p(l | the others of d) ·
 * p(y | η_l); the law of a factor given the others is in category-law.ts. Then the missing numbers m, jointly: with P_mm = LL', w = L⁻¹(P(x − μ))_m, a standard normal ξ and u = L⁻¹β_m,
 *
 *     x_m + L⁻ᵀ(ξ − w)                            is a draw without the response, for which η ~ N(η̂, u'u), and
 *     x_m + L⁻ᵀ(ξ − w + u(η* − η)/u'u)            is one with it, where η* is drawn given y (responses.ts),
 *
 * since x_m depends on y through η alone. Exact at the cost of a factor of the size of the holes, for any family.
 * These are the latent variables of Lemma 1 of Song et al. (2020); their importance resampling is not needed.
 */

import { type FamilyName, familyNamed } from "../families/register.js";
import type { Response } from "../families/response.js";
import { normal } from "../math/normal.js";
import { choleskyInPlace, packedSize, solveLower, solveUpper } from "../math/packed.js";
import type { Rng } from "../math/rng.js";
import { categorical } from "../math/variates.js";
import type { JointGaussian } from "../models/joint-gaussian.js";
import { type CategoryLaw, type LevelsGiven, levelsGiven } from "./category-law.js";

/** y | x. Plain data: it crosses threads. */
export interface Regression {
  readonly family: FamilyName;
  readonly intercept: number;
  /** β, zero where a predictor is out of the model. */
  readonly coefficients: Float64Array;
  /** σ² of a Gaussian response. */
  readonly noiseVariance: number;
}

/** Predictors that are one category: at level 0 all of them are low, at level l the l-th is high. Plain data. */
export interface Factor {
  readonly columns: readonly number[];
  readonly low: readonly number[];
  readonly high: readonly number[];
}

/** The factors with holes, and the law of all categories where there are such. Plain data. */
export interface Categories {
  readonly factors: readonly Factor[];
  readonly law?: CategoryLaw;
}

export interface MissingEntries {
  /** Draws x[holes[from … to)] afresh, in place. The columns of a factor are missing together, and adjacent. */
  draw(rng: Rng, x: Float64Array, target: number, holes: ArrayLike<number>, from: number, to: number): void;
}

/** Writes (Pz)_j of the holes j = holes[from … from + count) to out[0 … count). */
export type Products = (
  out: Float64Array,
  z: Float64Array,
  holes: ArrayLike<number>,
  from: number,
  count: number,
) => void;

/** `productsOf` prepares the products with P, where the time goes; there are faster ways than the plain one. */
export function missingEntries(
  joint: JointGaussian,
  regression: Regression,
  { factors, law }: Categories = { factors: [] },
  productsOf: (precision: Float64Array, p: number) => Products = plainProducts,
): MissingEntries {
  const { mean, precision } = joint;
  const p = mean.length;
  const factorOf = new Int32Array(p).fill(-1);
  factors.forEach(({ columns }, f) => {
    for (const j of columns) factorOf[j] = f;
  });
  const around = surroundings(joint, regression, productsOf(precision, p));
  const { away } = around;
  const numbers = new Uint32Array(p);
  const logLevels = factors.map((factor) => levelsGiven(law!, factor));
  const drawLevel = levelDraw(around);
  const drawNumbers = numbersDraw(around, numbers);
  return {
    draw(rng, x, target, holes, from, to) {
      for (let j = 0; j < p; j++) away[j] = x[j] - mean[j];
      let count = 0;
      let last = -1;
      for (let h = from; h < to; h++) {
        const f = factorOf[holes[h]];
        if (f < 0) numbers[count++] = holes[h];
        else if (f !== last) drawLevel(rng, x, target, factors[f], logLevels[f]);
        last = f;
      }
      if (count > 0) drawNumbers(rng, x, target, count);
    },
  };
}

/** What a draw must know of everything else. */
interface Surroundings extends JointGaussian {
  readonly coefficients: Float64Array;
  readonly response: Response;
  readonly products: Products;
  /** η */
  predictorOf(x: Float64Array): number;
  /** x − μ of the row. */
  readonly away: Float64Array;
  /** Scratch. */
  readonly white: Float64Array;
}

function surroundings(joint: JointGaussian, regression: Regression, products: Products): Surroundings {
  const { coefficients, intercept, family, noiseVariance } = regression;
  const members = Array.from(coefficients.keys()).filter((j) => coefficients[j] !== 0);
  return {
    mean: joint.mean,
    precision: joint.precision,
    coefficients,
    response: familyNamed(family).response(noiseVariance),
    products,
    predictorOf: (x) => members.reduce((eta, j) => eta + coefficients[j] * x[j], intercept),
    away: new Float64Array(joint.mean.length),
    white: new Float64Array(joint.mean.length),
  };
}

/** One factor given all the rest of its row. */
function levelDraw(around: Surroundings) {
  const { mean, precision, coefficients, response, products, predictorOf, away, white } = around;
  const p = mean.length;
  return (
    rng: Rng,
    x: Float64Array,
    target: number,
    { columns, low, high }: Factor,
    logLevels: LevelsGiven,
  ): void => {
    const count = columns.length;
    let eta = predictorOf(x);
    columns.forEach((j, a) => {
      eta += coefficients[j] * (low[a] - x[j]);
      x[j] = low[a];
      away[j] = x[j] - mean[j];
    });
    products(white, away, columns, 0, count);
    const weight = logLevels(x);
    weight[0] += response.logDensity(target, eta);
    columns.forEach((j, a) => {
      const step = high[a] - low[a];
      weight[a + 1] -= step * (white[a] + 0.5 * step * precision[j * p + j]);
      weight[a + 1] += response.logDensity(target, eta + coefficients[j] * step);
    });
    const a = categorical(rng, weight) - 1;
    if (a < 0) return;
    x[columns[a]] = high[a];
    away[columns[a]] = high[a] - mean[columns[a]];
  };
}

/** The first `count` of the columns in `numbers`, jointly. */
function numbersDraw(around: Surroundings, numbers: Uint32Array) {
  const { mean, precision, coefficients, response, products, predictorOf, away, white } = around;
  const p = mean.length;
  const pull = new Float64Array(p);
  let factor = new Float64Array(packedSize(16));

  /** P_mm into `factor`. */
  const gather = (count: number, ridge: number): void => {
    for (let a = 0, at = 0; a < count; a++) {
      const row = numbers[a] * p;
      for (let b = 0; b <= a; b++) factor[at++] = precision[row + numbers[b]];
      factor[at - 1] *= 1 + ridge;
    }
  };

  return (rng: Rng, x: Float64Array, target: number, count: number): void => {
    if (packedSize(count) > factor.length) factor = new Float64Array(2 * packedSize(count));
    products(white, away, numbers, 0, count);
    gather(count, 0);
    // Near-collinear columns may cost the factor its last digits.
    for (let ridge = 1e-14; !choleskyInPlace(factor, 0, count); ridge *= 10) gather(count, ridge);
    solveLower(white, 0, factor, 0, count);
    let spread = 0;
    for (let a = 0; a < count; a++) {
      pull[a] = coefficients[numbers[a]];
      spread += pull[a] ** 2;
    }
    if (spread === 0) for (let a = 0; a < count; a++) white[a] = normal(rng) - white[a];
    else {
      solveLower(pull, 0, factor, 0, count);
      let eta = predictorOf(x);
      let moved = 0;
      spread = 0;
      for (let a = 0; a < count; a++) {
        const noise = normal(rng);
        eta -= pull[a] * white[a];
        moved += pull[a] * noise;
        spread += pull[a] * pull[a];
        white[a] = noise - white[a];
      }
      const share = (response.draw(rng, target, eta, spread) - eta - moved) / spread;
      for (let a = 0; a < count; a++) white[a] += share * pull[a];
    }
    solveUpper(white, 0, factor, 0, count);
    for (let a = 0; a < count; a++) x[numbers[a]] += white[a];
  };
}

export function plainProducts(precision: Float64Array, p: number): Products {
  return (out, z, holes, from, count) => {
    for (let a = 0; a < count; a++) {
      const row = holes[from + a] * p;
      let sum = 0;
      for (let k = 0; k < p; k++) sum += precision[row + k] * z[k];
      out[a] = sum;
    }
  };
}
