/**
 * Gibbs for rows in several groupings with normal noise. The residual that is kept, r = y − Σ Z_t b_t, lacks the fixed
 * effects: what they have to do with a term is in sums by level that never change, so that a sweep passes over the rows
 * twice a term, however many fixed effects there are. For each term, with e_j = Z_j′W(y − Xβ − the other terms):
 *
 *     τ_k      Metropolis with the effects of the term integrated out, a few times: it takes the levels, not the rows
 *     b_j      exactly
 *     Q        given η = Ξ⁻¹b
 *     β, ξ     given η, from sums by level
 *     β, b     along the directions that the likelihood does not see
 *
 * then what nested factors share, and σ².
 */

import { normal } from "../../math/normal.js";
import { choleskyInPlace, packedSize, placeOf, solveLower, solveUpper } from "../../math/packed.js";
import type { Rng } from "../../math/rng.js";
import { inverseGamma } from "../../math/variates.js";
import { drawJump, logJump } from "../model/spike-and-slab.js";
import { drawExpansion, drawInner, drawNormal, logSpread, setInverse, shiftEffects } from "./covariance.js";
import { isTaken, logInOrOut, logInOrOutOfAll, spreadsOf, takenInner } from "./in-or-out.js";
import { shareNested } from "./nested.js";
import {
  addByLevel,
  addEffects,
  columnOf,
  type RowsPriors,
  type RowsProblem,
  type RowsState,
  type RowsTerm,
} from "./problem.js";

/** In variances of the target: below it rounding is all that is left, and a chain would fall to zero and beyond. */
export const LEAST_NOISE = 1e-10;

/** Sums over the rows of each level that never change. */
interface LevelSums {
  /** Z′WZ, packed. */
  readonly own: Float64Array;
  /** Z′WX, q·p numbers a level. */
  readonly withFixed: Float64Array;
}

/** All sums over the rows that never change. */
export interface GaussianSums {
  readonly levels: readonly LevelSums[];
  /** X′WX, packed. */
  readonly gram: Float64Array;
}

export const gaussianSums = (problem: RowsProblem): GaussianSums => ({
  levels: problem.terms.map((term) => levelSums(problem, term)),
  gram: fixedGram(problem),
});

/** Yields the state, which it goes on with, after every sweep. */
export function* gaussianRows(
  rng: Rng,
  problem: RowsProblem,
  state: RowsState,
  { levels: sums, gram }: GaussianSums = gaussianSums(problem),
): Generator<RowsState, void> {
  const { terms, weights, rows, fixed, nests, priors } = problem;
  const p = fixed.length;
  const residual = problem.y.slice();
  for (let i = 0; i < rows; i++) residual[i] -= problem.offset?.[i] ?? 0;
  terms.forEach((term, t) => {
    addEffects(residual, -1, problem, term, state.effects[t]);
  });
  const weighted = weights ? new Float64Array(rows) : residual;
  const weigh = () => {
    if (weights) for (let i = 0; i < rows; i++) weighted[i] = weights[i] * residual[i];
  };
  weigh();
  /** X′Wr. */
  const products = fixed.map((j) => total(columnOf(problem, j), weighted));
  const { degrees: nu, spread } = priors;
  for (;;) {
    for (let t = 0; t < terms.length; t++) {
      weigh();
      const change = oneTerm({ rng, problem, state, t, sums: sums[t], weighted, products, gram });
      addEffects(residual, -1, problem, terms[t], change);
      const { withFixed } = sums[t];
      for (let at = 0, from = 0; at < change.length; at++) {
        for (let j = 0; j < p; j++) products[j] -= withFixed[from++] * change[at];
      }
    }
    for (const nest of nests) shareNested(rng, problem, nest, state);
    let square = 0;
    for (let i = 0; i < rows; i++) square += (weights ? weights[i] : 1) * residual[i] * residual[i];
    for (let j = 0; j < p; j++) {
      let product = -2 * products[j];
      for (let k = 0; k < p; k++) product += gram[placeOf(j, k)] * state.beta[k];
      square += product * state.beta[j];
    }
    const auxiliary = inverseGamma(rng, 0.5 * (nu + 1), nu / state.noise + 1 / (spread * spread));
    const drawn = inverseGamma(rng, 0.5 * (rows + nu), 0.5 * Math.max(square, 0) + nu / auxiliary);
    const next = Math.max(drawn, LEAST_NOISE);
    const inOrOut = (noise: number): number => logInOrOutOfAll(priors, terms, state, Math.sqrt(noise));
    if (isTaken(rng, inOrOut(next) - inOrOut(state.noise))) state.noise = next;
    yield state;
  }
}

interface OneTerm {
  readonly rng: Rng;
  readonly problem: RowsProblem;
  readonly state: RowsState;
  readonly t: number;
  readonly sums: LevelSums;
  readonly weighted: Float64Array;
  readonly products: readonly number[];
  readonly gram: Float64Array;
}

