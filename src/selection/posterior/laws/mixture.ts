/**
 * Coefficients under the posterior over models: for each variable a mixture of t distributions, one per model that
 * holds it, and a point mass at zero for the models that do not.
 */

import {
  chiSquareTail,
  normalQuantile,
  quickStudentTCdf,
  studentTQuantile,
  studentTVariance,
} from "../../../math/distributions.js";
import type { CoefficientSummary } from "../../answer/result.js";
import type { Centre } from "../centre.js";
import { Evidence, type ModelPosterior, type SufficientStatistics } from "../evidence.js";
import { type ModelWeights, thinnedModels, type WeightedModel } from "../model-weights.js";
import { likeliestScale } from "../scale-law.js";
import type { LawPart } from "./model-law.js";

export interface MixtureSummary extends CoefficientSummary {
  readonly meanIfIncluded: number;
  readonly lowerIfIncluded: number;
  readonly upperIfIncluded: number;
  readonly signProbability: number;
}

export interface Component {
  readonly probability: number;
  readonly posterior: ModelPosterior;
  /** Where the regression passes through; undefined without an intercept. */
  readonly centre: Centre | undefined;
}

/** Models whose coefficients are worked out, and those of them that the quantiles are computed from. */
const MAX_MODELS = 2 ** 15;
/** Large models take the cube of their size: no more of them than this allows, but enough to stand for all. */
const WORK = 1e8;
const ENOUGH_MODELS = 300;
const ENOUGH_FINE = 100;
/** Models that carry less than this of the posterior together have no say in coefficients: nobody would see it. */
const NOTHING_LEFT = 1e-7;
/** Scales are told apart in the models that carry this share of the posterior, and in no more than so many. */
const FINE_SHARE = 0.999;
const FINE_MODELS = 1000;
const QUANTILE_MODELS = 1000;

/** A model whose law is wanted: `fine`, with its scales told apart, or at the most probable one alone. */
export interface WantedLaw {
  readonly members: readonly number[];
  readonly fine: boolean;
}

/** Models with their posteriors, probabilities adding up to one; `lawsOf` where their laws come from. */
export function components(
  statistics: SufficientStatistics,
  noiseVariance: number | undefined,
  weights: ModelWeights,
  lawsOf: (models: readonly WantedLaw[]) => readonly (readonly Omit<LawPart, "slab">[])[],
): Component[] {
  const most = mostModels(weights.size);
  const common = thinnedModels(carrying(weights.models), Math.max(ENOUGH_MODELS, most));
  const finest = Math.min(FINE_MODELS, Math.max(ENOUGH_FINE, most));
  const scale = { kind: weights.slab.kind, scale: likeliestScale(weights) };
  const whole = new Evidence(statistics, scale, noiseVariance);
  const chosen = [...common, ...strangers(whole, weights.inclusion, common)];
  const total = chosen.reduce((sum, { probability }) => sum + probability, 0);
  let before = 0;
  const wanted = chosen.map(({ members, probability }, m) => {
    const fine = m < finest && before < FINE_SHARE * total;
    before += probability;
    return { members, fine };
  });
  return lawsOf(wanted).flatMap((parts, m) =>
    parts.map(({ share, posterior, centre }) => ({
      probability: (share * chosen[m].probability) / total,
      posterior,
      centre,
    })),
  );
}

/** The most probable models, without those whose share of all is nothing together. */
function carrying(models: readonly WeightedModel[]): readonly WeightedModel[] {
  let left = models.reduce((sum, { probability }) => sum + probability, 0);
  const nothing = NOTHING_LEFT * left;
  const end = models.findIndex(({ probability }) => {
    const before = left;
    left -= probability;
    return before < nothing;
  });
  return end > 0 ? models.slice(0, end) : models;
}

function mostModels(sizes: Float64Array): number {
  const size = sizes.reduce((sum, probability, k) => sum + probability * k, 1);
  return Math.min(MAX_MODELS, Math.floor(WORK / size ** 3));
}

/** A candidate in none of the models is taken to join the most probable one: what its effect would be. */
function strangers(
  evidence: Evidence,
  inclusion: Float64Array,
  models: readonly WeightedModel[],
): WeightedModel[] {
  const known = new Uint8Array(inclusion.length);
  for (const { members } of models) for (const j of members) known[j] = 1;
  const top = models[0].members;
  evidence.rebuild(top);
  return Array.from(inclusion.keys())
    .filter((j) => known[j] === 0 && inclusion[j] > 0 && evidence.canAdd(j))
    .map((j) => ({ members: [...top, j], probability: inclusion[j] }));
}

