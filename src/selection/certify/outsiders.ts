/**
 * How a model S judges columns that are not candidates: the odds of j among S and the models that lack one of the
 * members that may leave,
 *
 *     (p(S + j) + Σ_i p(S − i + j)) / (p(S) + Σ_i p(S − i)),
 *
 * and the law of its coefficient over the models above the line.
 *
 * With a = A⁻¹c, c the products of x_j with the members, taking member i out raises the pivot of j by a_i²·d_i and its
 * score by a_i·θ_i·d_i.
 */

import { backSolve, forwardSolve } from "../../math/linear.js";
import { inverseDiagonal } from "../posterior/factor-rows.js";
import { CoefficientMixture } from "./coefficient-mixture.js";

/** A pivot below this share of its diagonal means: a combination of the members. */
const SINGULAR = 1e-9;

/** What is worth less than this, as a logarithm, is not added to a sum whose error is larger: e⁻⁶⁰ is 10⁻²⁶. */
const NOTHING = 60;

export interface OutsiderJudge {
  /** (p(S) + Σ_i p(S − i)) / p(S): what the models that judge weigh beside S alone. */
  readonly weight: number;
  /** `cross` holds the products of a column with the candidates, `diagonal` with itself and `score` with the target. */
  judge(cross: ArrayLike<number>, diagonal: number, score: number): OutsiderVerdict;
}

export interface OutsiderVerdict {
  readonly odds: number;
  /** What the odds owe to standing in for a member, beyond what joining the model as it is would make of them. */
  readonly exchange: number;
  /** Its score u/√d beside S; 0 where it is a combination of the members. */
  readonly score: number;
  /** Of the coefficient given that it is in; overwritten by the next verdict. */
  readonly coefficient: CoefficientMixture;
}

/** A variable before it joins a model: its pivot and score there, its diagonal, and the fit of the model. */
export interface Joining {
  readonly pivot: number;
  readonly score: number;
  readonly diagonal: number;
  readonly fit: number;
}

export interface JudgingModel {
  readonly members: readonly number[];
  /** L and L⁻¹b, in the order of the members. */
  readonly lower: Float64Array;
  readonly target: Float64Array;
  readonly fit: number;
  /** Added to the diagonal of every column. */
  readonly ridge: number;
  /** A⁻¹b, and log p(y | S) − log p(y | S − i), in the order of the members. */
  readonly mean: Float64Array;
  readonly gains: Float64Array;
  /** Members that may leave, by their place among the members. */
  readonly leaving: readonly number[];
  /** log π(S + j)/π(S) and log π(S − i)/π(S). */
  readonly logPriorOfAdding: number;
  readonly logPriorOfLeaving: number;
  /** log p(y | S + j) − log p(y | S), and the t distribution of the coefficient then. */
  gain(joining: Joining): number;
  /** The score²/pivot up to which a column cannot gain so much where a model has this fit. */
  slightScore(gain: number, fit: number): number;
  coefficient(joining: Joining): { readonly mean: number; readonly squaredScale: number };
  readonly freedom: number;
}

export function outsiderJudge(model: JudgingModel): OutsiderJudge {
  const { members, lower, fit, ridge, mean, gains, leaving, logPriorOfAdding, logPriorOfLeaving } = model;
  const k = members.length;
  const pivots = inverseDiagonal(lower, k).map((value) => 1 / value);
  /** Of the models without one member. */
  const fits = mean.map((value, i) => fit - value * value * pivots[i]);
  const slight = gains.map((gain, i) => model.slightScore(gain - NOTHING, fits[i]));
  const without = leaving.reduce((sum, i) => sum + Math.exp(Math.min(700, logPriorOfLeaving - gains[i])), 1);
  const x = new Float64Array(k);
  const coefficient = new CoefficientMixture(model.freedom);
  /** Notes a model that the column has joined, with its weight beside S, which is returned. */
  const note = (joining: Joining, logRatio: number): number => {
    const weight = Math.exp(Math.min(700, model.gain(joining) + logRatio));
    if (weight > 0) {
      const law = model.coefficient(joining);
      coefficient.add(weight, law.mean, law.squaredScale);
    }
    return weight;
  };
  const judge = (cross: ArrayLike<number>, own: number, target: number): OutsiderVerdict => {
    const diagonal = own + ridge;
    let pivot = diagonal;
    let score = target;
    for (let r = 0; r < k; r++) x[r] = cross[members[r]];
    forwardSolve(lower, k, x);
    for (let r = 0; r < k; r++) {
      pivot -= x[r] * x[r];
      score -= x[r] * model.target[r];
    }
    coefficient.clear();
    const joined = note({ pivot, score, diagonal, fit }, logPriorOfAdding);
    backSolve(lower, k, x);
    for (const i of leaving) {
      const own = x[i];
      const [d, u] = [pivot + own * own * pivots[i], score + own * mean[i] * pivots[i]];
      // Most columns have nothing of most members, and need no logarithm to say so.
      if (u * u > slight[i] * d) note({ pivot: d, score: u, diagonal, fit: fits[i] }, -gains[i]);
    }
    const odds = coefficient.weight / without;
    const alone = pivot > SINGULAR * diagonal ? score / Math.sqrt(pivot) : 0;
    return { odds, exchange: Math.max(0, odds - joined), score: alone, coefficient };
  };
  return { weight: without, judge };
}

/** One judge at several scales of the slab, with their shares of S: sums above the line and below it. */
export function overScales(
  parts: readonly { readonly share: number; readonly at: OutsiderJudge }[],
): OutsiderJudge {
  if (parts.length === 1) return parts[0].at;
  const weight = parts.reduce((sum, { share, at }) => sum + share * at.weight, 0);
  // Nothing is added to it but other mixtures.
  const coefficient = new CoefficientMixture(Number.POSITIVE_INFINITY);
  return {
    weight,
    judge(cross, diagonal, target) {
      coefficient.clear();
      let [exchange, score, most] = [0, 0, 0];
      for (const { share, at } of parts) {
        const verdict = at.judge(cross, diagonal, target);
        coefficient.include(verdict.coefficient, share);
        exchange += share * at.weight * verdict.exchange;
        if (share > most) [most, score] = [share, verdict.score];
      }
      return { odds: coefficient.weight / weight, exchange: exchange / weight, score, coefficient };
    },
  };
}