/** All lines of a sweep that are about one term. Returns by how much its effects have changed. */
function oneTerm({ rng, problem, state, t, sums, weighted, products, gram }: OneTerm): Float64Array {
  const term = problem.terms[t];
  const q = term.columns.length;
  const p = problem.fixed.length;
  const b = state.effects[t];
  const inverse = state.inverses[t];
  const { own, withFixed } = sums;
  const size = packedSize(q);
  const before = b.slice();
  // Z′W(y − the other terms), and X′W of the same.
  const slopes = new Float64Array(b.length);
  addByLevel(slopes, problem, term, weighted);
  const others = Float64Array.from(products);
  for (let j = 0, at = 0; at < b.length; j++, at += q) {
    for (let k = 0; k < q; k++) {
      for (let l = 0; l < q; l++) slopes[at + k] += own[j * size + placeOf(k, l)] * b[at + l];
      for (let c = 0; c < p; c++) others[c] += withFixed[(at + k) * p + c] * b[at + k];
    }
  }
  const scores = slopes.slice();
  for (let at = 0; at < b.length; at++) {
    for (let c = 0; c < p; c++) scores[at] -= withFixed[at * p + c] * state.beta[c];
  }
  spreadSteps(rng, problem.priors, term, inverse, { own, scores, q, noise: state.noise });
  drawLevels(rng, b, inverse, { own, scores, q, noise: state.noise });

  const expansion = drawExpansion(rng, inverse, q, problem.priors);
  const eta = b.map((value, at) => value / expansion[at % q]);
  const inOrOut = (covariance: Float64Array): number =>
    logInOrOut(problem.priors, term, spreadsOf(covariance, q), Math.sqrt(state.noise));
  const inner = takenInner(rng, inverse, expansion, drawInner(rng, eta, q, problem.priors), inOrOut);
  const wide = p + q;
  const precision = new Float64Array(packedSize(wide));
  const draw = new Float64Array(wide);
  const scale = 1 / state.noise;
  for (let j = 0; j < p; j++) {
    draw[j] = scale * others[j];
    for (let k = 0; k <= j; k++) precision[placeOf(j, k)] = scale * gram[placeOf(j, k)];
    precision[placeOf(j, j)] += problem.priors.fixedPrecision;
  }
  for (let at = 0, from = 0; at < b.length; at += q, from += size) {
    for (let k = 0; k < q; k++) {
      const value = scale * eta[at + k];
      const row = packedSize(p + k);
      for (let c = 0; c < p; c++) precision[row + c] += value * withFixed[(at + k) * p + c];
      for (let l = 0; l <= k; l++) precision[row + p + l] += value * eta[at + l] * own[from + placeOf(k, l)];
      draw[p + k] += value * slopes[at + k];
    }
  }
  for (let k = p; k < wide; k++) {
    precision[placeOf(k, k)] += 1 / (problem.priors.degrees * problem.priors.spread ** 2);
  }
  drawNormal(rng, draw, 0, precision, 0, wide);
  const proposed = new Float64Array(size);
  setInverse(proposed, inner, draw.subarray(p));
  if (isTaken(rng, inOrOut(proposed) - inOrOut(inverse))) {
    state.beta.set(draw.subarray(0, p));
    for (let at = 0; at < b.length; at++) b[at] = draw[p + (at % q)] * eta[at];
    inverse.set(proposed);
  }
  shiftEffects(rng, term, state, b, inverse, problem.priors.fixedPrecision);
  return b.map((value, at) => value - before[at]);
}

interface Levels {
  readonly own: Float64Array;
  readonly scores: Float64Array;
  readonly q: number;
  readonly noise: number;
}

function drawLevels(
  rng: Rng,
  b: Float64Array,
  inverse: Float64Array,
  { own, scores, q, noise }: Levels,
): void {
  const size = packedSize(q);
  const factor = new Float64Array(size);
  const scale = 1 / noise;
  for (let at = 0, from = 0; at < b.length; at += q, from += size) {
    for (let e = 0; e < size; e++) factor[e] = scale * own[from + e] + inverse[e];
    choleskyInPlace(factor, 0, q);
    for (let k = 0; k < q; k++) b[at + k] = scale * scores[at + k];
    solveLower(b, at, factor, 0, q);
    for (let k = 0; k < q; k++) b[at + k] += normal(rng);
    solveUpper(b, at, factor, 0, q);
  }
}

/** As wide as the posterior is where levels hardly differ, and narrower. */
const WIDTHS = [1, 0.5, 0.25, 0.1];
/** Of a jump: the inverse of its square must still be a number. */
const SMALLEST = 1e-100;

