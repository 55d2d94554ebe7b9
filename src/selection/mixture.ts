/**
 * Coefficients under the posterior over models: for each variable a mixture of t distributions, one per model that
 * holds it, and a point mass at zero for the models that do not.
 */

import { chiSquareTail, normalCdf, studentTCdf } from "../math/distributions.js";
import type { Evidence, ModelPosterior } from "./evidence.js";
import type { ModelWeights, WeightedModel } from "./model-weights.js";
import type { CoefficientSummary } from "./result.js";

export interface MixtureSummary extends CoefficientSummary {
  readonly meanIfIncluded: number;
  readonly signProbability: number;
}

export interface Component {
  readonly probability: number;
  readonly posterior: ModelPosterior;
}

/** Share of the posterior whose models are worked out one by one, and the most models that may take. */
const COVERED = 0.9999;
const MAX_MODELS = 5000;
/** Models that the quantiles are computed from. */
const QUANTILE_MODELS = 300;

/** Models that stand for all, with their posteriors; probabilities add up to one. */
export function components(evidence: Evidence, weights: ModelWeights): Component[] {
  const common = standing(weights.models);
  const chosen = [...common, ...strangers(evidence, weights, common)];
  const total = chosen.reduce((sum, { probability }) => sum + probability, 0);
  return chosen.map(({ members, probability }) => {
    evidence.rebuild(members);
    return { probability: probability / total, posterior: evidence.posterior() };
  });
}

/** The most probable models; where the posterior is so diffuse that they are too many, a fair sample of all. */
function standing(models: readonly WeightedModel[]): WeightedModel[] {
  const listed = models.reduce((sum, { probability }) => sum + probability, 0);
  let covered = 0;
  for (let count = 0; count < models.length; count++) {
    if (covered >= COVERED * listed) return models.slice(0, count);
    if (count === MAX_MODELS) break;
    covered += models[count].probability;
  }
  return thinned(models, MAX_MODELS);
}

/** A candidate in none of those models is taken to join the most probable one: what its effect would be. */
function strangers(
  evidence: Evidence,
  weights: ModelWeights,
  models: readonly WeightedModel[],
): WeightedModel[] {
  const known = new Set(models.flatMap(({ members }) => members));
  const top = models[0]?.members ?? [];
  evidence.rebuild(top);
  return Array.from(weights.inclusion.keys())
    .filter((j) => !known.has(j) && weights.inclusion[j] > 0 && evidence.canAdd(j))
    .map((j) => ({ members: [...top, j], probability: weights.inclusion[j] }));
}

/** Summaries of all candidates. `inclusion` are the best known probabilities, by which the mixtures are scaled. */
export function summarizeCoefficients(
  mixture: readonly Component[],
  inclusion: Float64Array,
): MixtureSummary[] {
  const few = thinned(mixture, QUANTILE_MODELS);
  return Array.from(inclusion, (pip, j) => {
    const all = partsOf(mixture, j);
    const total = all.reduce((sum, part) => sum + part.weight, 0);
    if (total === 0 || pip === 0) {
      return { mean: 0, sd: 0, lower: 0, upper: 0, meanIfIncluded: 0, signProbability: 0.5 };
    }
    const average = (f: (part: Part) => number) =>
      all.reduce((sum, part) => sum + part.weight * f(part), 0) / total;
    const meanIfIncluded = average((part) => part.mean);
    const square = average((part) => part.mean ** 2 + part.scale ** 2 * spread(part.freedom));
    const positive = average((part) => 1 - cdf(part, 0));
    const mean = pip * meanIfIncluded;
    const parts = partsOf(few, j);
    const shown = parts.length > 0 ? parts : all;
    return {
      mean,
      sd: Math.sqrt(Math.max(0, pip * square - mean * mean)),
      lower: quantileOf(shown, pip, 0.025),
      upper: quantileOf(shown, pip, 0.975),
      meanIfIncluded,
      signProbability: meanIfIncluded >= 0 ? positive : 1 - positive,
    };
  });
}

