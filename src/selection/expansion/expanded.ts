/**
 * The posterior of a family whose likelihood is not quadratic. It is expanded at the mode of one model S, which makes
 * it that of a Gaussian with unit variance on all candidates (expansion.ts); from there on everything is as for
 * Gaussian data. If the posterior then prefers another median model, the expansion moves there. In the end the most
 * probable models are worked out at their own modes (laplace.ts).
 */

import { nameOf } from "../../families/register.js";
import { columnPieces } from "../../workers/pieces.js";
import { SELECTED } from "../answer/selected.js";
import { steinOfMedian } from "../answer/stein-draws.js";
import { collectVerdicts, judgesOf, type Outside, outsiders } from "../certify/certificate.js";
import { centreOfWeights } from "../posterior/centre.js";
import { type SufficientStatistics, subsetStatistics } from "../posterior/evidence.js";
import { affordableCandidates, placesOf, sumOf } from "../posterior/exact.js";
import { type Component, componentOf, components } from "../posterior/mixture.js";
import { CHAINS, polish } from "../posterior/polish.js";
import type { Described, Posterior, Weighed } from "../posterior/posterior.js";
import { modelSpace, type Problem } from "../posterior/problem.js";
import { type CertifyExpandedInput, certifyExpandedJob } from "./certify.js";
import { type Expansion, quadraticStatistics, type WeightedCentre } from "./expansion.js";
import { laplaceCorrected, type OwnLaw } from "./laplace.js";
import { expansionAt, type ModeSettings, modeOf } from "./mode.js";
import { tallestColumns } from "./tallest.js";

/** The expansion follows the median model at most so many times in a round. */
const MAX_MOVES = 8;

export interface ExpandedWeighed extends Weighed {
  /** Where the likelihood is expanded, and what centres the columns there. */
  readonly expansion: Expansion;
  readonly centre: WeightedCentre;
  /** Whether the mode was found at which it is meant to be. */
  readonly atMode: boolean;
  /** The laws of the models that were worked out at their own modes. */
  readonly own: ReadonlyMap<string, OwnLaw>;
}

export function expandedPosterior(problem: Problem): Posterior<ExpandedWeighed> {
  const tallest = tallestColumns(problem);
  return {
    mostCandidates: affordableCandidates(problem),
    withCompany: async (columns) => columns,
    async weigh(candidates, thorough, before, starts) {
      await tallest.learn(candidates);
      return weigh(problem, modeSettings(problem, tallest.of), candidates, { thorough, before, starts });
    },
    judge: (weighed) => judgeExpanded(problem, weighed),
    beyond: {
      async point({ expansion }, columns) {
        await tallest.learn(columns);
        const settings = modeSettings(problem, tallest.of);
        return (await expandAtMode(settings, columns, columns, expansion)).expansion.point;
      },
      async sums({ expansion }, columns) {
        await tallest.learn(columns);
        return sumsAt(modeSettings(problem, tallest.of), problem, expansion, columns);
      },
    },
    describe: (weighed) => describeExpanded(problem, weighed),
  };
}

async function weigh(
  problem: Problem,
  settings: ModeSettings,
  candidates: readonly number[],
  { thorough, before, starts }: Weighing,
): Promise<ExpandedWeighed> {
  const { store, pool, spec, options, seed } = problem;
  const { slab, noiseVariance } = spec;
  const { signal } = options;
  const space = modelSpace(problem, candidates);
  let active = before ? medianModel(before) : problem.start.filter((j) => candidates.includes(j));
  let expansion = before?.expansion;
  const seen = new Set<string>();
  for (let move = 0; ; move++) {
    const expanded = await expandAtMode(settings, candidates, active, expansion);
    expansion = expanded.expansion;
    const { statistics, centre } = quadraticStatistics(expansion, store.layout.rows, spec.centred);
    const begin = placesOf(starts, candidates);
    const posterior = {
      statistics,
      slab,
      noiseVariance,
      space,
      seed,
      signal,
      ...(begin && { starts: begin }),
    };
    seen.add(active.join());
    // Only the last word has to be thorough.
    const weights = await polish(pool, posterior, false);
    const weighed = {
      candidates,
      statistics,
      space,
      weights,
      ...expanded,
      centre,
      own: NONE,
    };
    const next = medianModel(weighed);
    if (seen.has(next.join()) || move === MAX_MOVES || signal?.aborted) {
      if (!thorough) return weighed;
      const intercept = { at: centre.intercept, means: centre.means };
      const forced = space.always.length;
      const correctable = { settings, candidates, statistics, slab, intercept, forced };
      const polished = await polish(pool, posterior, true);
      return { ...weighed, ...(await laplaceCorrected(polished, correctable, signal)) };
    }
    active = next;
  }
}

