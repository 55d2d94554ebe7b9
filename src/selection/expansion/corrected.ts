/**
 * Corrects the posterior over models of a binomial or Poisson target. The quadratic expansion at one mode misjudges
 * models far from it by third-order terms. Some are therefore worked out at their own modes; what their members have to
 * do with the difference is learnt (member-offsets.ts) and holds for all models while they are weighed again. Then the
 * most probable ones are worked out, too, and what is left of the difference is made good model by model.
 */

import type { ModelWeights, WeightedModel } from "../posterior/model-weights.js";
import type { OwnLaw, Quadratic } from "./laplace.js";
import { type KnownModel, type MemberOffsets, memberOffsets, remainder } from "./member-offsets.js";
import type { OwnModels } from "./own-models.js";

/** The share of the posterior that suffices. */
const COVERED = 0.999;
/** A model with less than this share of it tells nothing of those that matter. */
const NEGLIGIBLE = 1e-3;

export interface Corrected {
  readonly weights: ModelWeights;
  /** Of the models that were worked out, by their members. */
  readonly own: ReadonlyMap<string, OwnLaw>;
}

/** How models were weighed. */
export interface Weighing {
  readonly models: OwnModels;
  readonly expansion: Quadratic;
  /** The offsets with which all models were weighed on that expansion. */
  readonly used: MemberOffsets;
  /** Candidates that are in every model. */
  readonly forced: number;
}

export async function corrected(weights: ModelWeights, weighing: Weighing): Promise<Corrected> {
  const { models, expansion } = weighing;
  const learnt = models.known.size;
  for (const { members } of weights.models) {
    if (models.isEnough(members.length) || areEnough(weights, restOf(weighing))) break;
    await models.workOut(members, expansion);
  }
  const own = new Map([...models.known].map(([key, { law }]) => [key, law]));
  const counted = models.failed > 0 ? { ...weights, failedModes: models.failed } : weights;
  if (models.known.size < 2) return { weights: counted, own };
  return { weights: reweighted(counted, weighing, learnt), own };
}

/** What remains to be corrected of the models that were worked out, by their members. */
function restOf({ models, expansion, used }: Weighing): Map<string, number> {
  return new Map(models.beside(expansion).map((model) => [model.members.join(), remainder(used, model)]));
}

/**
 * Whether the models that were worked out carry nearly everything, even if all others were undervalued as much as the
 * one that was undervalued most.
 */
function areEnough(weights: ModelWeights, rest: ReadonlyMap<string, number>): boolean {
  const worked = weights.models.flatMap(({ members, probability }) => {
    const left = rest.get(members.join());
    return left === undefined ? [] : [{ probability, left }];
  });
  if (worked.length < Math.min(2, weights.models.length)) return false;
  const weight = worked.map(({ probability, left }) => probability * Math.exp(left));
  const carried = weight.reduce((sum, w) => sum + w, 0);
  const most = worked.reduce(
    (a, { left }, m) => (weight[m] > NEGLIGIBLE * carried ? Math.max(a, left) : a),
    0,
  );
  const others = worked.reduce((sum, { probability }) => sum - probability, 1);
  return others * Math.exp(most) <= (1 - COVERED) * carried;
}

interface Reweighed extends WeightedModel {
  readonly before: number;
  /** Standard error of its log weight; undefined where it was not worked out. */
  readonly error: number | undefined;
}

/** The offsets were learnt from the first `learnt` of the models that are known by now. */
function reweighted(weights: ModelWeights, weighing: Weighing, learnt: number): ModelWeights {
  const { models, expansion, used, forced } = weighing;
  const beside = models.beside(expansion);
  const now = memberOffsets(beside, weights.inclusion.length);
  const rest = restOf(weighing);
  const raw = weights.models.map(({ members, probability }) => {
    const key = members.join();
    const predicted = members.reduce((sum, j) => sum + now.offsets[j], now.constant);
    return {
      members,
      before: probability,
      rest: rest.get(key) ?? remainder(used, { members, correction: predicted }),
      error: models.known.get(key)?.error,
    };
  });
  const top = raw.reduce((most, { rest }) => Math.max(most, rest), Number.NEGATIVE_INFINITY);
  const listed = raw.reduce((sum, { before }) => sum + before, 0);
  const total = raw.reduce((sum, { before, rest }) => sum + before * Math.exp(rest - top), 0);
  const changed = raw.map(
    ({ members, before, rest, error }): Reweighed => ({
      members,
      before,
      probability: (listed * before * Math.exp(rest - top)) / total,
      error,
    }),
  );
  const inclusion = weights.inclusion.slice();
  const size = weights.size.slice();
  for (const { members, before, probability } of changed) {
    for (const i of members) inclusion[i] += probability - before;
    size[members.length - forced] += probability - before;
  }
  const clamp = (p: number): number => Math.max(0, Math.min(1, p));
  const probable = inclusion.map(clamp);
  const unknown = changed.reduce((sum, m) => sum + (m.error === undefined ? m.probability : 0), 0);
  return {
    ...weights,
    models: changed
      .map(({ members, probability }) => ({ members, probability }))
      .sort((a, b) => b.probability - a.probability),
    inclusion: probable,
    inclusionError: errors(weights, changed, probable),
    size: size.map(clamp),
    approximationError: (unknown / listed) * mispredicted(beside, learnt, used),
  };
}

/**
 * The errors of sampling models; of their integrals; and, where models were sampled, of weighing again what was sampled
 * with other weights: with ratios ρ and as many effective draws as sampling had,
 *
 *     Var pip_j  +=  Σ_S p(S)²(γ_j − pip_j)²·error(S)²  +  Σ_S p(S)(ρ(S) − 1)²(γ_j − pip_j)² / draws
 */
function errors(weights: ModelWeights, changed: readonly Reweighed[], inclusion: Float64Array): Float64Array {
  const { exact, mixing, inclusionError } = weights;
  const draws = exact ? Number.POSITIVE_INFINITY : (mixing?.ess ?? 1e4);
  /** Σ over all models, and over those that hold j, of the two variances. */
  let everywhere = 0;
  const within = new Float64Array(inclusion.length);
  for (const { members, before, probability, error = 0 } of changed) {
    const ratio = before > 0 ? probability / before - 1 : 0;
    const variance = (probability * error) ** 2 + (before * ratio * ratio) / draws;
    everywhere += variance;
    for (const j of members) within[j] += variance;
  }
  return inclusionError.map((error, j) => {
    const p = inclusion[j];
    return Math.sqrt(error * error + within[j] * (1 - p) ** 2 + (everywhere - within[j]) * p * p);
  });
}

/**
 * By how much the offsets mispredict models that they were not learnt from, in root mean square, those counting most
 * that are most probable; where there are none, by how much models differ at all.
 */
function mispredicted(models: readonly KnownModel[], learnt: number, used: MemberOffsets): number {
  const fresh = models.slice(learnt);
  const shown = fresh.length > 0 ? fresh : models;
  const none = { ...used, offsets: used.offsets.map(() => 0) };
  const left = shown.map((model) => remainder(fresh.length > 0 ? used : none, model));
  const top = shown.reduce((most, { logWeight }) => Math.max(most, logWeight), Number.NEGATIVE_INFINITY);
  const counts = shown.map(({ logWeight }) => Math.exp(0.5 * (logWeight - top)));
  const total = counts.reduce((sum, c) => sum + c, 0);
  return Math.sqrt(left.reduce((sum, r, m) => sum + counts[m] * r * r, 0) / total);
}
