/**
 * How far the covariance of the predictors is drawn towards independent columns. With Σ ~ inverse Wishart(ν, diag φ)
 * every column given the others is a ridge regression: its residual variance r_j is inverse gamma(ν/2, φ_j/2), and
 * its coefficient of column k is N(0, r_j/φ_k). Where columns are many for the rows, ν and φ decide how well a hole
 * is filled, so they are drawn as well, from their posterior with Σ integrated out: n rows with scatter S have
 *
 *     p(X | ν, φ) ∝ Γ_p((ν + n)/2)/Γ_p(ν/2) · Π_j φ_j^{ν/2} · |S + diag φ|^{−(ν + n)/2}.
 *
 * The determinant is linear in each φ_j, so given the others φ_j = s_j·G(ν/2)/G(n/2), with gamma variates G and
 * s_j = 1/[(S + diag φ)⁻¹]_jj − φ_j; ν takes steps of any size by Metropolis and Hastings, with φ in proportion to it
 * (the residual variances, about φ_j/ν, stay) or as it is. The prior is flat in log φ and log(ν − p + 1), within
 * bounds that keep Σ proper.
 */

import { denseFactor } from "../kernels/dense.js";
import { normal } from "../math/normal.js";
import type { Rng } from "../math/rng.js";
import { logGamma } from "../math/special.js";
import { logGammaVariate } from "../math/variates.js";

/** ν and φ. Plain data. */
export interface Shrinkage {
  readonly freedom: number;
  readonly scale: Float64Array;
}

/** The scatter S of n rows that have lost their mean. */
export interface CentredScatter {
  readonly rows: number;
  readonly squares: Float64Array;
}

/** One row's worth of belief in uncorrelated columns: where chains start. */
export const weakShrinkage = (variance: ArrayLike<number>): Shrinkage => ({
  freedom: variance.length + 2,
  scale: Float64Array.from(variance),
});

/** φ_j is at least this share of a column's variance: columns that are sums of others must not make Σ singular. */
const LEAST_SCALE = 1e-3;
/** ν − p + 1 is at most so many times the rows: columns are as good as independent then. */
const MOST_FREEDOM = 100;
/** Steps of ν, and the powers of ten between which their sizes lie: nobody needs to know the right one. */
const STEPS = 3;
const SMALLEST = -2;
const LARGEST = 0.3;
/** The chance that φ goes along with ν. */
const TOGETHER = 0.7;
/** Products spent on φ: of very many columns some are drawn afresh, in turn by chance. */
const WORK = 5e7;

export function drawShrinkage(
  rng: Rng,
  scatter: CentredScatter,
  { freedom, scale }: Shrinkage,
  variance: ArrayLike<number>,
): Shrinkage {
  const allowed = (phi: Float64Array): boolean => phi.every((value, j) => value >= LEAST_SCALE * variance[j]);
  const drawn = drawScale(rng, scatter, { freedom, scale }, variance);
  return drawFreedom(rng, scatter, { freedom, ...drawn }, allowed);
}

/** log p(X | ν, φ) up to what depends on neither; undefined where S + diag φ is singular to working precision. */
export function logEvidence(scatter: CentredScatter, shrinkage: Shrinkage): number | undefined {
  return evidenceAt(scatter, shrinkage, logVolume(scatter, shrinkage.scale));
}

/** log |S + diag φ|, which takes nearly all of the work and does not depend on ν. */
function logVolume({ squares }: CentredScatter, scale: Float64Array): number | undefined {
  return denseFactor(squares, scale)?.logDeterminant;
}

function evidenceAt(
  { rows }: CentredScatter,
  { freedom, scale }: Shrinkage,
  volume: number | undefined,
): number | undefined {
  if (volume === undefined) return undefined;
  let sum = 0;
  for (let j = 0; j < scale.length; j++)
    sum +=
      logGamma((freedom + rows - j) / 2) - logGamma((freedom - j) / 2) + (freedom / 2) * Math.log(scale[j]);
  return sum - ((freedom + rows) / 2) * volume;
}

/** φ and log |S + diag φ|; undefined where that is singular to working precision. */
interface DrawnScale {
  readonly scale: Float64Array;
  readonly volume: number | undefined;
}

/** φ column by column, the inverse kept up to date by Sherman and Morrison. */
function drawScale(
  rng: Rng,
  { rows, squares }: CentredScatter,
  { freedom, scale: before }: Shrinkage,
  variance: ArrayLike<number>,
): DrawnScale {
  const p = before.length;
  const scale = before.slice();
  const factor = denseFactor(squares, before);
  if (!factor) return { scale, volume: undefined };
  const count = Math.min(p, Math.max(1, Math.floor(WORK / p ** 2)));
  const order = someOf(rng, p, count);
  // A column that has had its turn is not asked for again: only the triangle of those to come is kept up.
  const waiting = factor.inverseOf(order);
  let volume = factor.logDeterminant;
  order.forEach((j, t) => {
    const own = waiting.values[t * waiting.stride + t];
    const left = 1 / own - scale[j];
    if (!(left > 0)) return;
    const drawn = left * Math.exp(logGammaVariate(rng, freedom / 2) - logGammaVariate(rng, rows / 2));
    // A draw from the whole line, refused outside the bounds, leaves the bounded law as it is.
    if (!(drawn >= LEAST_SCALE * variance[j])) return;
    const change = drawn - scale[j];
    waiting.loseSquare(t, change / (1 + change * own));
    volume += Math.log1p(change * own);
    scale[j] = drawn;
  });
  return { scale, volume };
}

/** `count` of the numbers 0 … p − 1, in an order of chance. */
function someOf(rng: Rng, p: number, count: number): Uint32Array {
  const order = Uint32Array.from({ length: p }, (_, j) => j);
  for (let i = 0; i < count; i++) {
    const k = i + Math.floor(rng.uniform() * (p - i));
    [order[i], order[k]] = [order[k], order[i]];
  }
  return order.subarray(0, count);
}

function drawFreedom(
  rng: Rng,
  scatter: CentredScatter,
  { volume: known, ...from }: Shrinkage & DrawnScale,
  allowed: (scale: Float64Array) => boolean,
): Shrinkage {
  const p = from.scale.length;
  let at: Shrinkage = from;
  let volume = known;
  let level = evidenceAt(scatter, at, volume);
  for (let step = 0; step < STEPS; step++) {
    const size = 10 ** (SMALLEST + (LARGEST - SMALLEST) * rng.uniform());
    const free = (at.freedom - p + 1) * Math.exp(size * normal(rng));
    const together = rng.uniform() < TOGETHER;
    const chance = Math.log(rng.uniformOpen());
    if (!(free >= 1 && free <= MOST_FREEDOM * scatter.rows)) continue;
    const freedom = free + p - 1;
    const scale = together ? at.scale.map((value) => (value * freedom) / at.freedom) : at.scale;
    if (!allowed(scale)) continue;
    const around = together ? logVolume(scatter, scale) : volume;
    const there = evidenceAt(scatter, { freedom, scale }, around);
    if (there === undefined || (level !== undefined && chance >= there - level)) continue;
    [at, volume, level] = [{ freedom, scale }, around, there];
  }
  return at;
}