/** Summaries of all candidates. `inclusion` are the best known probabilities, by which the mixtures are scaled. */
export function summarizeCoefficients(
  mixture: readonly Component[],
  inclusion: Float64Array,
): MixtureSummary[] {
  const few = thinnedModels(mixture, QUANTILE_MODELS);
  const { total, mean: means, square: squares, positive: positives } = momentsOf(mixture, inclusion.length);
  return Array.from(inclusion, (pip, j) => {
    if (total[j] === 0 || pip === 0) return NOTHING;
    const meanIfIncluded = means[j] / total[j];
    const positive = positives[j] / total[j];
    const mean = pip * meanIfIncluded;
    const parts = partsOf(few, j);
    const shown = parts.length > 0 ? parts : partsOf(mixture, j);
    return {
      mean,
      sd: Math.sqrt(Math.max(0, (pip * squares[j]) / total[j] - mean * mean)),
      lower: quantileOf(shown, pip, 0.025),
      upper: quantileOf(shown, pip, 0.975),
      meanIfIncluded,
      lowerIfIncluded: quantileOf(shown, 1, 0.025),
      upperIfIncluded: quantileOf(shown, 1, 0.975),
      signProbability: meanIfIncluded >= 0 ? positive : 1 - positive,
    };
  });
}

/** Of a quantity that every model has a t distribution of. */
export function summarizeOne(
  mixture: readonly Component[],
  law: (component: Component) => { readonly mean: number; readonly variance: number },
): CoefficientSummary {
  let [total, first, second] = [0, 0, 0];
  for (const component of mixture) {
    const { probability, posterior } = component;
    const { mean, variance } = law(component);
    total += probability;
    first += probability * mean;
    second += probability * (mean * mean + variance * studentTVariance(posterior.freedom));
  }
  const mean = first / total;
  const parts = thinnedModels(mixture, QUANTILE_MODELS).map((component): Part => {
    const { mean, variance } = law(component);
    const { freedom } = component.posterior;
    return { weight: component.probability, mean, scale: Math.sqrt(variance), freedom };
  });
  return {
    mean,
    sd: Math.sqrt(Math.max(0, second / total - mean * mean)),
    lower: quantileOf(parts, 1, 0.025),
    upper: quantileOf(parts, 1, 0.975),
  };
}

/** Sums over the models that hold each variable, in one pass: of weights, means, squares and shares above zero. */
export function momentsOf(mixture: readonly Component[], count: number) {
  const [total, mean, square, positive] = Array.from({ length: 4 }, () => new Float64Array(count));
  for (const { probability, posterior } of mixture) {
    const { members, freedom, mean: centre } = posterior;
    const variances = variancesOf(posterior);
    const k = members.length;
    const spread = studentTVariance(freedom);
    for (let i = 0; i < k; i++) {
      const j = members[i];
      const variance = variances[i];
      total[j] += probability;
      mean[j] += probability * centre[i];
      square[j] += probability * (centre[i] ** 2 + variance * spread);
      positive[j] += probability * quickStudentTCdf(centre[i] / Math.sqrt(variance), freedom);
    }
  }
  return { total, mean, square, positive };
}

function variancesOf(posterior: ModelPosterior): Float64Array {
  if (posterior.variances) return posterior.variances;
  const { members, covariance } = posterior;
  const k = members.length;
  return Float64Array.from({ length: k }, (_, i) => covariance[i * k + i]);
}

const NOTHING: MixtureSummary = {
  mean: 0,
  sd: 0,
  lower: 0,
  upper: 0,
  meanIfIncluded: 0,
  lowerIfIncluded: 0,
  upperIfIncluded: 0,
  signProbability: 0.5,
};

export function meanNoise(mixture: readonly Component[]): number {
  return mixture.reduce((sum, { probability, posterior: { residualSquares, freedom } }) => {
    return sum + (probability * residualSquares) / Math.max(freedom - 2, 1);
  }, 0);
}

