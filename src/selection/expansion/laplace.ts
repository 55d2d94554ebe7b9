/**
 * A model of a binomial or Poisson target at its own mode,
 *
 *     log p(y | S) ≈ ℓ(θ̂) − θ̂'θ̂/(2v) − (k/2) log v − ½ log |H + Λ|
 *
 * (Tierney and Kadane 1986), with the integral done better where that is in doubt (integral.ts), and the law of its
 * coefficients there.
 */

import { cholesky, inverse, logDeterminant, multiply } from "../../math/linear.js";
import {
  Evidence,
  type ModelPosterior,
  type SufficientStatistics,
  subsetStatistics,
} from "../posterior/evidence.js";
import type { ModelSpace } from "../posterior/model-weights.js";
import { likeliest, scaleLaw } from "../posterior/scale-law.js";
import { type FixedSlab, logPriorAt, logSum, type Slab } from "../posterior/slab.js";
import { bendPosterior, integralByColumns, type Measured } from "./by-columns.js";
import { type Expansion, type GlmPoint, quadraticStatistics, type WeightedCentre } from "./expansion.js";
import { type CoefficientPrior, type Integral, integralAt, tooLargeForDraws } from "./integral.js";
import { type ModeSettings, modeOf } from "./mode.js";
import { type ModeFound, modesOf } from "./modes.js";

export interface LaplaceProblem {
  readonly settings: ModeSettings;
  readonly candidates: readonly number[];
  readonly slab: Slab;
  readonly space: ModelSpace;
  readonly seed: number;
  /** What is known of integrals by columns. */
  readonly measured: Measured;
}

/** An expansion of the likelihood on all candidates. */
export interface Quadratic {
  readonly point: GlmPoint;
  readonly statistics: SufficientStatistics;
  readonly centre: WeightedCentre;
  /** What it misjudges about each candidate by itself. */
  readonly lone: Float64Array;
}

/** The law of a model's coefficients at its own mode, and where its regression passes through. */
export interface OwnLaw {
  /** At the scale that the model finds most probable. */
  readonly slab: FixedSlab;
  readonly posterior: ModelPosterior;
  /** Its means are those of the members, in their order. */
  readonly centre: WeightedCentre;
}

export interface OwnModel {
  readonly members: readonly number[];
  /** log p(y | S), up to a constant that all models share, and its standard error. */
  readonly log: number;
  readonly error: number;
  readonly law: OwnLaw;
  /** How far its mode is from where the expansion has it. */
  readonly moved: Moved;
  /** Passes to its mode, and moves at which its likelihood was looked at: what it took. */
  readonly passes: number;
  readonly moves: number;
}

/** Of the coefficients of some members, in their order, and of the intercept. */
export interface Moved {
  readonly theta: Float64Array;
  readonly intercept: number;
}

/** A model, and how far its mode is expected to be from where an expansion has it. */
export interface Expected {
  readonly members: readonly number[];
  readonly moved: Moved;
}

/**
 * Models at their own modes, which are looked for from where the expansion has them, moved as modes of other models were;
 * undefined where they were not found.
 */
export async function ownModelsAt(
  models: readonly Expected[],
  problem: LaplaceProblem,
  from: Quadratic,
): Promise<(OwnModel | undefined)[]> {
  const begun = models.map((model) => beginning(model, problem, from));
  const searches = await firstSearches(begun, problem);
  const worked: (OwnModel | undefined)[] = [];
  for (const [m, search] of searches.entries()) {
    worked.push(await ownModel(models[m].members, begun[m], search, problem));
  }
  return worked;
}

/** Several models are shared out among threads; one is looked for by all of them. */
async function firstSearches(
  begun: readonly Beginning[],
  { settings }: LaplaceProblem,
): Promise<ModeFound[]> {
  if (begun.length !== 1) return modesOf(settings, begun);
  const [{ start, slabVariance }] = begun;
  return [{ search: await modeOf({ ...settings, slabVariance }, start, "integral") }];
}

