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
 * Where groups differ little the next to last line moves Σ, where they differ much the one before it. In between, where
 * many groups each say little, neither does, and correlations of effects that are nearly zero move by 1/√N a sweep at
 * most: so a sweep begins with Metropolis steps, for one standard deviation and for the correlations of one effect, with
 * β and all b_i integrated out. A θ is all that a sweep needs to know of the one before.
 *
 * Where effects are in or out, the prior is that of half-t times a function c of the standard deviations (prior.ts): the
 * lines for Q, for β and ξ and for σ² then propose, and a proposal is taken with probability min(1, c′/c).
 */

import { cholesky } from "../math/linear.js";
import { normal } from "../math/normal.js";
import { choleskyInPlace, outerOfLower, packedSize, placeOf } from "../math/packed.js";
import type { Rng } from "../math/rng.js";
import { inverseGamma, inverseWishart } from "../math/variates.js";
import { type Integral, sweeps } from "./group-sweeps.js";
import {
  factorStart,
  layoutOf,
  type MixedDesign,
  type MixedLayout,
  type MixedPoint,
  thetaOf,
  unpack,
} from "./model/chart.js";
import type { CrossProducts } from "./model/crossproducts.js";
import { logInOrOut, logPrior, spreadsOf } from "./model/prior.js";
import { resolutionsOf } from "./model/resolutions.js";
import { drawJump, logJump } from "./model/spike-and-slab.js";

/** In variances of the target: far below it (I + ZDZ′)⁻¹ is lost in what it is subtracted from. */
export const LEAST_NOISE = 1e-8;

/** Yields θ, in the coordinates of the model, after every sweep. */
export function* expandedGibbs(
  rng: Rng,
  start: Float64Array,
  { design, data }: { readonly design: MixedDesign; readonly data: CrossProducts },
): Generator<Float64Array, void> {
  const layout = layoutOf(design);
  const { priors } = layout;
  const { spreadDegrees: nu, spread } = priors;
  const p = layout.fixed.length;
  const q = layout.random.length;
  const groups = sweeps(layout, data);
  const collapsed = collapsedSteps(layout, data, groups);
  const point = unpack(layout);
  const expansion = new Float64Array(q);
  // log c, from standard deviations of the effects.
  const ratio = (spreads: Float64Array, variance: number): number =>
    priors.law === "spike-and-slab"
      ? logInOrOut(
          layout,
          spreads.map((sd) => sd / Math.sqrt(variance)),
          Math.log(variance),
        )
      : 0;
  let theta = start;
  for (;;) {
    const { theta: moved, integral } = collapsed(rng, theta);
    point.read(moved);
    for (let k = 0; k < q; k++) {
      const inverse = point.precision * point.inverseCovariance[placeOf(k, k)];
      const a = inverseGamma(rng, 0.5 * (nu + q), nu * inverse + 1 / (spread * spread));
      expansion[k] = Math.sqrt((2 * nu) / a);
    }
    const variance = 1 / point.precision;
    let now = ratio(
      spreadsOf(point, q).map((sd) => sd * Math.sqrt(variance)),
      variance,
    );
    const isTaken = (there: number): boolean => {
      if (!(there >= now || Math.log(rng.uniformOpen()) < there - now)) return false;
      now = there;
      return true;
    };
    const beta = groups.drawEffects(rng, integral, variance, expansion);
    const drawnBetween = covarianceOf(rng, groups.squares, nu + q - 1 + data.rows.length, q);
    const between = isTaken(ratio(spreadsBy(drawnBetween, expansion), variance))
      ? drawnBetween
      : withoutExpansion(point, expansion);
    const proposed = groups.regress(rng, variance);
    const coefficients = isTaken(ratio(spreadsBy(between, proposed.subarray(p)), variance))
      ? proposed
      : Float64Array.of(...beta, ...expansion);
    const noise = inverseGamma(rng, 0.5 * (nu + 1), nu / variance + 1 / (spread * spread));
    const scale = 0.5 * groups.residual(coefficients) + nu / noise;
    const drawn = Math.max(inverseGamma(rng, 0.5 * (groups.rows + nu), scale), LEAST_NOISE);
    const spreads = spreadsBy(between, coefficients.subarray(p));
    const next = isTaken(ratio(spreads, drawn)) ? drawn : variance;
    const factor = scaledFactor(between, coefficients.subarray(p), Math.sqrt(next));
    theta = thetaOf(layout, coefficients.subarray(0, p), next, factor);
    yield theta;
  }
}

/** Standard deviations of ΞQΞ. */
const spreadsBy = (q: Float64Array, expansion: Float64Array): Float64Array =>
  expansion.map((xi, k) => Math.abs(xi) * Math.sqrt(q[k * expansion.length + k]));

/** Ξ⁻¹ΣΞ⁻¹ of Σ as it is at a point. */
function withoutExpansion({ factor, precision }: MixedPoint, expansion: Float64Array): Float64Array {
  const size = expansion.length;
  const covariance = new Float64Array(packedSize(size));
  outerOfLower(covariance, factor, size);
  return Float64Array.from({ length: size * size }, (_, e) => {
    const [j, k] = [Math.floor(e / size), e % size];
    return covariance[placeOf(j, k)] / (precision * expansion[j] * expansion[k]);
  });
}

