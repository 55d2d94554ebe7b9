/**
 * Corrects the posterior over models of a binomial or Poisson target. The quadratic expansion at one mode misjudges
 * models far from it by third-order terms. Some are therefore worked out at their own modes; what their members have to
 * do with the difference is learnt (member-offsets.ts) and holds for all models while they are weighed again. Then the
 * most probable ones are worked out, too, and what is left of the difference is made good model by model.
 */

import { leaning } from "../../diagnostics/leaning.js";
import { keysOf, MOST_UNCERTAIN, type ModelWeights, thinnedModels } from "../posterior/model-weights.js";
import type { OwnLaw, Quadratic } from "./laplace.js";
import { countsOf, type MemberOffsets, memberOffsets, remainder, typicalWeight } from "./member-offsets.js";
import type { OwnModels } from "./own-models.js";

/** The share of the posterior that suffices. */
const COVERED = 0.999;

export interface Corrected {
  readonly weights: ModelWeights;
  /** Of the models that were worked out, by their members. */
  readonly own: ReadonlyMap<string, OwnLaw>;
}

/** How models were weighed. */
export interface HowWeighed {
  readonly models: OwnModels;
  readonly expansion: Quadratic;
  /** The offsets with which all models were weighed on that expansion. */
  readonly used: MemberOffsets;
  /** Candidates that are in every model. */
  readonly forced: number;
}

/** So many models are worked out before it is asked again which ones matter. */
const AT_ONCE = 8;

export async function corrected(weights: ModelWeights, weighing: HowWeighed): Promise<Corrected> {
  const { models, expansion } = weighing;
  const learnt = models.known.size;
  for (let known = -1; known < models.known.size; ) {
    known = models.known.size;
    const now = judged(weights, weighing);
    const unknown = now.filter(({ error }) => error === undefined);
    if (known > learnt && areEnough(now, unknown, mispredicted(weights, weighing, learnt))) break;
    const { about } = leaningOf(weights, weighing, learnt);
    const fresh = about > LEANS ? FRESH_LEANING : FRESH;
    if (known >= learnt + fresh && areTooMany(now, unknown)) break;
    const next = unknown.map(({ members, weight }) => ({ members, probability: weight }));
    const some = thinnedModels(next, AT_ONCE).map(({ members }) => members);
    await models.workOut(some, expansion);
  }
  const own = new Map([...models.known].map(([key, { law }]) => [key, law]));
  const counted = models.failed > 0 ? { ...weights, failedModes: models.failed } : weights;
  if (models.known.size < 2) return { weights: counted, own };
  return { weights: reweighted(counted, weighing, learnt), own };
}

/** Where no number of models that could be worked out carries a share, so many tell how well they are predicted. */
const FRESH = 8;
/** So many where they seem to be misjudged by their size, in the log odds of a variable: eight cannot tell that from chance. */
const LEANS = 0.05;
const FRESH_LEANING = 32;
const FEW = 200;
const SMALL_SHARE = 0.5;

function areTooMany(all: readonly Judged[], unknown: readonly Judged[]): boolean {
  const total = all.reduce((sum, { weight }) => sum + weight, 0);
  const most = unknown.map(({ weight }) => weight).sort((a, b) => b - a);
  return most.slice(0, FEW).reduce((sum, weight) => sum + weight, 0) < SMALL_SHARE * total;
}

interface Judged {
  readonly members: readonly number[];
  /** Its probability when models were weighed, and what it is worth by now. */
  readonly before: number;
  readonly weight: number;
  /** Standard error of its log weight; undefined where it was not worked out. */
  readonly error: number | undefined;
}

/** All listed models: as they are at their own modes, or as their members let expect. */
function judged(weights: ModelWeights, { models, expansion, used }: HowWeighed): Judged[] {
  const beside = models.beside(expansion);
  const now = memberOffsets(beside, expansion.lone, typicalWeight(weights, beside));
  const rest = new Map(beside.map((model) => [model.members.join(), remainder(used, model)]));
  const keys = keysOf(weights.models);
  const all = weights.models.map(({ members, probability }, m) => {
    const key = keys[m];
    const expected = members.reduce((sum, j) => sum + now.offsets[j], now.constant);
    const left = rest.get(key) ?? remainder(used, { members, correction: expected });
    return { members, before: probability, left, error: models.known.get(key)?.error };
  });
  const top = all.reduce((most, { left, before }) => Math.max(most, left + Math.log(before)), -Infinity);
  return all.map(({ left, ...model }) => ({ ...model, weight: model.before * Math.exp(left - top) }));
}

/** Whether the models that were worked out carry nearly everything, even if all others are undervalued. */
function areEnough(all: readonly Judged[], unknown: readonly Judged[], mispredictedBy: number): boolean {
  const total = all.reduce((sum, { weight }) => sum + weight, 0);
  const others = unknown.reduce((sum, { weight }) => sum + weight, 0);
  return others * Math.exp(2 * mispredictedBy) <= (1 - COVERED) * total;
}