/** σ² when it is unknown: a mixture of inverse gammas. */
export function summarizeNoise(mixture: readonly Component[]): {
  mean: number;
  lower: number;
  upper: number;
} {
  const few = thinned(mixture, QUANTILE_MODELS);
  let mean = 0;
  for (const { probability, posterior } of mixture) {
    mean += (probability * posterior.residualSquares) / Math.max(posterior.freedom - 2, 1);
  }
  const below = (x: number): number =>
    few.reduce((sum, { probability, posterior }) => {
      return sum + probability * chiSquareTail(posterior.residualSquares / x, posterior.freedom);
    }, 0);
  // From two degrees of freedom on, a quantile lies within a factor of 40 of RSS/ν.
  const typical = few.map(({ posterior }) => posterior.residualSquares / posterior.freedom);
  const [low, high] = [Math.min(...typical) / 64, Math.max(...typical) * 64];
  return { mean, lower: solve(below, 0.025, low, high), upper: solve(below, 0.975, low, high) };
}

/**
 * At most `count` of them standing for all: systematic resampling, which keeps every model whose share exceeds one in
 * `count` and treats the rest fairly.
 */
export function thinned<M extends { readonly probability: number }>(
  models: readonly M[],
  count: number,
): M[] {
  if (models.length <= count) return [...models];
  const share = models.reduce((sum, { probability }) => sum + probability, 0) / count;
  const kept: M[] = [];
  let cumulative = 0;
  let next = 0.5 * share;
  for (const model of models) {
    cumulative += model.probability;
    let copies = 0;
    for (; next < cumulative && copies < count; next += share) copies += 1;
    if (copies > 0) kept.push({ ...model, probability: copies * share });
  }
  return kept;
}

interface Part {
  readonly weight: number;
  readonly mean: number;
  readonly scale: number;
  readonly freedom: number;
}

function partsOf(mixture: readonly Component[], j: number): Part[] {
  const parts: Part[] = [];
  for (const { probability, posterior } of mixture) {
    const i = posterior.members.indexOf(j);
    if (i < 0) continue;
    const k = posterior.members.length;
    const scale = Math.sqrt(posterior.covariance[i * k + i]);
    parts.push({ weight: probability, mean: posterior.mean[i], scale, freedom: posterior.freedom });
  }
  return parts;
}

/** Variance of a t distribution over its squared scale. */
function spread(freedom: number): number {
  return freedom === Number.POSITIVE_INFINITY ? 1 : freedom > 2 ? freedom / (freedom - 2) : 3;
}

/** Beyond this the t distribution is the normal one to 1e-5. */
const NEARLY_NORMAL = 20_000;

function cdf({ mean, scale, freedom }: Part, x: number): number {
  const z = (x - mean) / scale;
  return freedom > NEARLY_NORMAL ? normalCdf(z) : studentTCdf(z, freedom);
}

/** Quantile of pip·mixture + (1 − pip)·zero. */
function quantileOf(parts: readonly Part[], pip: number, q: number): number {
  const total = parts.reduce((sum, part) => sum + part.weight, 0);
  const below = (x: number) =>
    parts.reduce((sum, part) => sum + (part.weight * pip * cdf(part, x)) / total, 0);
  const negative = below(0);
  if (q > negative && q <= negative + (1 - pip)) return 0;
  const widest = parts.reduce((most, part) => Math.max(most, Math.abs(part.mean) + 40 * part.scale), 0);
  return q <= negative ? solve(below, q, -widest, 0) : solve(below, q - (1 - pip), 0, widest);
}

/** The x at which an increasing function reaches a level, by bisection to full use of the bracket. */
function solve(f: (x: number) => number, level: number, low: number, high: number): number {
  for (let i = 0; i < 60 && high - low > 1e-9 * (Math.abs(low) + Math.abs(high)); i++) {
    const middle = 0.5 * (low + high);
    if (f(middle) < level) low = middle;
    else high = middle;
  }
  return 0.5 * (low + high);
}
