/**
 * The posterior of a family whose likelihood is not quadratic. It is expanded at the mode of one model S, which makes
 * it that of a Gaussian with unit variance on all candidates (expansion.ts); from there on everything is as for
 * Gaussian data. If the posterior then prefers another median model, the expansion moves there. In the end the most
 * probable models are worked out at their own modes (corrected.ts).
 */

import { nameOf } from "../../families/register.js";
import type { Scaling } from "../../store/batch/scaling.js";
import { sharedWith } from "../../workers/crew.js";
import { SELECTED } from "../answer/selected.js";
import { type SufficientStatistics, subsetStatistics } from "../posterior/evidence.js";
import { affordableCandidates, likeness, placesOf } from "../posterior/exact.js";
import { type ModelWeights, thinnedModels } from "../posterior/model-weights.js";
import { polish } from "../posterior/polish.js";
import type { Posterior, Weighed, Weighing } from "../posterior/posterior.js";
import { modelSpace, type Problem } from "../posterior/problem.js";
import { likeliestScale } from "../posterior/scale-law.js";
import { scalesNear } from "../posterior/slab.js";
import { columnShapes } from "./column-shapes.js";
import { corrected } from "./corrected.js";
import { describeExpanded } from "./describe.js";
import { type Expansion, quadraticStatistics, type WeightedCentre } from "./expansion.js";
import { judgeExpanded, type SumsAtPoint } from "./judge.js";
import type { LaplaceProblem, OwnLaw } from "./laplace.js";
import { type KnownTables, loneOffsets } from "./lone-offsets.js";
import { type MemberOffsets, memberOffsets, typicalWeight } from "./member-offsets.js";
import { expansionAt, type ModeQuestion, type ModeSettings, modeOf } from "./mode.js";
import { type OwnModels, ownModels, workOutTelling } from "./own-models.js";

/** The expansion follows the median model at most so many times in a round. */
const MAX_MOVES = 8;

/**
 * Monte Carlo error that inclusion probabilities may have: the integrals and the expansion are no better. Where there
 * are many candidates and models are large, chains end after this much work: with 300 candidates and models of 80 an
 * error of 0.009 is left, and sixteen times the work would make 0.004 of it.
 */
const ACCURACY = 0.005;
const WORK = 1e8;
export interface ExpandedWeighed extends Weighed {
  /** Where the likelihood is expanded, and what centres the columns there. */
  readonly expansion: Expansion;
  readonly centre: WeightedCentre;
  /** Whether the mode was found at which it is meant to be. */
  readonly atMode: boolean;
  /** The laws of the models that were worked out at their own modes. */
  readonly own: ReadonlyMap<string, OwnLaw>;
}

export function expandedPosterior(given: Problem): Posterior<ExpandedWeighed> {
  const problem = { ...given, scaling: withinReach(given) };
  const shape = columnShapes(problem);
  const tables: KnownTables = new Map();
  const sums: SumsAtPoint = {};
  let worked: WorkedOut | undefined;
  const workedOut = (laplace: LaplaceProblem): OwnModels => {
    // Who weighs the same models again goes on where it was.
    const of = [laplace.candidates, laplace.slab.logPrior].join(";");
    if (worked?.of !== of) worked = { of, models: ownModels(laplace, problem.options.signal) };
    return worked!.models;
  };
  return {
    mostCandidates: affordableCandidates(problem),
    withCompany: async (columns) => columns,
    async weigh(candidates, how) {
      await shape.learn(candidates);
      return weigh(problem, modeSettings(problem, shape), candidates, { ...how, tables, workedOut });
    },
    judge: (weighed) => judgeExpanded(problem, weighed, sums),
    beyond: {
      async point({ expansion }, columns) {
        await shape.learn(columns);
        const settings = modeSettings(problem, shape);
        return (await expandAtMode(settings, columns, columns, { before: expansion })).expansion.point;
      },
      async sums({ expansion }, columns) {
        await shape.learn(columns);
        return sumsAt(modeSettings(problem, shape), problem, expansion, columns);
      },
      likeness(weighed, candidate) {
        return likeness(problem, weighed, candidate, sums.at?.judges.get(candidate)?.products);
      },
    },
    describe: (weighed) => describeExpanded(problem, weighed),
  };
}

/** Every pass takes it along: where threads share memory, nothing of it is copied. */
function withinReach({ pool, scaling }: Problem): Scaling {
  return { ...scaling, slope: sharedWith(pool, scaling.slope), offset: sharedWith(pool, scaling.offset) };
}

