/**
 * Corrects the posterior over models of a binomial or Poisson target. The quadratic expansion at one mode misjudges
 * models far from it by third-order terms. The most probable models are therefore worked out at their own modes,
 *
 *     log p(y | S) ≈ ℓ(θ̂) − θ̂'θ̂/(2v) − (k/2) log v − ½ log |H + Λ|
 *
 * (Tierney and Kadane 1986) at the most probable scale v of the slab and, for its other scales, from the expansion
 * there. Their weights are multiplied by the ratio of this to what the expansion says; the
 * others keep the average ratio, and so do those whose mode could not be found, which are counted. Coefficients are
 * those of the own mode, too. As many models as a bounded amount of work allows: where there are so many rows that
 * few can be afforded, the expansion is accurate.
 */

import { cholesky, logDeterminant } from "../../math/linear.js";
import { Evidence, type SufficientStatistics } from "../posterior/evidence.js";
import { type LawPart, modelLaw } from "../posterior/mixture.js";
import type { ModelWeights } from "../posterior/model-weights.js";
import { likeliest, scaleLaw } from "../posterior/scale-law.js";
import type { FixedSlab, Slab } from "../posterior/slab.js";
import { quadraticStatistics, type WeightedCentre } from "./expansion.js";
import { type ModeSettings, modeOf } from "./mode.js";

/** Multiplications that the correction may take, the most models, and the share of the posterior that suffices. */
const WORK = 4e9;
const MAX_MODELS = 100;
const COVERED = 0.999;
/** Where the corrected models carry less than this, the others' errors show in what is reported. */
const SUFFICIENT = 0.9;
/** Passes that a mode takes from its one-step estimate. */
const PASSES = 3;

export interface LaplaceProblem {
  readonly settings: ModeSettings;
  readonly candidates: readonly number[];
  readonly statistics: SufficientStatistics;
  readonly slab: Slab;
  readonly intercept: { readonly at: number; readonly means: Float64Array };
  /** Candidates that are in every model. */
  readonly forced: number;
}

/** The law of a model's coefficients at its own mode, and where its regression passes through. */
export interface OwnLaw {
  readonly parts: readonly Omit<LawPart, "centre">[];
  /** Its means are those of the members, in their order. */
  readonly centre: WeightedCentre;
}

export interface Corrected {
  readonly weights: ModelWeights;
  /** Of the models that were worked out, by their members. */
  readonly own: ReadonlyMap<string, OwnLaw>;
}

export async function laplaceCorrected(
  weights: ModelWeights,
  problem: LaplaceProblem,
  signal: AbortSignal | undefined,
): Promise<Corrected> {
  const own = new Map<string, OwnLaw>();
  if (problem.slab.kind !== "independent") return { weights, own };
  /** By the position of the model. */
  const corrections = new Map<number, number>();
  let failed = 0;
  const workOut = async (m: number): Promise<void> => {
    const { members } = weights.models[m];
    const worked = await workedOut(members, problem);
    if (worked) {
      corrections.set(m, worked.correction);
      own.set(members.join(), worked.law);
    } else failed += 1;
  };
  const most = affordable(weights, problem);
  const stopped = () => signal?.aborted === true;
  let next = 0;
  for (; next < most && !areEnough(weights, corrections) && !stopped(); next++) await workOut(next);
  for (const m of lackingOne(weights).slice(0, most)) if (m >= next && !stopped()) await workOut(m);
  if (stopped()) return { weights: { ...weights, unfinished: true }, own };
  const counted = failed > 0 ? { ...weights, failedModes: failed } : weights;
  if (corrections.size < 2) return { weights: counted, own };
  return { weights: reweighted(counted, corrections, problem.forced), own };
}

/**
 * The models that lack one member of the most probable one. The expansion sits at a mode where that member has its
 * effect; how much is lost without it, it knows least well where the member has few ones.
 */
function lackingOne({ models }: ModelWeights): number[] {
  const place = new Map(models.map(({ members }, m) => [members.join(), m]));
  const top = models[0].members;
  return top.flatMap((i) => place.get(top.filter((j) => j !== i).join()) ?? []);
}

/** How many models, the most probable first, the work allows. */
function affordable({ models }: ModelWeights, { settings }: LaplaceProblem): number {
  const { rows } = settings.store.layout;
  let work = 0;
  let count = 0;
  while (count < Math.min(models.length, MAX_MODELS)) {
    work += PASSES * rows * (models[count].members.length + 2) ** 2;
    if (work > WORK) break;
    count += 1;
  }
  return count;
}

