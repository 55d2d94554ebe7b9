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
import { type FixedSlab, logSum, type Slab } from "../posterior/slab.js";
import { type GlmPoint, quadraticStatistics, type WeightedCentre } from "./expansion.js";
import { type CoefficientPrior, type Integral, integralAt } from "./integral.js";
import { type ModeSettings, modeOf } from "./mode.js";

export interface LaplaceProblem {
  readonly settings: ModeSettings;
  readonly candidates: readonly number[];
  readonly slab: Slab;
  readonly space: ModelSpace;
  readonly seed: number;
}

/** An expansion of the likelihood on all candidates. */
export interface Quadratic {
  readonly point: GlmPoint;
  readonly statistics: SufficientStatistics;
  readonly centre: WeightedCentre;
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
  /** Passes to its mode, and moves at which its likelihood was looked at: what it took. */
  readonly passes: number;
  readonly moves: number;
}

/** The model at its own mode, which is looked for from where the expansion has it; undefined where it was not found. */
export async function ownModel(
  members: readonly number[],
  problem: LaplaceProblem,
  from: Quadratic,
): Promise<OwnModel | undefined> {
  const { slab, seed } = problem;
  const best = likeliest(slab, scaleLaw(from.statistics, slab, 1, members));
  const settings = { ...problem.settings, slabVariance: best.scale };
  let search = await modeOf(settings, startOf(members, problem, from, best));
  if (!search.found) {
    const columns = members.map((i) => problem.candidates[i]);
    const theta = new Float64Array(columns.length);
    search = await modeOf(settings, { columns, theta, intercept: settings.nullIntercept ?? 0 });
  }
  if (!search.found) return undefined;
  const { mode, passes } = search;
  const { hasIntercept, store } = settings;
  const size = members.length + 1;
  const matrix = mode.information.slice();
  for (let i = 1; i < size; i++) matrix[i * size + i] += 1 / best.scale;
  if (!hasIntercept) for (let i = 0; i < size; i++) matrix[i] = matrix[i * size] = i === 0 ? 1 : 0;
  if (!cholesky(matrix, size)) return undefined;
  const prior = priorOf(slab, best);
  const laplace =
    mode.logLikelihood + prior.logDensity(mode.point.theta) - 0.5 * logDeterminant(matrix, size);
  const integral = await integralAt(settings, mode, prior, seed);
  const { statistics: own, centre } = quadraticStatistics(mode, store.layout.rows, hasIntercept);
  const there = new Evidence(own, best, 1);
  there.rebuild(members.map((_, i) => i));
  const law = { slab: best, posterior: { ...there.posterior(), members }, centre };
  return {
    members,
    log: laplace + integral.log,
    error: integral.error,
    law: integral.moments ? integratedLaw(law, integral.moments, hasIntercept) : law,
    passes,
    moves: integral.moves,
  };
}

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

/** N(0, v) for every coefficient, without the powers of 2π, over all scales v; its curvature is that at the best. */
function priorOf({ scales, logPrior }: Slab, best: FixedSlab): CoefficientPrior {
  return {
    precision: 1 / best.scale,
    logDensity(theta) {
      const squares = theta.reduce((sum, t) => sum + t * t, 0);
      return logSum(scales.map((v, s) => logPrior[s] - 0.5 * (squares / v + theta.length * Math.log(v))));
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