async function weigh(
  problem: Problem,
  settings: ModeSettings,
  candidates: readonly number[],
  { thorough, before, starts, slab = problem.spec.slab, tables, workedOut }: WeighingAtModes,
): Promise<ExpandedWeighed> {
  const { store, pool, spec, options, seed } = problem;
  const { noiseVariance } = spec;
  const { signal } = options;
  const space = modelSpace(problem, candidates);
  const laplace = { settings, candidates, slab, space, seed, measured: { tables: new Map() } };
  const own = thorough && slab.kind === "independent" ? workedOut(laplace) : undefined;
  let active = before ? medianModel(before) : problem.start.filter((j) => candidates.includes(j));
  let expansion = before?.expansion;
  let known = before?.weights;
  const seen = new Set<string>();
  for (let move = 0; ; move++) {
    // As long as others may join, it stays where it is near enough to the mode, and so do sums over all columns.
    const at = { wanted: thorough ? "digits" : "place", before: expansion } as const;
    const expanded = await expandAtMode(atScale(settings, known), candidates, active, at);
    expansion = expanded.expansion;
    const { statistics, centre } = quadraticStatistics(expansion, store.layout.rows, spec.centred);
    const bare = { point: expansion.point, statistics, centre, lone: new Float64Array(candidates.length) };
    const quadratic = own
      ? { ...bare, lone: await loneAt(atScale(settings, known), expansion, statistics, active, tables) }
      : bare;
    const begin = placesOf(starts, candidates);
    const weighWith = (offsets: Float64Array | undefined, wholly: boolean): Promise<ModelWeights> => {
      const models = offsets ? { ...space, offsets } : space;
      const sampled = known && !known.exact;
      const common = {
        statistics,
        slab: sampled ? scalesNear(slab, known!.slab) : slab,
        // Once the scales that matter are known, their neighbours are all that has to be tried.
        scouted: sampled === true,
        noiseVariance,
        seed,
        signal,
        accuracy: ACCURACY,
        work: WORK,
      };
      const from = begin ?? (wholly && known && !known.exact ? startsFrom(known) : undefined);
      return polish(pool, { ...common, space: models, ...(from && { starts: from }) }, wholly);
    };
    seen.add(active.join());
    // Only the last word has to be thorough.
    let weights = await weighWith(own && quadratic.lone, false);
    let used: MemberOffsets | undefined;
    const isLast = (models: ModelWeights): boolean =>
      seen.has(medianModel({ candidates, weights: models }).join()) ||
      isSettled(models, candidates, active) ||
      move === MAX_MOVES ||
      signal?.aborted === true;
    // Where the expansion has come to rest, it may still be in the wrong place.
    if (own && isLast(weights)) {
      await workOutTelling(own, weights, quadratic, space);
      const beside = own.beside(quadratic);
      used = memberOffsets(beside, quadratic.lone, typicalWeight(weights, beside));
      weights = await weighWith(used.offsets, false);
    }
    const weighed = {
      candidates,
      statistics,
      space,
      weights,
      ...expanded,
      centre,
      own: NONE,
      misjudged: quadratic.lone,
    };
    if (isLast(weights)) {
      if (!thorough) return weighed;
      known = weights;
      weights = await weighWith(used?.offsets, true);
      if (!own || !used) return { ...weighed, weights };
      const weighing = { models: own, expansion: quadratic, used, forced: space.always.length };
      const found = await corrected(weights, weighing);
      return signal?.aborted
        ? { ...weighed, ...found, weights: { ...found.weights, unfinished: true } }
        : { ...weighed, ...found };
    }
    known = weights;
    active = medianModel(weighed);
  }
}

/** Models from which chains start that have no time to look for them. */
const STARTS = 3;
const startsFrom = ({ models }: ModelWeights) => thinnedModels(models, STARTS).map(({ members }) => members);

/** Inclusion probabilities this far from one half are no matter of chance in a hasty run. */
const PLAIN = 0.25;

/**
 * Whether the median model differs from where the expansion is by open questions alone. Hasty runs answer those now one
 * way, now the other, and the expansion would follow them for ever.
 */