async function ownModel(
  members: readonly number[],
  begun: Beginning,
  first: ModeFound,
  problem: LaplaceProblem,
): Promise<OwnModel | undefined> {
  const { slab, seed } = problem;
  const found = await modeAtBestScale(members, begun, first, problem);
  if (!found) return undefined;
  const { mode, passes, best, own, centre, scales } = found;
  const settings = { ...problem.settings, slabVariance: best.scale };
  const { hasIntercept } = settings;
  const size = members.length + 1;
  const matrix = mode.information.slice();
  for (let i = 1; i < size; i++) matrix[i * size + i] += 1 / best.scale;
  if (!hasIntercept) for (let i = 0; i < size; i++) matrix[i] = matrix[i * size] = i === 0 ? 1 : 0;
  if (!cholesky(matrix, size)) return undefined;
  const prior = priorOf(slab, best);
  const integral = tooLargeForDraws(settings.store.layout.rows, mode)
    ? await integralByColumns(settings, { mode, prior, own, slab: best }, problem)
    : await integralAt(settings, mode, prior, { seed, cubes: found.cubes });
  const logPrior = integral.moments
    ? prior.logDensity(mode.point.theta)
    : atScale(slab, best, mode.point.theta) + scales;
  const laplace = mode.logLikelihood + logPrior - 0.5 * logDeterminant(matrix, size);
  const there = new Evidence(own, best, 1);
  there.rebuild(members.map((_, i) => i));
  const posterior = { ...there.posterior(), members };
  if (integral.laws) bendPosterior(posterior, integral.laws);
  const law = { slab: best, posterior, centre };
  return {
    members,
    log: laplace + integral.log,
    error: integral.error,
    law: integral.moments ? integratedLaw(law, integral.moments, hasIntercept) : law,
    moved: found.moved,
    passes,
    moves: integral.moves,
  };
}

interface FoundMode extends Pick<ModeFound, "cubes"> {
  readonly mode: Expansion;
  readonly moved: Moved;
  readonly passes: number;
  readonly best: FixedSlab;
  /** The expansion at the mode as statistics. */
  readonly own: SufficientStatistics;
  readonly centre: WeightedCentre;
  /** What the other scales add to the logarithm of the integral, by the expansion at the mode. */
  readonly scales: number;
}

/** Where a mode is looked for: at the scale that the expansion has the model find most probable. */
interface Beginning {
  readonly best: FixedSlab;
  readonly slabVariance: number;
  /** Where the expansion has the mode, and there moved as modes of other models were. */
  readonly expected: GlmPoint;
  readonly start: GlmPoint;
}

function beginning({ members, moved }: Expected, problem: LaplaceProblem, from: Quadratic): Beginning {
  const { slab } = problem;
  const best = likeliest(slab, scaleLaw(from.statistics, slab, 1, members));
  const expected = startOf(members, problem, from, best);
  return { best, slabVariance: best.scale, expected, start: plus(expected, moved, 1) };
}

/** The mode at the scale that the model finds most probable there, after a first search for it. */
async function modeAtBestScale(
  members: readonly number[],
  begun: Beginning,
  first: ModeFound,
  { slab, settings }: LaplaceProblem,
): Promise<FoundMode | undefined> {
  const { hasIntercept, store } = settings;
  const all = members.map((_, i) => i);
  let { best, start } = begun;
  let { search, cubes }: ModeFound = first;
  for (let passes = 0, tries = 1; ; tries++) {
    passes += search.passes;
    const at = { ...settings, slabVariance: best.scale };
    if (!search.found) {
      cubes = undefined;
      const theta = new Float64Array(members.length);
      search = await modeOf(at, { ...start, theta, intercept: settings.nullIntercept ?? 0 }, "integral");
    }
    if (!search.found) return undefined;
    const { mode } = search;
    const { statistics: own, centre } = quadraticStatistics(mode, store.layout.rows, hasIntercept);
    const law = scaleLaw(own, slab, 1, all);
    const better = likeliest(slab, law);
    const share = law.probability[slab.scales.indexOf(best.scale)];
    // From an expansion elsewhere the scale may look another.
    if (tries === MOST_SCALES || share > 0.5 * Math.max(...law.probability)) {
      const moved = plus(mode.point, begun.expected, -1);
      return { mode, cubes, moved, passes, best, own, centre, scales: -Math.log(share) };
    }
    best = better;
    start = mode.point;
    cubes = undefined;
    search = await modeOf({ ...settings, slabVariance: best.scale }, start, "integral");
  }
}

