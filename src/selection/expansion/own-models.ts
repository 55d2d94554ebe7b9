/**
 * The models of a binomial or Poisson target that are worked out at their own modes: as many as a bounded amount of
 * work allows. Where there are so many rows that few can be afforded, the expansion is accurate.
 */

import { type ModelWeights, thinnedModels } from "../posterior/model-weights.js";
import { scaleLaw } from "../posterior/scale-law.js";
import { type LaplaceProblem, type Moved, type OwnModel, ownModelsAt, type Quadratic } from "./laplace.js";
import type { KnownModel } from "./member-offsets.js";

/**
 * Multiplications that they may take, the most models, and how many of those are to tell candidates apart and to stand
 * for all.
 */
const WORK = 2.5e9;
const MAX_MODELS = 200;
/** So many at a time; the next ones start from what these have taught. */
const AT_ONCE = 8;
const CONTRASTS = 60;
const SAMPLED = 24;
/**
 * Of all that work what contrasts may take, and these with those that stand for all: the rest shows how well models are
 * predicted that nothing was learnt from.
 */
const UP_TO = { contrasts: 0.3, sampled: 0.5 };
/**
 * Multiplications that are worth a row's likelihood; a stored number of a sparse column, which is gathered, scattered and
 * put in its row in every pass, and the product of two of them; and one whose bends are looked at, once in a model.
 */
const LIKELIHOOD = 8;
const STORED = 15;
const PAIR = 2;
const BENDS = 75;
/** Passes that a mode takes from its one-step estimate. */
const PASSES = 3;
/**
 * A candidate that is more probable than this may be misjudged. One that is less likely to be out than the second is in
 * whatever is found: the model without it would count for a ten-thousandth of the others, and be the dearest of all.
 */
const HOPELESS = 1e-4;
const CERTAIN = 1e-8;

export interface OwnModels {
  /** By their members. */
  readonly known: ReadonlyMap<string, OwnModel>;
  /** How many modes were not found. */
  readonly failed: number;
  /** Works models out from where an expansion has them, unless they are known or this share of all work is done. */
  workOut(models: readonly (readonly number[])[], from: Quadratic, upTo?: number): Promise<void>;
  /** How far each of them is from what an expansion says. */
  beside(expansion: Quadratic): KnownModel[];
}

export function ownModels(problem: LaplaceProblem, signal: AbortSignal | undefined): OwnModels {
  const { settings, slab, space } = problem;
  const { rows } = settings.store.layout;
  const known = new Map<string, OwnModel>();
  const failed = new Set<string>();
  const besideEach = new WeakMap<Quadratic, Map<string, KnownModel>>();
  const usualEach = new WeakMap<Quadratic, UsualMove>();
  let work = 0;
  const costOf = (members: readonly number[], passes: number, moves: number): number => {
    const densities = members.map((i) => settings.density(problem.candidates[i]));
    const dense = densities.filter((density) => density === 1).length;
    const stored = densities.reduce((sum, density) => sum + density, -dense);
    const among = STORED * stored * (dense + 1) + PAIR * stored * stored;
    const pass = (dense + 2) ** 2 + 2 * LIKELIHOOD + among;
    return rows * (passes * pass + BENDS * stored + (moves * (dense + stored + LIKELIHOOD)) / 4);
  };
  /** The next of them that are not known, as far as there is work left for them. */
  const nextOf = (models: readonly (readonly number[])[], upTo: number): (readonly number[])[] => {
    const next = new Map<string, readonly number[]>();
    let expected = work;
    for (const members of models) {
      const key = members.join();
      if (known.has(key) || failed.has(key) || next.has(key)) continue;
      const cost = costOf(members, PASSES, 0);
      const count = known.size + failed.size + next.size;
      if (next.size === AT_ONCE || count >= MAX_MODELS || signal?.aborted) break;
      if (expected + cost > upTo * WORK) continue;
      expected += cost;
      next.set(key, members);
    }
    return [...next.values()];
  };
  return {
    known,
    get failed() {
      return failed.size;
    },
    async workOut(models, from, upTo = 1) {
      const usual = usualEach.get(from) ?? usualMove(problem.candidates.length);
      usualEach.set(from, usual);
      for (;;) {
        const next = nextOf(models, upTo);
        if (next.length === 0) return;
        const expected = next.map((members) => ({ members, moved: usual.of(members) }));
        const worked = await ownModelsAt(expected, problem, from);
        next.forEach((members, m) => {
          const model = worked[m];
          if (model) {
            known.set(members.join(), model);
            usual.add(members, model.moved);
          } else failed.add(members.join());
          work += costOf(members, model?.passes ?? PASSES, model?.moves ?? 0);
        });
      }
    },
    beside(expansion) {
      const compared = besideEach.get(expansion) ?? new Map<string, KnownModel>();
      besideEach.set(expansion, compared);
      for (const [key, { members, log }] of known) {
        if (compared.has(key)) continue;
        const expected = scaleLaw(expansion.statistics, slab, 1, members).logMarginal;
        const logWeight = log + space.logModel[members.length - space.always.length];
        compared.set(key, { members, correction: log - expected, logWeight });
      }
      return [...compared.values()];
    },
  };
}