interface Weighing {
  readonly thorough: boolean;
  readonly before: ExpandedWeighed | undefined;
  readonly starts: readonly (readonly number[])[] | undefined;
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
export function medianModel({ candidates, weights }: Weighed): number[] {
  return candidates.filter((_, i) => weights.inclusion[i] > SELECTED);
}

export function modeSettings(
  { store, pool, scaling, target, screen, spec, run }: Problem,
  tallest: ModeSettings["tallest"],
): ModeSettings {
  const { slope, offset } = target.scaling;
  const mean = slope * screen.mean[store.layout.columns] + offset;
  const slabVariance = spec.slab.kind === "independent" ? spec.slab.scale : Number.POSITIVE_INFINITY;
  return {
    store,
    pool,
    family: nameOf(target.family),
    scaling,
    // Without a proper slab a separated column would have no mode at all.
    slabVariance: Math.min(slabVariance, 1e4),
    hasIntercept: spec.centred,
    nullIntercept: spec.centred ? target.family.link(mean) : 0,
    tallest,
    run: run("polish"),
  };
}

/** The mode of the model on `active`, and the expansion there on all candidates. */
export async function expandAtMode(
  settings: ModeSettings,
  candidates: readonly number[],
  active: readonly number[],
  before: Expansion | undefined,
): Promise<{ readonly expansion: Expansion; readonly atMode: boolean }> {
  const known = new Map(before?.point.columns.map((j, i) => [j, before.point.theta[i]]));
  const start = {
    columns: active,
    theta: Float64Array.from(active, (j) => known.get(j) ?? 0),
    intercept: before?.point.intercept ?? settings.nullIntercept ?? 0,
  };
  const search = await modeOf(settings, start);
  const { point } = search.found ? search.mode : search.nearest;
  const at = new Map(active.map((j, i) => [j, point.theta[i]]));
  const theta = Float64Array.from(candidates, (j) => at.get(j) ?? 0);
  const expansion = await expansionAt(settings, { columns: candidates, theta, intercept: point.intercept });
  return { expansion, atMode: search.found };
}

/** The certificate's pass: a verdict on every usable column outside the candidates. */
export async function judgeExpanded(
  problem: Problem,
  weighed: Omit<ExpandedWeighed, "atMode" | "own">,
): Promise<Outside> {
  const { store, pool, screen, target, spec } = problem;
  const { columns } = store.layout;
  const { candidates, centre } = weighed;
  const { point } = weighed.expansion;
  const judges = judgesOf(problem, weighed, (i) => sumOf(problem, candidates[i]));
  const used = point.columns.flatMap((_, i) => (point.theta[i] !== 0 ? [i] : []));
  const at = new Map(candidates.map((j, i) => [j, i]));
  const outside = outsiders(problem, weighed);
  const inputs = columnPieces(columns).map(
    ({ first, last }): CertifyExpandedInput => ({
      family: nameOf(target.family),
      judges,
      point: {
        columns: used.map((c) => point.columns[c]),
        theta: Float64Array.from(used, (c) => point.theta[c]),
        intercept: point.intercept,
      },
      hasIntercept: spec.centred,
      response: spec.centred ? centre.intercept : 0,
      centres: Float64Array.from(judges.columns, (j) => centre.means[at.get(j)!]),
      first,
      last,
      outside: outside.slice(first, last),
      means: screen.mean.slice(first, last),
    }),
  );
  return collectVerdicts(outside, judges, await pool.run(certifyExpandedJob, inputs, problem.run("certify")));
}

function describeExpanded(problem: Problem, weighed: ExpandedWeighed): Described {
  const { spec } = problem;
  const { candidates, statistics, weights } = weighed;
  const centre = spec.centred ? centreOfWeights(problem, candidates, weighed.centre) : undefined;
  return {
    mixture: components(statistics, spec, weights, centre).map((component) =>
      atOwnMode(problem, weighed, component),
    ),
    centre,
    component: (members) => atOwnMode(problem, weighed, componentOf(statistics, spec, members, centre)),
    chains: CHAINS,
    fixedLength: true,
    slabConflict: undefined,
    predictorLaw: () => undefined,
    atMode: weighed.atMode,
    stein: () =>
      steinOfMedian(problem, weighed, (members) => {
        const law = weighed.own.get(members.join());
        return {
          posterior: law?.posterior ?? componentOf(statistics, spec, members, undefined).posterior,
          centre: spec.centred ? spreadOut(weighed, members, law) : undefined,
        };
      }),
    settings: { posterior: weights.exact ? "enumerated" : "sampled", likelihood: "expanded" },
  };
}

/** The same with the law of the model's own mode, where that was worked out. */
function atOwnMode(problem: Problem, weighed: ExpandedWeighed, component: Component): Component {
  const { members } = component.posterior;
  const law = weighed.own.get(members.join());
  if (!law) return component;
  const centre =
    component.centre && centreOfWeights(problem, weighed.candidates, spreadOut(weighed, members, law));
  return { ...component, posterior: law.posterior, centre };
}

/** The centre of a model's own mode over all candidates: what does not belong to the model does not matter. */
function spreadOut(
  { candidates, centre }: ExpandedWeighed,
  members: readonly number[],
  law: OwnLaw | undefined,
): WeightedCentre {
  if (!law) return centre;
  const means = new Float64Array(candidates.length);
  members.forEach((i, a) => {
    means[i] = law.centre.means[a];
  });
  return { ...law.centre, means };
}
