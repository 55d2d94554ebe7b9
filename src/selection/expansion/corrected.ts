/**
 * Corrects the posterior over models of a binomial or Poisson target. The quadratic expansion at one mode misjudges
 * models far from it by third-order terms. Some are therefore worked out at their own modes; what their members have to
 * do with the difference is learnt (member-offsets.ts) and holds for all models while they are weighed again. Then the
 * most probable ones are worked out, too, and what is left of the difference is made good model by model.
 */

import type { ModelWeights, WeightedModel } from "../posterior/model-weights.js";
import type { OwnLaw } from "./laplace.js";
import type { MemberOffsets } from "./member-offsets.js";
import { type OwnModels, workOutContrasts } from "./own-models.js";

/** The share of the posterior that suffices. */
const COVERED = 0.999;
/** A model with less than this share of it tells nothing of those that matter. */
const NEGLIGIBLE = 1e-3;

export interface Corrected {
  readonly weights: ModelWeights;
  /** Of the models that were worked out, by their members. */
  readonly own: ReadonlyMap<string, OwnLaw>;
}

/** `weigh` gives every model that holds candidate j exp(offsets[j]) times the weight that the expansion gives it. */
export async function corrected(
  hasty: ModelWeights,
  models: OwnModels,
  weigh: (offsets: Float64Array) => Promise<ModelWeights>,
): Promise<Corrected> {
  await workOutContrasts(models, hasty);
  const used = models.offsets();
  const weights = await weigh(used.offsets);
  for (const { members } of weights.models) {
    if (models.isEnough(members.length) || areEnough(weights, models, used)) break;
    await models.workOut(members);
  }
  const own = new Map([...models.known].map(([key, { law }]) => [key, law]));
  const counted = models.failed > 0 ? { ...weights, failedModes: models.failed } : weights;
  return { weights: models.known.size < 2 ? counted : reweighted(counted, models, used), own };
}

/** What remains to be corrected of a model that was weighed with `used`. */
const remainder = ({ constant, offsets }: MemberOffsets, members: readonly number[], correction: number) =>
  members.reduce((rest, j) => rest - offsets[j], correction - constant);

/**
 * Whether the models that were worked out carry nearly everything, even if all others were undervalued as much as the
 * one that was undervalued most.
 */
function areEnough(weights: ModelWeights, { known }: OwnModels, used: MemberOffsets): boolean {
  const worked = weights.models.flatMap(({ members, probability }) => {
    const model = known.get(members.join());
    return model ? [{ probability, rest: remainder(used, members, model.correction) }] : [];
  });
  if (worked.length < Math.min(2, weights.models.length)) return false;
  const weight = worked.map(({ probability, rest }) => probability * Math.exp(rest));
  const carried = weight.reduce((sum, w) => sum + w, 0);
  const most = worked.reduce(
    (a, { rest }, m) => (weight[m] > NEGLIGIBLE * carried ? Math.max(a, rest) : a),
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

function reweighted(weights: ModelWeights, models: OwnModels, used: MemberOffsets): ModelWeights {
  const now = models.offsets();
  const raw = weights.models.map(({ members, probability }) => {
    const model = models.known.get(members.join());
    const predicted = members.reduce((sum, j) => sum + now.offsets[j], now.constant);
    return {
      members,
      before: probability,
      rest: remainder(used, members, model?.correction ?? predicted),
      error: model?.error,
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
  const forced = models.problem.space.always.length;
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
    approximationError: (unknown / listed) * now.error,
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