/** How far modes have been from where an expansion has them, on average: most of it is the same in all models. */
interface UsualMove {
  of(members: readonly number[]): Moved;
  add(members: readonly number[], moved: Moved): void;
}

function usualMove(size: number): UsualMove {
  const [sums, counts] = [new Float64Array(size), new Float64Array(size)];
  let [intercept, models] = [0, 0];
  return {
    of: (members) => ({
      theta: Float64Array.from(members, (j) => sums[j] / Math.max(1, counts[j])),
      intercept: intercept / Math.max(1, models),
    }),
    add(members, moved) {
      members.forEach((j, i) => {
        sums[j] += moved.theta[i];
        counts[j] += 1;
      });
      intercept += moved.intercept;
      models += 1;
    },
  };
}

/**
 * The most probable model, and those that lack or have one candidate more: what the expansion says of a candidate it
 * knows least well where that has few ones. Then some that stand for all.
 */
export async function workOutTelling(
  models: OwnModels,
  { models: listed, inclusion }: ModelWeights,
  from: Quadratic,
  { always, logModel }: LaplaceProblem["space"],
): Promise<void> {
  const top = listed[0].members;
  await models.workOut([top], from);
  if (await suffices(models, listed, from)) return;
  const doubtful = Array.from(inclusion.keys())
    .filter((j) => !always.includes(j) && inclusion[j] > HOPELESS && 1 - inclusion[j] > CERTAIN)
    .sort((a, b) => openness(inclusion[b]) - openness(inclusion[a]));
  const others = doubtful.slice(0, CONTRASTS).map((j) => {
    const without = top.filter((i) => i !== j);
    return without.length < top.length ? without : [...top, j].sort((a, b) => a - b);
  });
  const possible = others.filter(({ length }) => length - always.length < logModel.length);
  const first = possible.slice(0, AT_ONCE);
  await models.workOut(first, from, UP_TO.contrasts);
  if (areAlike(models, [top, ...first], from)) return;
  await models.workOut(possible, from, UP_TO.contrasts);
  await models.workOut(membersOf(thinnedModels(listed, SAMPLED)), from, UP_TO.sampled);
}

const membersOf = (models: ModelWeights["models"]) => models.map(({ members }) => members);

/** Models that are to show whether what is known of the candidates each by itself suffices, and to which accuracy. */
const SHOWN = 12;
const SUFFICES = 0.25;

/** Models that are this near to each other in how far they are from the expansion are told apart by it. */
const ALIKE = 0.02;

/**
 * Whether the most open candidates make no difference to how far models are from the expansion, and none is known to bend
 * by itself: then the others, which matter less, are not asked. On 50,000 rows with as many of each class it was 0.003.
 */
function areAlike(models: OwnModels, some: readonly (readonly number[])[], from: Quadratic): boolean {
  if (some.length <= AT_ONCE || from.lone.some((offset) => offset !== 0)) return false;
  const keys = new Set(some.map((members) => members.join()));
  const far = models
    .beside(from)
    .filter(({ members }) => keys.has(members.join()))
    .map(({ correction }) => correction);
  return far.length === some.length && Math.max(...far) - Math.min(...far) < ALIKE;
}

/** Whether models are as far from the expansion as their members each by itself let expect. */
async function suffices(
  models: OwnModels,
  listed: ModelWeights["models"],
  from: Quadratic,
): Promise<boolean> {
  if (from.lone.every((offset) => offset === 0)) return false;
  const some = membersOf(thinnedModels(listed, SHOWN));
  const shown = new Set(some.map((members) => members.join()));
  await models.workOut(some, from);
  const left = models
    .beside(from)
    .filter(({ members }) => shown.has(members.join()))
    .map(({ members, correction }) => members.reduce((rest, j) => rest - from.lone[j], correction));
  const middle = median(left);
  return left.length > SHOWN / 2 && median(left.map((rest) => Math.abs(rest - middle))) < SUFFICES;
}

const median = (of: readonly number[]): number => [...of].sort((a, b) => a - b)[of.length >> 1];

const openness = (p: number): number => Math.min(p, 1 - p);
