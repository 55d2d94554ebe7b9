/**
 * The posterior of classes where rows are few: drawn with weights that make the likelihood Gaussian (sweep.ts), over all
 * columns at once. An expansion at one mode misjudges large models more than small ones, and with few rows and hundreds of
 * columns large models are what the posterior is made of.
 */

import { ESS_PER_CHAIN } from "../../diagnostics/verdict.js";
import { nameOf } from "../../families/register.js";
import { columnShapes } from "../expansion/column-shapes.js";
import { expandAtMode, medianModel, modeSettings } from "../expansion/expanded.js";
import { type Expansion, quadraticStatistics, type WeightedCentre } from "../expansion/expansion.js";
import { judgeExpanded } from "../expansion/judge.js";
import { centreOfWeights } from "../posterior/centre.js";
import { placesOf } from "../posterior/exact.js";
import type { Component } from "../posterior/laws/mixture.js";
import { modelLaw } from "../posterior/laws/model-law.js";
import { largestSize, type ModelSpace, type ModelWeights } from "../posterior/model-weights.js";
import type { Described, Posterior, Weighed, Weighing } from "../posterior/posterior.js";
import { modelSpace, type Problem } from "../posterior/problem.js";
import { likeliestScale } from "../posterior/scale-law.js";
import type { Slab } from "../posterior/slab.js";
import { type DrawnLaw, type StretchInput, type StretchOutput, stretchJob } from "./chain.js";
import { augmentedWeights } from "./weights.js";

const CHAINS = 4;
/**
 * Sweeps of a chain in the first round; later rounds are as long as all before, but no more than a share of what can be
 * afforded: the first models may be the small ones.
 */
const FIRST_SWEEPS = 100;
const LONGEST = 0.15;
const BURN_IN = 50;
/**
 * Chains go on until they agree and no inclusion probability has a larger error; past half of the work that they may take
 * a larger one will do.
 */
const GOOD_ERROR = { usual: 0.005, late: 0.01 };
const GOOD_RHAT = 1.01;
const WORK = 2e10;
/** In multiplications: to draw the weight of a row, and to flip a candidate, beside the products that it takes. */
const WEIGHT = 2000;
const FLIP = 20_000;
/** Laws of coefficients that a stretch of a chain keeps. */
const LAWS = 250;

export interface AugmentedWeighed extends Weighed {
  /** At the mode of the median model: what describes or judges models one by one does so there. */
  readonly expansion: Expansion;
  readonly centre: WeightedCentre;
  readonly mixture: readonly Component[];
  readonly likeliest: Component;
}

export function augmentedPosterior(problem: Problem): Posterior<AugmentedWeighed> {
  return {
    mostCandidates: problem.usable.length,
    withCompany: async (columns) => columns,
    weigh: (candidates, how) => weigh(problem, candidates, how),
    judge: (weighed) => judgeExpanded(problem, weighed),
    describe: (weighed) => describe(problem, weighed),
  };
}

async function weigh(
  given: Problem,
  candidates: readonly number[],
  { thorough, starts, slab = given.spec.slab }: Weighing<AugmentedWeighed>,
): Promise<AugmentedWeighed> {
  const problem = { ...given, spec: { ...given.spec, slab } };
  const { store, spec } = problem;
  const space = modelSpace(problem, candidates);
  const outputs = await sampled(problem, candidates, {
    space,
    thorough,
    starts: placesOf(starts, candidates),
  });
  const weights = augmentedWeights(outputs, spec.slab, space.always.length);
  const stopped = problem.options.signal?.aborted === true;
  const shape = columnShapes(problem);
  await shape.learn(candidates);
  const median = medianModel({ candidates, weights });
  const settings = { ...modeSettings(problem, shape), slabVariance: likeliestScale(weights) };
  const modeOf = async (columns: readonly number[]) => {
    const { expansion } = await expandAtMode(settings, candidates, columns, { before: undefined });
    return { expansion, ...quadraticStatistics(expansion, store.layout.rows, spec.centred) };
  };
  const [{ members: top }] = weights.models;
  const laws = outputs.flatMap((output) => output.laws);
  const sweeps = laws.reduce((sum, law) => sum + law.sweeps, 0);
  return {
    candidates,
    space,
    ...(await modeOf(median)),
    weights: stopped ? { ...weights, unfinished: true } : weights,
    likeliest: atMode(problem, candidates, weights.slab, await modeOf(top.map((i) => candidates[i])), top),
    mixture: laws.map((law) => component(problem, candidates, law, law.sweeps / sweeps)),
  };
}

