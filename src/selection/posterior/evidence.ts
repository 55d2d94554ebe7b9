/**
 * Exact marginal likelihoods of Gaussian models from sufficient statistics, with coefficients (and, when it is
 * unknown, the noise variance) integrated out. For a model S let A = G_S + ρI and fit = b_S'A⁻¹b_S. Then
 *
 *     log p(y | S) = Σ penalty + F(c·fit)
 *
 *   slab independent, σ² unknown: β ~ N(0, vσ²), ρ = 1/v,  c = 1,       penalty −½ log(d_j/ρ),  F(x) = −(ν/2) log(y'y − x)
 *   slab independent, σ² known:   β ~ N(0, v),   ρ = σ²/v, c = 1,       penalty −½ log(d_j/ρ),  F(x) = x/(2σ²)
 *   slab zellner:                 ρ = 0,  c = g/(1 + g),                penalty −½ log(1 + g)
 *
 * where d_j is the pivot of variable j and ν the rows less one for a flat intercept. Binomial and Poisson models
 * enter as the known-variance case through the quadratic expansion of their log-likelihood.
 *
 * The state is W = L⁻¹A_{S,·}, one row per member over all candidates, A = LL'. Adding a member appends a row,
 * removing one rotates rows; either costs O(k·C). The pivots d and scores u of all candidates are kept beside it,
 * so the odds of adding any variable are there for the asking.
 */

import type { FlipTerms } from "../../kernels/flips.js";
import type { JudgingTerms } from "../../kernels/outsiders.js";
import { TrackedInverse } from "../../kernels/tracked-inverse.js";
import { backSolve, inverse } from "../../math/linear.js";
import { judgingTerms } from "../certify/judging-terms.js";
import { FactorRows, inverseDiagonal } from "./factor-rows.js";
import type { FixedSlab } from "./slab.js";
import { SATURATED, worthOf } from "./worth.js";

export interface SufficientStatistics {
  /** Number of candidates. */
  readonly size: number;
  /** G = X'X and b = X'y, after centring if there is a flat intercept. Row-major. */
  readonly gram: Float64Array;
  readonly cross: Float64Array;
  readonly targetSquares: number;
  /** ν: rows, less one for a flat intercept. */
  readonly freedom: number;
}

/** The statistics of some of the candidates, in the given order. */
export function subsetStatistics(of: SufficientStatistics, members: readonly number[]): SufficientStatistics {
  const size = members.length;
  const gram = new Float64Array(size * size);
  const cross = new Float64Array(size);
  members.forEach((a, i) => {
    for (let j = 0; j < size; j++) gram[i * size + j] = of.gram[a * of.size + members[j]];
    cross[i] = of.cross[a];
  });
  return { ...of, size, gram, cross };
}

/** Without a ridge, a pivot below this share of its diagonal means: collinear with the model. */
const SINGULAR = 1e-9;
/** A ridge above this share of the diagonal survives rounding; then no pivot lies below it. */
const ROUNDING = 1e-12;

/** A variable whose pivot is not larger depends on the model. */
export function smallestPivot(ridge: number, diagonal: number): number {
  return ridge > ROUNDING * diagonal ? 0.5 * ridge : SINGULAR * diagonal;
}

export class Evidence {
  readonly size: number;
  readonly members: number[] = [];
  /** Position in `members`, or −1. */
  readonly place: Int32Array;
  /** Pivot d_j and score u_j of every candidate given the model (stale for members). */
  readonly pivot: Float64Array;
  readonly score: Float64Array;
  /** W. */
  private readonly rows: FactorRows;
  /** Of the statistics, at hand: those come from other threads in many shapes, which would slow the loops down. */
  private readonly gram: Float64Array;
  private readonly cross: Float64Array;
  private readonly diagonal: Float64Array;
  private readonly ridge: number;
  private readonly shrink: number;
  private fit = 0;
  private penalty = 0;
  private changes = 0;
  /** A⁻¹ and A⁻¹b in the order of `members`, once somebody has asked for it and as long as it can be kept up. */
  private inverse: TrackedInverse | undefined;

  constructor(
    private readonly statistics: SufficientStatistics,
    private readonly slab: FixedSlab,
    /** σ², or undefined when it is integrated out. */
    private readonly noiseVariance: number | undefined,
  ) {
    const { size, gram, cross } = statistics;
    this.size = size;
    this.gram = gram;
    this.cross = cross;
    this.place = new Int32Array(size).fill(-1);
    this.ridge = slab.kind === "zellner" ? 0 : (noiseVariance ?? 1) / slab.scale;
    this.shrink = slab.kind === "zellner" ? slab.scale / (1 + slab.scale) : 1;
    this.diagonal = new Float64Array(size);
    for (let j = 0; j < size; j++) this.diagonal[j] = gram[j * size + j] + this.ridge;
    this.pivot = this.diagonal.slice();
    this.score = cross.slice();
    this.rows = new FactorRows(size);
  }