/**
 * Whether the models that were worked out carry nearly everything, even if the expansion had undervalued all others as
 * much as the one that it undervalued most.
 */
function areEnough({ models }: ModelWeights, corrections: ReadonlyMap<number, number>): boolean {
  if (corrections.size < 2) return false;
  const top = Math.max(...corrections.values());
  let [worked, others] = [0, models.reduce((sum, { probability }) => sum + probability, 0)];
  for (const [m, correction] of corrections) {
    others -= models[m].probability;
    worked += Math.exp(correction - top) * models[m].probability;
  }
  return others <= (1 - COVERED) * worked;
}

/**
 * The model at its own mode, and log p(y | S) there less what the expansion says, up to a constant that all models
 * share; undefined where the mode was not found.
 */
async function workedOut(
  members: readonly number[],
  { settings, candidates, statistics, slab, intercept }: LaplaceProblem,
): Promise<{ readonly correction: number; readonly law: OwnLaw } | undefined> {
  const expanded = scaleLaw(statistics, slab, 1, members);
  const best = likeliest(slab, expanded);
  const { mean } = posteriorAt(best, statistics, members).posterior();
  const scaled = { ...settings, slabVariance: best.scale };
  const search = await modeOf(scaled, {
    columns: members.map((i) => candidates[i]),
    theta: mean,
    intercept: settings.hasIntercept
      ? members.reduce((a, i, at) => a - mean[at] * intercept.means[i], intercept.at)
      : 0,
  });
  if (!search.found) return undefined;
  const { logLikelihood, point, information } = search.mode;
  const { hasIntercept, store } = settings;
  const k = members.length;
  const size = k + 1;
  const matrix = information.slice();
  for (let i = 1; i < size; i++) matrix[i * size + i] += 1 / best.scale;
  if (!hasIntercept) for (let i = 0; i < size; i++) matrix[i] = matrix[i * size] = i === 0 ? 1 : 0;
  if (!cholesky(matrix, size)) return undefined;
  const squares = point.theta.reduce((sum, t) => sum + t * t, 0);
  const exact =
    logLikelihood - 0.5 * (squares / best.scale + k * Math.log(best.scale) + logDeterminant(matrix, size));
  const { statistics: own, centre } = quadraticStatistics(search.mode, store.layout.rows, hasIntercept);
  const all = members.map((_, i) => i);
  const there = posteriorAt(best, own, all).logMarginal();
  const parts = modelLaw(own, slab, 1, all, true);
  return {
    correction: exact + scaleLaw(own, slab, 1, all).logMarginal - there - expanded.logMarginal,
    law: { parts: parts.map((part) => ({ ...part, posterior: { ...part.posterior, members } })), centre },
  };
}

function posteriorAt(
  slab: FixedSlab,
  statistics: SufficientStatistics,
  members: readonly number[],
): Evidence {
  const evidence = new Evidence(statistics, slab, 1);
  evidence.rebuild(members);
  return evidence;
}

/** The weights after multiplication by exp(correction); what is not listed moves with the listed ones. */
function reweighted(
  weights: ModelWeights,
  corrections: ReadonlyMap<number, number>,
  forced: number,
): ModelWeights {
  const { models } = weights;
  const listed = models.reduce((sum, { probability }) => sum + probability, 0);
  const top = Math.max(...corrections.values());
  let [before, after] = [0, 0];
  for (const [m, correction] of corrections) {
    before += models[m].probability;
    after += Math.exp(correction - top) * models[m].probability;
  }
  const rest = after / before;
  const raw = models.map(({ members, probability }, m) => {
    const correction = corrections.get(m);
    const ratio = correction === undefined ? rest : Math.exp(correction - top);
    return { members, probability: probability * ratio };
  });
  const total = raw.reduce((sum, { probability }) => sum + probability, 0);
  const inclusion = weights.inclusion.slice();
  const size = weights.size.slice();
  const corrected = raw.map(({ members, probability }, m) => {
    const share = (probability / total) * listed;
    const change = share - models[m].probability;
    for (const i of members) inclusion[i] += change;
    size[members.length - forced] += change;
    return { members, probability: share };
  });
  corrected.sort((a, b) => b.probability - a.probability);
  const worst = Math.max(...[...corrections.values()].map((c) => Math.abs(c - top - Math.log(rest))));
  const clamp = (p: number): number => Math.max(0, Math.min(1, p));
  return {
    ...weights,
    models: corrected,
    inclusion: inclusion.map(clamp),
    size: size.map(clamp),
    ...(before < SUFFICIENT * listed && { approximationError: worst }),
  };
}
