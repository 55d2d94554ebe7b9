/**
 * Reversible-jump Metropolis–Hastings on the full data (Green 1995), as the supplement of Song et al. (2020) runs it
 * beside Algorithm 1: the state is a model S with its coefficients β_S, and an iteration is one move followed by an
 * update of the coefficients.
 *
 * Birth draws j ∉ S ∝ w_j, death i ∈ S ∝ 1 − w_i, exchange does both; 1/3 each, but the empty model only grows and the
 * largest allowed one shrinks or exchanges, ½ each. (Were it only to shrink, as inside Algorithm 1, a chain that
 * fills up with substitutes of the true variables could never swap one for the other.) A coefficient enters with a draw
 * from its conditional distribution given the others,
 *
 *     β_j ~ N(q/d, σ²/d),   q = x_j'(y − X_Sβ_S),   d = x_j'x_j + ρ
 *
 * so what the data say about a birth is the ratio √(ρ/d)·exp(q²/2dσ²). Then β_S ~ N(A⁻¹b, σ²A⁻¹), A = X_S'X_S + ρI,
 * and, when it is unknown, σ². The paper does not say how its coefficients were proposed; these proposals need no
 * tuning and only few inner products of columns, which is why 5000 iterations take seconds and not hours.
 */

import { backSolve, cholesky, forwardSolve } from "../math/linear.js";
import { normal } from "../math/normal.js";
import { Rng } from "../math/rng.js";
import { inverseGamma } from "../math/variates.js";
import type { Work } from "../workers/job.js";
import type { InnerProducts } from "./inner-products.js";
import { type RjmhModel, rjmhModel } from "./rjmh-model.js";

/** Everything that determines a chain, apart from the data. Plain data: it crosses threads. */
export interface RjmhPlan {
  readonly seed: number;
  /** The stream of the seed that is this chain's own. */
  readonly stream: number;
  readonly iterations: number;
  readonly burnIn: number;
  readonly thin: number;
  /** The variables that may enter; number `columns` of the store is the intercept. */
  readonly variables: readonly number[];
  /** Proposal weights in (0, 1), one for each of `variables`. */
  readonly weights: Float64Array;
  /** Prior probability that a variable is in, and the largest model. */
  readonly inclusion: number;
  readonly maxSize: number;
  /** v: coefficients are N(0, v), or N(0, vσ²) when σ² is unknown. */
  readonly slabVariance: number;
  readonly noiseVariance: number | undefined;
  /** Rows less what the data were centred by: the degrees of freedom of σ². */
  readonly freedom: number;
}

export interface RjmhOutput {
  readonly iterations: number;
  /** Of the plan's variables: share of the iterations after burn-in, and mean of the thinned draws, zeros included. */
  readonly inclusion: Float64Array;
  readonly mean: Float64Array;
  readonly noiseVariance: number;
  readonly acceptance: number;
  readonly meanSize: number;
}

export interface RjmhChain extends Work<RjmhOutput> {
  /** Positions in the plan's variables of those in the model, in no order. */
  readonly members: readonly number[];
}

export function rjmhChain(products: InnerProducts, plan: RjmhPlan): RjmhChain {
  const rng = Rng.seeded(plan.seed).split(plan.stream);
  const model = rjmhModel(plan.weights, plan.noiseVariance ?? products.targetSquares / plan.freedom);
  const { members, beta } = model;
  const move = moves(rng, model, products, plan);
  const update = conditionals(rng, model, products, plan);
  const counts = new Float64Array(plan.variables.length);
  const sums = new Float64Array(plan.variables.length);
  let [t, counted, drawn, accepted, sizes, noise] = [0, 0, 0, 0, 0, 0];
  return {
    next() {
      if (t >= plan.iterations) return false;
      t += 1;
      if (move()) accepted += 1;
      update();
      if (t <= plan.burnIn) return true;
      counted += 1;
      sizes += members.length;
      noise += model.noiseVariance;
      for (const i of members) counts[i] += 1;
      if (t % plan.thin !== 0) return true;
      drawn += 1;
      for (const i of members) sums[i] += beta[i];
      return true;
    },
    get done() {
      return t;
    },
    members,
    result: () => ({
      iterations: t,
      inclusion: counts.map((count) => count / Math.max(1, counted)),
      mean: sums.map((sum) => sum / Math.max(1, drawn)),
      noiseVariance: noise / Math.max(1, counted),
      acceptance: accepted / Math.max(1, t),
      meanSize: sizes / Math.max(1, counted),
    }),
  };
}

/** ρ */
const ridgeOf = ({ noiseVariance, slabVariance }: RjmhPlan): number => (noiseVariance ?? 1) / slabVariance;