  /** log p(y | S) up to a constant that all models share. */
  logMarginal(): number {
    return this.penalty + this.fitTerm(this.fit);
  }

  private fitTerm(fit: number): number {
    return worthOf(this.shrink * fit, this.statistics, this.noiseVariance);
  }

  private penaltyOf(pivot: number): number {
    return -0.5 * (this.slab.kind === "zellner" ? Math.log1p(this.slab.scale) : Math.log(pivot / this.ridge));
  }

  canAdd(j: number): boolean {
    return this.pivot[j] > smallestPivot(this.ridge, this.diagonal[j]);
  }

  /** log p(y | S + j) − log p(y | S); −∞ where the variable is collinear with the model. */
  gainOfAdding(j: number): number {
    const d = this.pivot[j];
    if (!this.canAdd(j)) return Number.NEGATIVE_INFINITY;
    const better = (this.shrink * this.score[j] * this.score[j]) / d;
    if (this.noiseVariance !== undefined) return this.penaltyOf(d) + better / (2 * this.noiseVariance);
    const share = Math.min(better / this.residual(this.fit), 1 - SATURATED);
    return this.penaltyOf(d) - 0.5 * this.statistics.freedom * Math.log1p(-share);
  }

  /** What `gainOfAdding` of every candidate is made of, as kernels want it; `share` follows the model. */
  termsOfAdding(): Omit<FlipTerms, "spread" | "top"> {
    const { slab, ridge, shrink, noiseVariance } = this;
    const penalty =
      slab.kind === "zellner"
        ? { base: this.penaltyOf(1), half: 0 }
        : { base: 0.5 * Math.log(ridge), half: 0.5 };
    const known = noiseVariance !== undefined;
    return {
      ...penalty,
      share: this.shareOfResidual(),
      power: known ? 0 : 0.5 * this.statistics.freedom,
      saturated: SATURATED,
      worth: known ? shrink / (2 * noiseVariance) : 0,
    };
  }

  /** What a unit of u²/d takes of what the model leaves unexplained; nothing where the noise is known. */
  shareOfResidual(): number {
    return this.noiseVariance === undefined ? this.shrink / this.residual(this.fit) : 0;
  }

  /** A candidate whose pivot is not larger depends on the model. */
  smallestPivots(): Float64Array {
    return this.diagonal.map((diagonal) => smallestPivot(this.ridge, diagonal));
  }

  /** How the model judges columns that are not candidates; `leaving` are the members that may leave. */
  outsiders(logPriorOfAdding: number, logPriorOfLeaving: number, leaving: readonly number[]): JudgingTerms {
    const { members, rows, fit, ridge, shrink, statistics } = this;
    const gains = new Float64Array(members.length);
    this.gainsOfMembers(gains);
    const lower = rows.lower(members);
    const { base, half, power } = this.termsOfAdding();
    return judgingTerms({
      members: [...members],
      lower,
      target: rows.target(),
      mean: this.coefficients(lower),
      pivots: inverseDiagonal(lower, members.length).map((value) => 1 / value),
      fit,
      ridge,
      shrink,
      base,
      half,
      power,
      gains,
      logPriorOfAdding,
      logPriorOfLeaving,
      residualOf: (explained) => this.residual(explained),
      noise: this.noiseVariance,
      floor: SATURATED * statistics.targetSquares,
      freedom: this.freedom,
      leaving: leaving.map((j) => this.place[j]).filter((place) => place >= 0),
    });
  }

  /** log p(y | S) − log p(y | S − i) for every member, in the order of `members`. */
  gainsOfMembers(out: Float64Array): void {
    const k = this.members.length;
    this.inverse ??= this.workedOut();
    const { inverse } = this;
    const { solution } = inverse;
    const term = this.fitTerm(this.fit);
    for (let i = 0; i < k; i++) {
      const d = 1 / inverse.at(i, i);
      out[i] = this.penaltyOf(d) + term - this.fitTerm(this.fit - solution[i] * solution[i] * d);
    }
  }

  add(j: number): void {
    const { size, gram } = this;
    const d = this.pivot[j];
    const root = Math.sqrt(d);
    const start = this.rows.next();
    const { values } = this.rows;
    for (let c = 0; c < size; c++) values[start + c] = gram[j * size + c];
    values[start + j] += this.ridge;
    values[start + size] = this.cross[j];
    this.rows.subtractFrom(start, j);
    for (let c = start; c <= start + size; c++) values[c] /= root;
    this.inverse?.border((i) => gram[j * size + this.members[i]], d, this.score[j]);
    this.place[j] = this.members.length;
    this.members.push(j);
    this.rows.count += 1;
    this.penalty += this.penaltyOf(d);
    this.absorb(start, 1);
  }