/** σ² when it is unknown: a mixture of inverse gammas. */
export function summarizeNoise(mixture: readonly Component[]): {
  mean: number;
  lower: number;
  upper: number;
} {
  const few = thinnedModels(mixture, QUANTILE_MODELS);
  const below = (log: number): number =>
    few.reduce((sum, { probability, posterior }) => {
      return sum + probability * chiSquareTail(posterior.residualSquares * Math.exp(-log), posterior.freedom);
    }, 0);
  const quantile = (q: number): number => {
    let [low, high, guess] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 0];
    let [freedom, unit] = [Number.NaN, 0];
    for (const { probability, posterior } of few) {
      if (posterior.freedom !== freedom) {
        freedom = posterior.freedom;
        unit = logInverseGammaQuantile(q, freedom);
      }
      const own = unit + Math.log(posterior.residualSquares);
      low = Math.min(low, own);
      high = Math.max(high, own);
      guess += probability * own;
    }
    return Math.exp(solve(below, q, { low, high, guess, slope: slopeOfNoise(q, freedom) }));
  };
  return { mean: meanNoise(mixture), lower: quantile(0.025), upper: quantile(0.975) };
}

/** Of σ² with a residual sum of squares of one, in logs: from two degrees of freedom on within a factor of 40 of 1/ν. */
function logInverseGammaQuantile(q: number, freedom: number): number {
  const below = (log: number): number => chiSquareTail(Math.exp(-log), freedom);
  const [low, high] = [-Math.log(64 * freedom), Math.log(64 / freedom)];
  // log σ² is about normal with a variance of 2/ν.
  const guess = -Math.log(freedom) + normalQuantile(q) * Math.sqrt(2 / freedom);
  return solve(below, q, { low, high, guess, slope: slopeOfNoise(q, freedom) });
}

const slopeOfNoise = (q: number, freedom: number): number =>
  normalDensity(normalQuantile(q)) / Math.sqrt(2 / freedom);

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
    const scale = Math.sqrt(variancesOf(posterior)[i]);
    parts.push({ weight: probability, mean: posterior.mean[i], scale, freedom: posterior.freedom });
  }
  return parts;
}

function cdf({ mean, scale, freedom }: Part, x: number): number {
  return quickStudentTCdf((x - mean) / scale, freedom);
}

/** Quantile of pip·mixture + (1 − pip)·zero. */
function quantileOf(parts: readonly Part[], pip: number, q: number): number {
  // The mass at zero reaches from one end beyond the other.
  if (pip < Math.min(q, 1 - q)) return 0;
  const total = parts.reduce((sum, part) => sum + part.weight, 0);
  const below = (x: number) =>
    parts.reduce((sum, part) => sum + (part.weight * pip * cdf(part, x)) / total, 0);
  const negative = below(0);
  if (q > negative && q <= negative + (1 - pip)) return 0;
  const level = q <= negative ? q : q - (1 - pip);
  const { low, high, ...near } = between(parts, level / pip, total);
  const clipped = (x: number): number => (q <= negative ? Math.min(x, 0) : Math.max(x, 0));
  return solve(below, level, { ...near, low: clipped(low), high: clipped(high) });
}

function between(parts: readonly Part[], level: number, total: number): Bracket {
  let [low, high, guess, width] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 0, 0];
  let [freedom, t] = [Number.NaN, 0];
  for (const part of parts) {
    // Parts share their degrees of freedom but for where they come from different rows.
    if (part.freedom !== freedom) [freedom, t] = [part.freedom, studentTQuantile(level, part.freedom)];
    const own = part.mean + part.scale * t;
    low = Math.min(low, own);
    high = Math.max(high, own);
    guess += (part.weight / total) * own;
    width += (part.weight / total) * part.scale;
  }
  return { low, high, guess, slope: normalDensity(t) / width };
}

const normalDensity = (z: number): number => Math.exp(-0.5 * z * z) / Math.sqrt(2 * Math.PI);

/** Where to look for a quantile: between those of all parts, first at their mean, with a slope of about this. */
interface Bracket {
  readonly low: number;
  readonly high: number;
  readonly guess: number;
  readonly slope: number;
}

/** The x at which an increasing function reaches a level, by secants, and by halving where they lead astray. */
function solve(f: (x: number) => number, level: number, { guess, slope, ...ends }: Bracket): number {
  let { low, high } = ends;
  const tolerance = 1e-9 * (high - low);
  let x = Math.max(low, Math.min(high, guess));
  let value = f(x) - level;
  let rate = slope;
  for (let i = 0; i < 100 && Math.abs(value) >= 1e-10 && high - low > tolerance; i++) {
    if (value < 0) low = x;
    else high = x;
    const straight = x - value / rate;
    const next = i % 4 < 3 && straight > low && straight < high ? straight : 0.5 * (low + high);
    const after = f(next) - level;
    rate = (after - value) / (next - x);
    x = next;
    value = after;
  }
  return x;
}
