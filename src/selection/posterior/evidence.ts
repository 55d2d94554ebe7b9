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

import { inverse } from "../../math/linear.js";
import { TrackedInverse } from "../../math/tracked-inverse.js";
import { type OutsiderJudge, outsiderJudge } from "../certify/outsiders.js";
import { lowerFactor, type RowsOfFactor, solveTransposed } from "./rows-of-factor.js";
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
  private readonly rows: Float64Array[] = [];
  /** L' stands in the member columns of W. */
  private readonly factor: RowsOfFactor = { members: this.members, rows: this.rows };
  /** Of the statistics, at hand: those come from other threads in many shapes, which would slow the loops down. */
  private readonly gram: Float64Array;
  private readonly cross: Float64Array;
  private readonly diagonal: Float64Array;
  private readonly ridge: number;
  private readonly shrink: number;
  private fit = 0;
  private penalty = 0;
  private changes = 0;
  /** A⁻¹ in the order of `members`, once somebody has asked for it and as long as it can be kept up. */
  private inverse: TrackedInverse | undefined;
  private readonly position: Float64Array;

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
    this.position = new Float64Array(size);
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
    return this.gain(this.pivot[j], this.score[j], this.diagonal[j], this.fit);
  }

  /** What a variable with pivot d and score u adds to a model with this fit. */
  private gain(d: number, u: number, diagonal: number, fit: number): number {
    if (!(d > smallestPivot(this.ridge, diagonal))) return Number.NEGATIVE_INFINITY;
    const better = (this.shrink * u * u) / d;
    if (this.noiseVariance !== undefined) return this.penaltyOf(d) + better / (2 * this.noiseVariance);
    const { targetSquares, freedom } = this.statistics;
    const left = Math.max(targetSquares - this.shrink * fit, SATURATED * targetSquares);
    const share = Math.min(better / left, 1 - SATURATED);
    return this.penaltyOf(d) - 0.5 * freedom * Math.log1p(-share);
  }

  /** How the model judges columns that are not candidates; `leaving` are the members that may leave. */
  outsiders(logPriorOfAdding: number, logPriorOfLeaving: number, leaving: readonly number[]): OutsiderJudge {
    const { factor, fit, ridge, shrink } = this;
    const gains = new Float64Array(this.members.length);
    this.gainsOfMembers(gains);
    return outsiderJudge({
      factor,
      fit,
      ridge,
      mean: this.coefficients().slice(),
      gains,
      leaving: leaving.map((j) => this.place[j]).filter((place) => place >= 0),
      logPriorOfAdding,
      logPriorOfLeaving,
      gain: ({ pivot, score, diagonal, fit: before }) => this.gain(pivot, score, diagonal, before),
      coefficient: ({ pivot, score, fit: before }) => ({
        mean: (shrink * score) / pivot,
        squaredScale: (shrink * this.noise(before + (score * score) / pivot)) / pivot,
      }),
      freedom: this.freedom,
    });
  }

  /** log p(y | S) − log p(y | S − i) for every member, in the order of `members`. */
  gainsOfMembers(out: Float64Array): void {
    const k = this.members.length;
    const mean = this.coefficients();
    this.inverse ??= this.workedOut();
    const { inverse } = this;
    for (let i = 0; i < k; i++) {
      const d = 1 / inverse.at(i, i);
      out[i] = this.penaltyOf(d) + this.fitTerm(this.fit) - this.fitTerm(this.fit - mean[i] * mean[i] * d);
    }
  }

  add(j: number): void {
    const { size, gram } = this;
    const d = this.pivot[j];
    const root = Math.sqrt(d);
    const row = new Float64Array(size + 1);
    for (let c = 0; c < size; c++) row[c] = gram[j * size + c];
    row[j] += this.ridge;
    row[size] = this.cross[j];
    subtractRows(row, this.rows, j);
    for (let c = 0; c <= size; c++) row[c] /= root;
    this.inverse?.border((i) => gram[j * size + this.members[i]], d);
    this.place[j] = this.members.length;
    this.members.push(j);
    this.rows.push(row);
    this.penalty += this.penaltyOf(d);
    this.absorb(row, 1);
  }

  remove(j: number): void {
    const at = this.place[j];
    const { members, rows, size } = this;
    const k = members.length;
    this.inverse?.shrink(at);
    members.splice(at, 1);
    this.place[j] = -1;
    for (let i = at; i < k - 1; i++) this.place[members[i]] = i;
    // Rows at … k − 1 are upper Hessenberg in the columns of the remaining members: rotate neighbours.
    for (let i = at; i < k - 1; i++) {
      const [upper, lower] = [rows[i], rows[i + 1]];
      const column = members[i];
      const h = Math.hypot(upper[column], lower[column]);
      const c = upper[column] / h;
      const s = lower[column] / h;
      for (let x = 0; x <= size; x++) {
        const a = upper[x];
        const b = lower[x];
        upper[x] = c * a + s * b;
        lower[x] = c * b - s * a;
      }
    }
    const dropped = rows.pop()!;
    this.absorb(dropped, -1);
    this.penalty -= this.penaltyOf(this.pivot[j]);
    // Rounding creeps in with every rotation.
    if (++this.changes % 500 === 0) this.rebuild();
  }

  /** Takes a row of W into the pivots, scores and fit, or out of them. */
  private absorb(row: Float64Array, sign: 1 | -1): void {
    const { size } = this;
    const r = row[size];
    for (let c = 0; c < size; c++) {
      this.pivot[c] -= sign * row[c] * row[c];
      this.score[c] -= sign * row[c] * r;
    }
    this.fit += sign * r * r;
  }

  rebuild(members: readonly number[] = [...this.members]): void {
    this.members.length = 0;
    this.rows.length = 0;
    this.inverse = undefined;
    this.place.fill(-1);
    this.pivot.set(this.diagonal);
    this.score.set(this.cross);
    this.fit = 0;
    this.penalty = 0;
    for (const j of members) this.add(j);
  }

  /** A⁻¹b, in the order of `members`: the posterior mean before shrinking by c. */
  private coefficients(): Float64Array {
    const k = this.members.length;
    const mean = this.position.subarray(0, k);
    for (let i = 0; i < k; i++) mean[i] = this.rows[i][this.size];
    solveTransposed(this.factor, mean);
    return mean;
  }

  private workedOut(): TrackedInverse {
    const { gram, size, members, rows } = this;
    const inverse = new TrackedInverse();
    members.forEach((j, k) => {
      inverse.border((i) => gram[j * size + members[i]], rows[k][j] ** 2);
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
    const mean = this.coefficients().slice();
    for (let i = 0; i < k; i++) mean[i] *= this.shrink;
    const covariance = new Float64Array(k * k);
    inverse(covariance, lowerFactor(this.factor), k);
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

/** row −= Σ other[j]·other over all rows, one after the other in every entry: four at a time spare the memory. */
function subtractRows(row: Float64Array, rows: readonly Float64Array[], j: number): void {
  const size = row.length;
  let r = 0;
  for (; r + 4 <= rows.length; r += 4) {
    const [a, b, c, d] = [rows[r], rows[r + 1], rows[r + 2], rows[r + 3]];
    const [u, v, w, x] = [a[j], b[j], c[j], d[j]];
    for (let i = 0; i < size; i++) row[i] = row[i] - u * a[i] - v * b[i] - w * c[i] - x * d[i];
  }
  for (; r < rows.length; r++) {
    const other = rows[r];
    const w = other[j];
    for (let i = 0; i < size; i++) row[i] -= w * other[i];
  }
}

export interface ModelPosterior {
  readonly members: readonly number[];
  readonly mean: Float64Array;
  /** Scale matrix of the t distribution, row-major; the covariance when the degrees of freedom are infinite. */
  readonly covariance: Float64Array;
  readonly freedom: number;
  /** σ² | S ~ inverse gamma(ν/2, residualSquares/2) when it is unknown. */
  readonly residualSquares: number;
}
