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

/** The most probable models with their posteriors; probabilities add up to one. */
export function components(evidence: Evidence, weights: ModelWeights): Component[] {
  const chosen: WeightedModel[] = [];
  let covered = 0;
  for (const model of weights.models) {
    if (covered >= COVERED || chosen.length === MAX_MODELS) break;
    chosen.push(model);
    covered += model.probability;
  }
  return chosen.map(({ members, probability }) => {
    evidence.rebuild(members);
    return { probability: probability / covered, posterior: evidence.posterior() };
  });
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
  return {
    mean,
    lower: solve(below, 0.025, mean / 64, mean * 64),
    upper: solve(below, 0.975, mean / 64, mean * 64),
  };
}

/**
 * At most `count` components standing for all: systematic resampling, which keeps every model whose share exceeds
 * one in `count` and treats the rest fairly.
 */
export function thinned(mixture: readonly Component[], count: number): Component[] {
  if (mixture.length <= count) return [...mixture];
  const kept: Component[] = [];
  let cumulative = 0;
  let next = 0.5 / count;
  for (const component of mixture) {
    cumulative += component.probability;
    let copies = 0;
    for (; next < cumulative && copies <= count; next += 1 / count) copies += 1;
    if (copies > 0) kept.push({ posterior: component.posterior, probability: copies / count });
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