const MOST_SCALES = 3;

/** Most that a column may move the linear predictor of a row away from the expansion: beyond, that says nothing. */
const TRUSTED = 4;

/** Where the expansion has the mode of a model, as far as it can be trusted. */
function startOf(
  members: readonly number[],
  { settings, candidates }: LaplaceProblem,
  { point, statistics, centre }: Quadratic,
  slab: FixedSlab,
): GlmPoint {
  const evidence = new Evidence(subsetStatistics(statistics, members), slab, 1);
  evidence.rebuild(members.map((_, i) => i));
  const { mean } = evidence.posterior();
  const theta = mean.map((t, a) => {
    const here = point.theta[members[a]];
    const most = TRUSTED / settings.tallest(candidates[members[a]]);
    return here + Math.max(-most, Math.min(most, t - here));
  });
  const intercept = members.reduce((sum, i, a) => sum - theta[a] * centre.means[i], centre.intercept);
  return {
    columns: members.map((i) => candidates[i]),
    theta,
    intercept: settings.hasIntercept ? intercept : 0,
  };
}

const plus = (point: GlmPoint, by: Moved, share: 1 | -1): GlmPoint => ({
  ...point,
  theta: point.theta.map((t, i) => t + share * by.theta[i]),
  intercept: point.intercept + share * by.intercept,
});

/** N(0, v) for every coefficient, without the powers of 2π, and the prior of v. */
function atScale(slab: Slab, { scale }: FixedSlab, theta: Float64Array): number {
  const squares = theta.reduce((sum, t) => sum + t * t, 0);
  return (
    logPriorAt(slab, slab.scales.indexOf(scale), theta.length) -
    0.5 * (squares / scale + theta.length * Math.log(scale))
  );
}

/** N(0, v) for every coefficient, without the powers of 2π, over all scales v; its curvature is that at the best. */
function priorOf(slab: Slab, best: FixedSlab): CoefficientPrior {
  return {
    precision: 1 / best.scale,
    logDensity(theta) {
      const squares = theta.reduce((sum, t) => sum + t * t, 0);
      const [k, { scales }] = [theta.length, slab];
      return logSum(scales.map((v, s) => logPriorAt(slab, s, k) - 0.5 * (squares / v + k * Math.log(v))));
    },
  };
}

/** The normal law with the means and covariances of the integral, told as coefficients and an intercept given them. */
function integratedLaw(
  { slab, posterior }: OwnLaw,
  { mean, covariance }: NonNullable<Integral["moments"]>,
  hasIntercept: boolean,
): OwnLaw {
  const size = mean.length;
  const k = size - 1;
  const slopes = new Float64Array(k * k);
  for (let i = 0; i < k; i++) {
    for (let j = 0; j < k; j++) slopes[i * k + j] = covariance[(i + 1) * size + j + 1];
  }
  const own = { ...posterior, mean: mean.slice(1), covariance: slopes };
  const centre = { intercept: mean[0], variance: covariance[0], means: new Float64Array(k) };
  const factor = slopes.slice();
  if (!hasIntercept || k === 0 || !cholesky(factor, k)) return { slab, posterior: own, centre };
  const precision = new Float64Array(k * k);
  inverse(precision, factor, k);
  const between = Float64Array.from({ length: k }, (_, i) => -covariance[i + 1]);
  multiply(centre.means, precision, between, k, k);
  centre.means.forEach((at, i) => {
    centre.intercept += at * own.mean[i];
    centre.variance += at * covariance[i + 1];
  });
  return { slab, posterior: own, centre };
}
