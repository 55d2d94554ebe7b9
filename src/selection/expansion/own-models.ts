/**
 * The models of a binomial or Poisson target that are worked out at their own modes: as many as a bounded amount of
 * work allows. Where there are so many rows that few can be afforded, the expansion is accurate.
 */

import type { ModelWeights } from "../posterior/model-weights.js";
import { type LaplaceProblem, type OwnModel, ownModel } from "./laplace.js";
import { type KnownModel, type MemberOffsets, memberOffsets } from "./member-offsets.js";

/** Multiplications that they may take, the most models, and how many of them are to tell candidates apart. */
const WORK = 4e9;
const MAX_MODELS = 100;
const CONTRASTS = 60;
/** Multiplications that are worth a row's likelihood. */
const LIKELIHOOD = 8;
/** Passes that a mode takes from its one-step estimate. */
const PASSES = 3;
/** A candidate that is less probable than this may be misjudged. */
const HOPELESS = 1e-4;

export interface OwnModels {
  readonly problem: LaplaceProblem;
  /** By their members. */
  readonly known: ReadonlyMap<string, OwnModel & KnownModel>;
  /** Those whose modes were not found. */
  readonly failed: number;
  /** The model, unless the work is done or somebody has stopped it; known ones cost nothing. */
  workOut(members: readonly number[]): Promise<(OwnModel & KnownModel) | undefined>;
  /** Whether one more model of so many members would be too much. */
  isEnough(members: number): boolean;
  /** What they say of all models. */
  offsets(): MemberOffsets;
}

export function ownModels(problem: LaplaceProblem, signal: AbortSignal | undefined): OwnModels {
  const { rows } = problem.settings.store.layout;
  const known = new Map<string, OwnModel & KnownModel>();
  const failed = new Set<string>();
  let work = 0;
  const costOf = (k: number, passes: number, moves: number): number =>
    rows * (passes * (k + 2) ** 2 + (moves * (k + LIKELIHOOD)) / 4);
  const models: OwnModels = {
    problem,
    known,
    get failed() {
      return failed.size;
    },
    isEnough: (k) =>
      signal?.aborted === true ||
      known.size + failed.size >= MAX_MODELS ||
      work + costOf(k, PASSES, 0) > WORK,
    async workOut(members) {
      const key = members.join();
      const before = known.get(key);
      if (before || failed.has(key) || models.isEnough(members.length)) return before;
      const worked = await ownModel(members, problem);
      if (worked) known.set(key, { ...worked, members });
      else failed.add(key);
      work += costOf(members.length, worked?.passes ?? PASSES, worked?.moves ?? 0);
      return known.get(key);
    },
    offsets: () => memberOffsets([...known.values()], problem.candidates.length),
  };
  return models;
}

/**
 * The most probable model, and those that lack or have one candidate more: what the expansion says of a candidate it
 * knows least well where that has few ones.
 */
export async function workOutContrasts(models: OwnModels, weights: ModelWeights): Promise<void> {
  const { always, logModel } = models.problem.space;
  const top = weights.models[0].members;
  await models.workOut(top);
  const doubtful = Array.from(weights.inclusion.keys())
    .filter((j) => !always.includes(j) && weights.inclusion[j] > HOPELESS)
    .sort((a, b) => openness(weights.inclusion[b]) - openness(weights.inclusion[a]));
  for (const j of doubtful.slice(0, CONTRASTS)) {
    const without = top.filter((i) => i !== j);
    const other = without.length < top.length ? without : [...top, j].sort((a, b) => a - b);
    if (other.length - always.length < logModel.length) await models.workOut(other);
  }
}

const openness = (p: number): number => Math.min(p, 1 - p);