interface Reweighed extends Judged {
  readonly probability: number;
}

/** The offsets were learnt from the first `learnt` of the models that are known by now. */
function reweighted(weights: ModelWeights, weighing: HowWeighed, learnt: number): ModelWeights {
  const all = judged(weights, weighing);
  const listed = all.reduce((sum, { before }) => sum + before, 0);
  const total = all.reduce((sum, { weight }) => sum + weight, 0);
  const changed = all.map((model): Reweighed => ({ ...model, probability: (listed * model.weight) / total }));
  const inclusion = weights.inclusion.slice();
  const size = weights.size.slice();
  const { forced } = weighing;
  for (const { members, before, probability } of changed) {
    for (const i of members) inclusion[i] += probability - before;
    size[members.length - forced] += probability - before;
  }
  const clamp = (p: number): number => Math.max(0, Math.min(1, p));
  const probable = inclusion.map(clamp);
  const mispredictedBy = mispredicted(weights, weighing, learnt);
  const unknown = changed.reduce((sum, m) => sum + (m.error === undefined ? m.probability : 0), 0);
  // By how many members models differ: what one of them has to do with the error of a model is the less, the more.
  const open = probable.reduce((sum, p) => sum + p * (1 - p), 0);
  const { surely } = leaningOf(weights, weighing, learnt);
  return {
    ...weights,
    models: changed
      .map(({ members, probability }) => ({ members, probability }))
      .sort((a, b) => b.probability - a.probability),
    inclusion: probable,
    inclusionError: errors(weights, changed, probable, {
      by: mispredictedBy,
      from: weighing.models.known.size,
    }),
    size: size.map(clamp),
    leaning: surely,
    approximationError: (unknown / listed) * Math.max(mispredictedBy / Math.sqrt(Math.max(1, open)), surely),
  };
}

/**
 * The errors of sampling models; of their integrals, or of what stands for those; where models were sampled, of weighing
 * again what was sampled with other weights; and of the offsets by which a share u of the posterior is weighed that was
 * not worked out. With ratios ρ, as many effective draws as sampling had, and offsets that were learnt from n models
 * (visited or not) and mispredict others by σ,
 *
 *     Var pip_j  +=  Σ_S p(S)²(γ_j − pip_j)²·error(S)²  +  Σ_S p(S)(ρ(S) − 1)²(γ_j − pip_j)² / draws
 *                    +  u²·σ²·pip_j(1 − pip_j) / n,
 *
 * the last since a_j has the variance σ²/(n·pip_j(1 − pip_j)) of a coefficient of regression.
 */
function errors(
  { exact, mixing, inclusionError }: ModelWeights,
  changed: readonly Reweighed[],
  inclusion: Float64Array,
  mispredicted: { readonly by: number; readonly from: number },
): Float64Array {
  const draws = exact ? Number.POSITIVE_INFINITY : (mixing?.ess ?? 1e4);
  /** Σ over all models, and over those that hold j, of the first two variances. */
  let everywhere = 0;
  const within = new Float64Array(inclusion.length);
  let unknown = 0;
  for (const { members, before, probability, error } of changed) {
    if (error === undefined) unknown += probability;
    const ratio = before > 0 ? probability / before - 1 : 0;
    const variance = (probability * (error ?? mispredicted.by)) ** 2 + (before * ratio * ratio) / draws;
    everywhere += variance;
    for (const j of members) within[j] += variance;
  }
  const offset = (unknown * mispredicted.by) ** 2 / Math.max(1, mispredicted.from);
  return inclusionError.map((error, j) => {
    const p = inclusion[j];
    const weighed = within[j] * (1 - p) ** 2 + (everywhere - within[j]) * p * p;
    return Math.min(MOST_UNCERTAIN, Math.sqrt(error * error + weighed + offset * p * (1 - p)));
  });
}

/** How the models lean that nothing was learnt from. */
function leaningOf(weights: ModelWeights, { models, expansion, used }: HowWeighed, learnt: number) {
  const fresh = models.beside(expansion).slice(learnt);
  const misjudged = fresh.map((model) => ({ members: model.members.length, left: remainder(used, model) }));
  return leaning(misjudged, weights.size, weights.inclusion);
}

/**
 * By how much the offsets mispredict models that they were not learnt from, in root mean square, those counting most
 * that are most probable; where there are none, by how much models differ at all.
 */
function mispredicted(
  weights: ModelWeights,
  { models: own, expansion, used }: HowWeighed,
  learnt: number,
): number {
  const models = own.beside(expansion);
  const fresh = models.slice(learnt);
  const shown = fresh.length > 0 ? fresh : models;
  const none = { ...used, offsets: used.offsets.map(() => 0) };
  const left = shown.map((model) => remainder(fresh.length > 0 ? used : none, model));
  const counts = countsOf(shown, typicalWeight(weights, models));
  const total = counts.reduce((sum, c) => sum + c, 0);
  return Math.sqrt(left.reduce((sum, r, m) => sum + counts[m] * r * r, 0) / total);
}