/** A move of any kind; true where it was accepted. */
function moves(rng: Rng, model: RjmhModel, products: InnerProducts, plan: RjmhPlan): () => boolean {
  const { variables, weights, inclusion } = plan;
  const { members, beta } = model;
  const size = variables.length;
  const maxSize = Math.min(plan.maxSize, size);
  const ridge = ridgeOf(plan);
  const logOdds = Math.log(inclusion) - Math.log1p(-inclusion);

  /** x_j'(y − Σ x_i β_i) over the members but one. */
  function score(j: number, without: number): number {
    let q = products.target(variables[j]);
    for (const i of members) {
      if (i !== without && i !== j) q -= beta[i] * products.pair(variables[i], variables[j]);
    }
    return q;
  }

  const diagonal = (j: number): number => products.pair(variables[j], variables[j]) + ridge;

  /** log of the marginal likelihood with j over that without it, the other coefficients given. */
  const gain = (q: number, d: number): number =>
    (q * q) / (2 * d * model.noiseVariance) - 0.5 * Math.log(d / ridge);

  const enters = (j: number, q: number, d: number): void =>
    model.join(j, q / d + Math.sqrt(model.noiseVariance / d) * normal(rng));

  const accepts = (logRatio: number): boolean => logRatio >= 0 || Math.log(rng.uniformOpen()) < logRatio;
  const atTop = maxSize < size ? 1 / 2 : 1;
  const birthProbability = (k: number): number => (k === 0 ? 1 : k === maxSize ? 0 : 1 / 3);
  const deathProbability = (k: number): number => (k === 0 ? 0 : k === maxSize ? atTop : 1 / 3);

  function birth(): boolean {
    const k = members.length;
    const { outside, inside } = model;
    const j = model.drawOutside(rng);
    const [q, d, w] = [score(j, -1), diagonal(j), weights[j]];
    const there = (birthProbability(k) * w) / outside;
    const back = (deathProbability(k + 1) * (1 - w)) / (inside + 1 - w);
    if (!accepts(gain(q, d) + logOdds + Math.log(back / there))) return false;
    enters(j, q, d);
    return true;
  }

  function death(): boolean {
    const k = members.length;
    const { outside, inside } = model;
    const i = model.drawInside(rng);
    const [q, d, w] = [score(i, i), diagonal(i), weights[i]];
    const there = (deathProbability(k) * (1 - w)) / inside;
    const back = (birthProbability(k - 1) * w) / (outside + w);
    if (!accepts(-gain(q, d) - logOdds + Math.log(back / there))) return false;
    model.leave(i);
    return true;
  }

  function exchange(): boolean {
    const { outside, inside } = model;
    const i = model.drawInside(rng);
    const j = model.drawOutside(rng);
    const [qi, di, wi] = [score(i, i), diagonal(i), weights[i]];
    const [qj, dj, wj] = [score(j, i), diagonal(j), weights[j]];
    const there = ((1 - wi) / inside) * (wj / outside);
    const back = ((1 - wj) / (inside + wi - wj)) * (wi / (outside + wi - wj));
    if (!accepts(gain(qj, dj) - gain(qi, di) + Math.log(back / there))) return false;
    model.leave(i);
    enters(j, qj, dj);
    return true;
  }

  return () => {
    if (maxSize === 0) return false;
    const k = members.length;
    if (k === 0) return birth();
    if (k === maxSize) return rng.uniform() < atTop ? death() : exchange();
    const kind = rng.below(3);
    return kind === 0 ? birth() : kind === 1 ? death() : exchange();
  };
}

/** β_S and σ², each from its full conditional distribution. */
function conditionals(rng: Rng, model: RjmhModel, products: InnerProducts, plan: RjmhPlan): () => void {
  const { variables, noiseVariance, freedom } = plan;
  const { members, beta } = model;
  const ridge = ridgeOf(plan);
  return () => {
    const k = members.length;
    const factor = new Float64Array(k * k);
    const target = Float64Array.from(members, (i) => products.target(variables[i]));
    for (let a = 0; a < k; a++) {
      for (let c = 0; c <= a; c++)
        factor[a * k + c] = products.pair(variables[members[a]], variables[members[c]]);
      factor[a * k + a] += ridge;
    }
    const gram = factor.slice();
    // A model with a copy of a member has no factor; its coefficients stay as they are.
    if (k > 0 && cholesky(factor, k)) {
      const draw = target.slice();
      forwardSolve(factor, k, draw);
      for (let a = 0; a < k; a++) draw[a] += Math.sqrt(model.noiseVariance) * normal(rng);
      backSolve(factor, k, draw);
      members.forEach((i, a) => {
        beta[i] = draw[a];
      });
    }
    if (noiseVariance !== undefined) return;
    // (y − Xβ)'(y − Xβ) + ρβ'β = y'y − 2β'b + β'Aβ
    let squares = products.targetSquares;
    members.forEach((i, a) => {
      let row = 0.5 * gram[a * k + a] * beta[i] - target[a];
      for (let c = 0; c < a; c++) row += gram[a * k + c] * beta[members[c]];
      squares += 2 * beta[i] * row;
    });
    const rest = Math.max(squares, 1e-12 * products.targetSquares) / 2;
    model.noiseVariance = inverseGamma(rng, (freedom + k) / 2, rest);
  };
}