  remove(j: number): void {
    const at = this.place[j];
    const { members, rows } = this;
    const k = members.length;
    this.inverse?.shrink(at);
    members.splice(at, 1);
    this.place[j] = -1;
    for (let i = at; i < k - 1; i++) this.place[members[i]] = i;
    // Rows at … k − 1 are upper Hessenberg in the columns of the remaining members: rotate neighbours.
    for (let i = at; i < k - 1; i++) rows.rotate(i, members[i]);
    rows.count -= 1;
    this.absorb(rows.count * rows.stride, -1);
    this.penalty -= this.penaltyOf(this.pivot[j]);
    // Rounding creeps in with every rotation.
    if (++this.changes % 500 === 0) this.rebuild();
  }

  /** Takes the row of W that begins here into the pivots, scores and fit, or out of them. */
  private absorb(start: number, sign: 1 | -1): void {
    const { size, pivot, score } = this;
    const { values } = this.rows;
    const r = values[start + size];
    for (let c = 0; c < size; c++) {
      const value = values[start + c];
      pivot[c] -= sign * value * value;
      score[c] -= sign * value * r;
    }
    this.fit += sign * r * r;
  }

  rebuild(members: readonly number[] = [...this.members]): void {
    this.members.length = 0;
    this.rows.count = 0;
    this.inverse?.forget();
    this.inverse = undefined;
    this.place.fill(-1);
    this.pivot.set(this.diagonal);
    this.score.set(this.cross);
    this.fit = 0;
    this.penalty = 0;
    for (const j of members) this.add(j);
  }

  /** A⁻¹b, in the order of `members`: the posterior mean before shrinking by c. */
  private coefficients(lower: Float64Array): Float64Array {
    const mean = this.rows.target();
    backSolve(lower, mean.length, mean);
    return mean;
  }

  private workedOut(): TrackedInverse {
    const { gram, size, members, rows } = this;
    const inverse = new TrackedInverse();
    // Row k of W holds the root of its member's pivot and, in the end, the score over that root.
    members.forEach((j, k) => {
      // An inverse that needs more room may end views of the rows.
      const { values, stride } = rows;
      const root = values[k * stride + j];
      inverse.border((i) => gram[j * size + members[i]], root * root, values[k * stride + size] * root);
    });
    return inverse;
  }

  private residual(fit: number): number {
    const { targetSquares } = this.statistics;
    return Math.max(targetSquares - this.shrink * fit, SATURATED * targetSquares);
  }

  /** σ², or what stands for it in the scale of coefficients. */
  private noise(fit: number): number {
    return this.noiseVariance ?? this.residual(fit) / this.statistics.freedom;
  }

  /** Of the t distributions of coefficients. */
  private get freedom(): number {
    return this.noiseVariance === undefined ? this.statistics.freedom : Number.POSITIVE_INFINITY;
  }

  /** The posterior given the model: β_S ~ t_ν (normal when σ² is known) with this mean and scale matrix. */
  posterior(): ModelPosterior {
    const k = this.members.length;
    const residual = this.residual(this.fit);
    const noise = this.noise(this.fit);
    const lower = this.rows.lower(this.members);
    const mean = this.coefficients(lower);
    for (let i = 0; i < k; i++) mean[i] *= this.shrink;
    const covariance = new Float64Array(k * k);
    inverse(covariance, lower, k);
    for (let i = 0; i < k * k; i++) covariance[i] *= this.shrink * noise;
    return {
      members: [...this.members],
      mean,
      covariance,
      freedom: this.freedom,
      residualSquares: residual,
    };
  }
}

export interface ModelPosterior {
  readonly members: readonly number[];
  readonly mean: Float64Array;
  /** Scale matrix of the t distribution, row-major; the covariance when the degrees of freedom are infinite. */
  readonly covariance: Float64Array;
  /** The means again, and the diagonal of the scale matrix, where they are known without the whole. */
  readonly packed?: PackedLaw;
  /** So with the mean and the variance of Σβ_j·means_j at the centre. */
  readonly leaning?: number;
  readonly passing?: number;
  readonly freedom: number;
  /** σ² | S ~ inverse gamma(ν/2, residualSquares/2) when it is unknown. */
  readonly residualSquares: number;
}

/** Where a law lies among the numbers of thousands. */
export interface PackedLaw {
  readonly numbers: Float64Array;
  readonly meanAt: number;
  readonly variancesAt: number;
}
