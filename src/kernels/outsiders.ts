/**
 * How a model S judges columns that are not candidates, many at once: what S weighs with each of them, and what the models
 * S − i do for the members i that may leave, relative to S itself; and the law of its coefficient over all of these.
 *
 * With a = A⁻¹c, c the products of x_j with the members, taking member i out raises the pivot of j by a_i²·d_i and its
 * score by a_i·θ_i·d_i.
 */

import { quickStudentTCdf, studentTVariance } from "../math/distributions.js";
import { backSolve, forwardSolve } from "../math/linear.js";

/** A pivot below this share of its diagonal means: a combination of the members. */
const SINGULAR = 1e-9;
/** A ridge above this share of the diagonal survives rounding; then no pivot lies below half of it. */
const ROUNDING = 1e-12;
/** Of what a model leaves unexplained, that no column explains more of. */
const MOST_EXPLAINED = 1 - 1e-12;
/** Weights are at most e to this. */
const LARGEST_LOG = 600;

/** A model at one scale of the slab. */
export interface JudgingTerms {
  /** Places among the columns with which products are given. */
  readonly members: readonly number[];
  /** L, row-major, L⁻¹b, A⁻¹b and 1/diag A⁻¹, in the order of the members. */
  readonly lower: Float64Array;
  readonly target: Float64Array;
  readonly mean: Float64Array;
  readonly pivots: Float64Array;
  /** Added to the diagonal of every column. */
  readonly ridge: number;
  /** What coefficients are multiplied with. */
  readonly shrink: number;
  /**
   * A column with pivot d and score u, and b = shrink·u²/d, adds to the log evidence of a model that leaves `residual`:
   * base − half·log d − power·log(1 − b/residual) + worth·b.
   */
  readonly base: number;
  readonly half: number;
  readonly power: number;
  readonly worth: number;
  readonly residual: number;
  /** The noise variance where it is known, else undefined: then it is max(residual − b, floor)/freedom. */
  readonly noise: number | undefined;
  readonly floor: number;
  /** Of the t distributions of coefficients; infinite where they are normal. */
  readonly freedom: number;
  /** log π(S + j)/π(S). */
  readonly logPriorOfAdding: number;
  readonly leaving: readonly LeavingMember[];
  /** (p(S) + Σ_i p(S − i)) / p(S): what the models that judge weigh beside S alone. */
  readonly weight: number;
}

export interface LeavingMember {
  /** Among the members. */
  readonly place: number;
  /** The u²/d up to which a column is worth nothing in its place. */
  readonly slight: number;
  /** log p(y | S) − log p(y | S − i). */
  readonly gain: number;
  /** Of the model without it. */
  readonly residual: number;
}

/** Columns to be judged: their products with others, one array each, with themselves and with the target. */
export interface JudgedColumns {
  readonly count: number;
  readonly cross: readonly Float64Array[];
  readonly own: Float64Array;
  readonly target: Float64Array;
}

/** For every column sums over the models above the line; by their weights, of the coefficient in each. */
export interface Mixtures {
  readonly weight: Float64Array;
  readonly mean: Float64Array;
  readonly square: Float64Array;
  readonly positive: Float64Array;
  /** What the weight owes to standing in for members, beyond what joining the model as it is would make of it. */
  readonly exchange: Float64Array;
  /** The score u/√d beside S; 0 where the column is a combination of the members. */
  readonly score: Float64Array;
}

/** One of the scales at which a model judges, with its share of the model. */
export interface JudgingPart {
  readonly terms: JudgingTerms;
  readonly share: number;
}

/** Asks all judges about some columns; what each says holds until the next one speaks. */
export type Judging = (columns: JudgedColumns, hear: (judge: number, said: Mixtures) => void) => void;

/** The part whose score is told. */
export function largestPart(parts: readonly JudgingPart[]): number {
  return parts.reduce((best, { share }, p) => (share > parts[best].share ? p : best), 0);
}

/** The readable form. */
export function referenceJudging(judges: readonly (readonly JudgingPart[])[]): Judging {
  return (columns, hear) =>
    judges.forEach((parts, m) => {
      const zeros = (): Float64Array => new Float64Array(columns.count);
      const said: Mixtures = {
        weight: zeros(),
        mean: zeros(),
        square: zeros(),
        positive: zeros(),
        exchange: zeros(),
        score: zeros(),
      };
      const top = largestPart(parts);
      for (let i = 0; i < columns.count; i++) {
        parts.forEach(({ terms, share }, p) => {
          const of = judgeOne(terms, columns, i);
          said.weight[i] += share * of.weight;
          said.mean[i] += share * of.mean;
          said.square[i] += share * of.square;
          said.positive[i] += share * of.positive;
          said.exchange[i] += share * Math.max(0, of.weight - terms.weight * of.joined);
          if (p === top) said.score[i] = of.score;
        });
      }
      hear(m, said);
    });
}

function judgeOne(terms: JudgingTerms, { cross, own, target }: JudgedColumns, i: number) {
  const { members, lower, mean, pivots, shrink, noise, freedom } = terms;
  const k = members.length;
  const diagonal = own[i] + terms.ridge;
  const least = terms.ridge > ROUNDING * diagonal ? 0.5 * terms.ridge : SINGULAR * diagonal;
  const x = Float64Array.from(members, (c) => cross[c][i]);
  let pivot = diagonal;
  let score = target[i];
  forwardSolve(lower, k, x);
  for (let r = 0; r < k; r++) {
    pivot -= x[r] * x[r];
    score -= x[r] * terms.target[r];
  }
  backSolve(lower, k, x);
  const sums = { weight: 0, mean: 0, square: 0, positive: 0 };
  const note = (d: number, u: number, residual: number, log: number): number => {
    if (!(d > least)) return 0;
    const slope = (shrink * u) / d;
    const better = slope * u;
    const share = terms.power === 0 ? 0 : Math.min(better / residual, MOST_EXPLAINED);
    const gain =
      terms.base - terms.half * Math.log(d) - terms.power * Math.log1p(-share) + terms.worth * better;
    const weight = Math.exp(Math.min(LARGEST_LOG, gain + log));
    const variance = (shrink * (noise ?? Math.max(residual - better, terms.floor) / freedom)) / d;
    sums.weight += weight;
    sums.mean += weight * slope;
    sums.square += weight * (slope * slope + variance * studentTVariance(freedom));
    sums.positive += weight * quickStudentTCdf(slope / Math.sqrt(variance), freedom);
    return weight;
  };
  const joined = note(pivot, score, terms.residual, terms.logPriorOfAdding);
  for (const { place, slight, gain, residual } of terms.leaving) {
    const d = pivot + x[place] * x[place] * pivots[place];
    const u = score + x[place] * mean[place] * pivots[place];
    if (u * u > slight * d) note(d, u, residual, -gain);
  }
  return { ...sums, joined, score: pivot > SINGULAR * diagonal ? score / Math.sqrt(pivot) : 0 };
}