/** Σ⁻¹ ← with each standard deviation moved by Metropolis steps, the effects integrated out. */
function spreadSteps(
  rng: Rng,
  priors: RowsPriors,
  term: RowsTerm,
  inverse: Float64Array,
  levels: Levels,
): void {
  const { q } = levels;
  const noise = Math.sqrt(levels.noise);
  const density = (proposed: Float64Array): number =>
    logIntegrated(proposed, levels) +
    logSpread(proposed, logDeterminantOf(proposed, q), q, priors) +
    logInOrOut(priors, term, spreadsOf(proposed, q), noise);
  let current = density(inverse);
  for (let k = 0; k < q; k++) {
    const unit = noise * term.resolutions[k].unit;
    for (const width of priors.law === "half-t" ? WIDTHS : [...WIDTHS, undefined]) {
      const covariance = inverse.slice();
      choleskyInPlace(covariance, 0, q);
      const x = standardDeviation(covariance, k, q) / unit;
      const there =
        width === undefined ? Math.max(drawJump(rng), SMALLEST) : Math.abs(x + width * normal(rng));
      const ofJump = width === undefined ? logJump(x) - logJump(there) : 0;
      const ratio = there / x;
      const proposed = inverse.slice();
      for (let l = 0; l < q; l++) proposed[placeOf(k, l)] /= l === k ? ratio * ratio : ratio;
      const value = density(proposed);
      // The density of τ_k is that of Σ times τ_k^q.
      if (!(Math.log(rng.uniformOpen()) < value - current + q * Math.log(ratio) + ofJump)) continue;
      inverse.set(proposed);
      current = value;
    }
  }
}

/** √Σ_kk from the factor of Σ⁻¹. */
function standardDeviation(factor: Float64Array, k: number, q: number): number {
  const unit = new Float64Array(q);
  unit[k] = 1;
  solveLower(unit, 0, factor, 0, q);
  return Math.hypot(...unit);
}

function logDeterminantOf(inverse: Float64Array, q: number): number {
  const factor = inverse.slice();
  choleskyInPlace(factor, 0, q);
  let sum = 0;
  for (let k = 0; k < q; k++) sum -= 2 * Math.log(factor[placeOf(k, k)]);
  return sum;
}

/** Σ_j −½log|I + A_jΣ/σ²| + ½e_j′(A_j + σ²Σ⁻¹)⁻¹e_j/σ². */
function logIntegrated(inverse: Float64Array, { own, scores, q, noise }: Levels): number {
  const size = packedSize(q);
  const factor = new Float64Array(size);
  const x = new Float64Array(q);
  const scale = 1 / noise;
  let value = (-0.5 * scores.length * logDeterminantOf(inverse, q)) / q;
  let product = 1;
  for (let at = 0, from = 0; at < scores.length; at += q, from += size) {
    for (let e = 0; e < size; e++) factor[e] = scale * own[from + e] + inverse[e];
    choleskyInPlace(factor, 0, q);
    for (let k = 0; k < q; k++) x[k] = scale * scores[at + k];
    solveLower(x, 0, factor, 0, q);
    for (let k = 0; k < q; k++) {
      value += 0.5 * x[k] * x[k];
      product *= factor[placeOf(k, k)];
    }
    if (product > 1e100 || product < 1e-100) {
      value -= Math.log(product);
      product = 1;
    }
  }
  return value - Math.log(product);
}

function levelSums(problem: RowsProblem, term: RowsTerm): LevelSums {
  const { rows, weights, fixed } = problem;
  const { codes, columns, levels } = term;
  const [q, p, size] = [columns.length, fixed.length, packedSize(columns.length)];
  const own = new Float64Array(levels * size);
  const withFixed = new Float64Array(levels * q * p);
  for (let k = 0; k < q; k++) {
    const z = columnOf(problem, columns[k]);
    const scaled = (i: number): number => (weights ? weights[i] : 1) * (z ? z[i] : 1);
    for (let l = 0; l <= k; l++) {
      const other = columnOf(problem, columns[l]);
      const to = placeOf(k, l);
      for (let i = 0; i < rows; i++) own[codes[i] * size + to] += scaled(i) * (other ? other[i] : 1);
    }
    for (let c = 0; c < p; c++) {
      const x = columnOf(problem, fixed[c]);
      for (let i = 0; i < rows; i++) withFixed[(codes[i] * q + k) * p + c] += scaled(i) * (x ? x[i] : 1);
    }
  }
  return { own, withFixed };
}

function fixedGram(problem: RowsProblem): Float64Array {
  const { fixed, weights, rows } = problem;
  const out = new Float64Array(packedSize(fixed.length));
  for (let j = 0, at = 0; j < fixed.length; j++) {
    const x = columnOf(problem, fixed[j]);
    const scaled = Float64Array.from({ length: rows }, (_, i) => (weights ? weights[i] : 1) * (x ? x[i] : 1));
    for (let k = 0; k <= j; k++) out[at++] = total(columnOf(problem, fixed[k]), scaled);
  }
  return out;
}

function total(column: Float64Array | undefined, values: Float64Array): number {
  let sum = 0;
  if (!column) for (let i = 0; i < values.length; i++) sum += values[i];
  else for (let i = 0; i < values.length; i++) sum += column[i] * values[i];
  return sum;
}