/** Steps as wide as the posterior is where groups hardly differ, down to where the other lines do the work. */
const WIDTHS = [1, 0.5, 0.25, 0.1];
/** Angles, from anywhere to where the groups know the correlations themselves. */
const ANGLES = [Math.PI, 1, 0.3, 0.1];

/**
 * Groups beyond which a sweep makes steps for every effect: the other lines move correlations by 1/√N a sweep. With 5,000
 * groups and three effects near zero it gains more than it costs (effective draws a second), with few it does not.
 */
const MANY = 1000;

/** A place to go to, and the logarithm of what π(θ′)/π(θ) is multiplied with. */
interface Proposal {
  readonly theta: Float64Array;
  readonly logFactor: number;
}

/** Metropolis steps in the coordinates of θ with β and all b_i integrated out: each costs a pass over the groups. */
function collapsedSteps(layout: MixedLayout, data: CrossProducts, groups: ReturnType<typeof sweeps>) {
  const { random } = layout;
  const q = random.length;
  const point = unpack(layout);
  const { law, resolutions: told } = layout.priors;
  const resolutions = law === "spike-and-slab" ? told : resolutionsOf(data, random);
  let held = groups.integral();
  let other = groups.integral();

  const value = (theta: Float64Array, out: Integral): number => {
    point.read(theta);
    groups.integrate(out, point);
    return groups.logMarginal(out, point) + logPrior(layout, theta, point);
  };

  return (rng: Rng, start: Float64Array): { theta: Float64Array; integral: Integral } => {
    let theta = start;
    let current = value(theta, held);
    const step = ({ theta: proposed, logFactor }: Proposal): void => {
      const there = value(proposed, other);
      if (!(Math.log(rng.uniformOpen()) < there - current + logFactor)) return;
      [held, other] = [other, held];
      [theta, current] = [proposed, there];
    };
    const one = Math.floor(q * rng.uniform());
    const isThorough = q > 1 && data.rows.length > MANY;
    for (let k = isThorough ? 0 : one; k <= (isThorough ? q - 1 : one); k++) {
      for (let t = 0; t < (isThorough ? 2 : 1); t++) {
        const jumps = law === "spike-and-slab" && rng.uniform() < 0.5;
        step(scaledRow(rng, layout, theta, k, { unit: resolutions[k].unit, jumps }));
      }
      if (k > 0) step(turnedRow(rng, layout, theta, k));
    }
    return { theta, integral: held };
  };
}

/**
 * One of the standard deviations τ_k of Σ, correlations and σ² as they are: τ_k + ε, reflected at 0, or one that does not
 * depend on it. In the coordinates of θ row k of L is multiplied by f = τ′/τ, of which k elements are no logarithms, so
 * that the factor is f^{k−1}.
 */
function scaledRow(
  rng: Rng,
  layout: MixedLayout,
  theta: Float64Array,
  k: number,
  { unit, jumps }: { readonly unit: number; readonly jumps: boolean },
): Proposal {
  const from = factorStart(layout);
  const x = Math.hypot(...rowOf(layout, theta, k)) / unit;
  const there = jumps
    ? Math.max(drawJump(rng), SMALLEST)
    : Math.abs(x + WIDTHS[Math.floor(WIDTHS.length * rng.uniform())] * normal(rng));
  const ratio = there / x;
  const proposed = theta.slice();
  proposed[from + placeOf(k, k)] += Math.log(ratio);
  for (let j = 0; j < k; j++) proposed[from + placeOf(k, j)] *= ratio;
  const ofJump = jumps ? logJump(x) - logJump(there) : 0;
  return { theta: proposed, logFactor: (k - 1) * Math.log(ratio) + ofJump };
}

/**
 * The correlations of one effect with those before it: row k of L turned by an angle towards a random direction, its
 * length and with it τ_k as it is. A turn has no Jacobian in the elements of the row, of which the last is there as its
 * logarithm: the factor is L_kk/L′_kk. The sign of that element is no part of the model.
 */
function turnedRow(rng: Rng, layout: MixedLayout, theta: Float64Array, k: number): Proposal {
  const from = factorStart(layout);
  const row = rowOf(layout, theta, k);
  const length = Math.hypot(...row);
  const direction = row.map(() => normal(rng));
  const along = direction.reduce((sum, value, j) => sum + (value * row[j]) / length, 0);
  const across = direction.map((value, j) => value - (along * row[j]) / length);
  const size = Math.hypot(...across);
  const angle = ANGLES[Math.floor(ANGLES.length * rng.uniform())] * normal(rng);
  const turned = row.map(
    (value, j) => Math.cos(angle) * value + Math.sin(angle) * (length / size) * across[j],
  );
  const proposed = theta.slice();
  for (let j = 0; j < k; j++) proposed[from + placeOf(k, j)] = turned[j];
  const last = Math.max(Math.abs(turned[k]), Number.MIN_VALUE);
  proposed[from + placeOf(k, k)] = Math.log(last);
  return { theta: proposed, logFactor: Math.log(row[k] / last) };
}

/** The elements of row k of L. */
function rowOf(layout: MixedLayout, theta: Float64Array, k: number): number[] {
  const at = factorStart(layout) + placeOf(k, 0);
  return [...theta.subarray(at, at + k), Math.exp(theta[at + k])];
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