function isSettled(
  { exact, inclusion }: ModelWeights,
  candidates: readonly number[],
  active: readonly number[],
) {
  const isIn = new Set(active);
  return (
    !exact &&
    candidates.every(
      (j, i) => isIn.has(j) === inclusion[i] > SELECTED || Math.abs(inclusion[i] - SELECTED) < PLAIN,
    )
  );
}

/** What the expansion misjudges about the candidates each by itself, beside the model that it is at. */
function loneAt(
  settings: ModeSettings,
  expansion: Expansion,
  statistics: SufficientStatistics,
  active: readonly number[],
  known: KnownTables,
): Promise<Float64Array> {
  const members = active.map((j) => expansion.point.columns.indexOf(j));
  const slab = { kind: "independent", scale: settings.slabVariance } as const;
  return loneOffsets(settings, { expansion, statistics, members, slab }, known);
}

/** With the most probable scale of the slab, once the data have said something about it. */
function atScale(settings: ModeSettings, weights: ModelWeights | undefined): ModeSettings {
  if (weights?.slab.kind !== "independent") return settings;
  return { ...settings, slabVariance: likeliestScale(weights) };
}

interface WeighingAtModes extends Weighing<ExpandedWeighed> {
  /** Of what expansions misjudged about columns so far. */
  readonly tables: KnownTables;
  readonly workedOut: (problem: LaplaceProblem) => OwnModels;
}

/** The models on some candidates that were worked out at their own modes. */
interface WorkedOut {
  /** The candidates, and the scales of the slab. */
  readonly of: string;
  readonly models: OwnModels;
}

const NONE: ReadonlyMap<string, OwnLaw> = new Map();

/** The sums of products of any columns, at the place where the likelihood is expanded. */
async function sumsAt(
  settings: ModeSettings,
  { store, spec }: Problem,
  { point }: Expansion,
  columns: readonly number[],
): Promise<SufficientStatistics> {
  const known = new Map(point.columns.map((j, i) => [j, point.theta[i]]));
  const unnamed = point.columns.filter((j, i) => point.theta[i] !== 0 && !columns.includes(j));
  const all = [...columns, ...unnamed];
  const theta = Float64Array.from(all, (j) => known.get(j) ?? 0);
  const there = await expansionAt(settings, { columns: all, theta, intercept: point.intercept });
  const { statistics } = quadraticStatistics(there, store.layout.rows, spec.centred);
  return subsetStatistics(
    statistics,
    columns.map((_, i) => i),
  );
}

/** Columns of the store that are in the median model. */
export function medianModel({ candidates, weights }: Pick<Weighed, "candidates" | "weights">): number[] {
  return candidates.filter((_, i) => weights.inclusion[i] > SELECTED);
}

export function modeSettings(
  { store, pool, scaling, target, screen, spec, run }: Problem,
  shape: Pick<ModeSettings, "tallest" | "density">,
): ModeSettings {
  const { slope, offset } = target.scaling;
  const mean = slope * screen.mean[store.layout.columns] + offset;
  const slabVariance = spec.slab.kind === "independent" ? spec.slab.first : Number.POSITIVE_INFINITY;
  return {
    store,
    pool,
    family: nameOf(target.family),
    scaling,
    // Without a proper slab a separated column would have no mode at all.
    slabVariance: Math.min(slabVariance, 1e4),
    hasIntercept: spec.centred,
    nullIntercept: spec.centred ? target.family.link(mean) : 0,
    ...shape,
    run: run("polish"),
  };
}

/** The mode of the model on `active`, and the expansion there on all candidates. */
export async function expandAtMode(
  settings: ModeSettings,
  candidates: readonly number[],
  active: readonly number[],
  { before, wanted }: { before: Expansion | undefined; wanted?: ModeQuestion["wanted"] },
): Promise<{ readonly expansion: Expansion; readonly atMode: boolean }> {
  const known = new Map(before?.point.columns.map((j, i) => [j, before.point.theta[i]]));
  const start = {
    columns: active,
    theta: Float64Array.from(active, (j) => known.get(j) ?? 0),
    intercept: before?.point.intercept ?? settings.nullIntercept ?? 0,
  };
  const search = await modeOf(settings, start, wanted);
  const { point } = search.found ? search.mode : search.nearest;
  const at = new Map(active.map((j, i) => [j, point.theta[i]]));
  const theta = Float64Array.from(candidates, (j) => at.get(j) ?? 0);
  const expansion = await expansionAt(settings, { columns: candidates, theta, intercept: point.intercept });
  return { expansion, atMode: search.found };
}