/** The law of a model by the expansion at its own mode. */
function atMode(
  problem: Problem,
  candidates: readonly number[],
  slab: Slab,
  { statistics, centre }: Pick<AugmentedWeighed, "statistics" | "centre">,
  members: readonly number[],
): Component {
  const [{ posterior }] = modelLaw(statistics, slab, problem.spec.noiseVariance, members, false);
  const at = problem.spec.centred ? centreOfWeights(problem, candidates, centre) : undefined;
  return { probability: 1, posterior, centre: at };
}

function component(
  problem: Problem,
  candidates: readonly number[],
  { posterior, centre }: DrawnLaw,
  probability: number,
): Component {
  const at = problem.spec.centred ? centreOfWeights(problem, candidates, centre) : undefined;
  return { probability, posterior, centre: at };
}

interface Sampling {
  readonly space: ModelSpace;
  readonly thorough: boolean;
  /** Models at which chains after the first begin. */
  readonly starts: readonly (readonly number[])[] | undefined;
}

async function sampled(
  problem: Problem,
  candidates: readonly number[],
  { space, thorough, starts }: Sampling,
): Promise<StretchOutput[]> {
  const { pool, options, spec, seed, scaling, target, store } = problem;
  const common = {
    family: nameOf(target.family),
    columns: candidates,
    slope: Float64Array.from([...candidates.map((j) => scaling.slope[j]), target.scaling.slope]),
    offset: Float64Array.from([...candidates.map((j) => scaling.offset[j]), target.scaling.offset]),
    slab: spec.slab,
    space,
    hasIntercept: spec.centred,
    seed,
  };
  const outputs: StretchOutput[] = [];
  let sweeps = FIRST_SWEEPS;
  for (let round = 0, done = 0; ; round++) {
    const jobs = Array.from({ length: CHAINS }, (_, chain): StretchInput => {
      const last = outputs.findLast((output) => output.chain === chain);
      return {
        ...common,
        chain,
        round,
        sweeps,
        burnIn: last ? 0 : BURN_IN,
        from: last?.end ?? { members: starts?.[chain - 1] ?? startOf(space, candidates.length, chain) },
        laws: LAWS,
      };
    });
    const { signal } = options;
    const found = await pool.run(stretchJob, jobs, round === 0 ? {} : { signal });
    outputs.push(...found);
    const weights = augmentedWeights(outputs, spec.slab, space.always.length);
    done += sweeps;
    const affordable = affordableSweeps(store.layout.rows, candidates.length, weights);
    const good = isGood(weights, 2 * done < affordable ? GOOD_ERROR.usual : GOOD_ERROR.late);
    if (!thorough || good || signal?.aborted || done >= affordable) return outputs;
    sweeps = Math.min(done, Math.ceil(affordable * LONGEST), affordable - done);
  }
}

/** Chains begin with models of different sizes, of columns that have nothing to do with the target. */
function startOf(space: ModelSpace, candidates: number, chain: number): number[] {
  const size = Math.min(largestSize(space, candidates), Math.floor((candidates * chain) / 20));
  const known = new Set(space.always);
  const others = Array.from({ length: size }, (_, i) => Math.floor(((i + 0.5) * candidates) / size));
  return [...space.always, ...others.filter((j) => !known.has(j))].sort((a, b) => a - b);
}

function isGood({ inclusionError, mixing }: ModelWeights, enough: number): boolean {
  const worst = inclusionError.reduce((a, b) => Math.max(a, b), 0);
  const draws = mixing?.ess ?? Number.POSITIVE_INFINITY;
  return worst <= enough && (mixing?.rhat ?? 1) <= GOOD_RHAT && draws >= ESS_PER_CHAIN * CHAINS;
}

/** A sweep takes the products of members with all columns, and of those that come, and as many steps of a walk. */
function affordableSweeps(rows: number, columns: number, { size }: ModelWeights): number {
  const members = size.reduce((sum, probability, k) => sum + probability * k, 0);
  const products = rows * columns * (2 * members + 6);
  const walk = columns * (members + 1) * (1.5 * members + 8);
  const all = products + walk + WEIGHT * rows + FLIP * (2 * members + 2);
  return Math.max(FIRST_SWEEPS, Math.round(WORK / CHAINS / all));
}

function describe(problem: Problem, weighed: AugmentedWeighed): Described {
  const { spec } = problem;
  const { candidates, weights, mixture } = weighed;
  const centre = spec.centred ? centreOfWeights(problem, candidates, weighed.centre) : undefined;
  return {
    mixture,
    centre,
    component: (members) => atMode(problem, candidates, weights.slab, weighed, members),
    likeliest: weighed.likeliest,
    chains: CHAINS,
    fixedLength: true,
    slabConflict: undefined,
    predictorLaw: () => undefined,
    // No number that is reported hangs on a mode.
    atMode: true,
    // The law of the coefficients is that of the draws themselves.
    stein: async () => undefined,
    settings: { posterior: "sampled", likelihood: "exact" },
  };
}
