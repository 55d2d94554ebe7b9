/**
 * Coefficients under the posterior over models: for each variable a mixture of t distributions, one per model that
 * holds it, and a point mass at zero for the models that do not.
 */

import { quickLogInverseGammaCdf, quickStudentTCdf, studentTVariance } from "../../../math/distributions.js";
import type { CoefficientSummary } from "../../answer/result.js";
import type { Centre } from "../centre.js";
import { Evidence, type ModelPosterior, type PackedLaw, type SufficientStatistics } from "../evidence.js";
import { type ModelWeights, thinnedModels, type WeightedModel } from "../model-weights.js";
import { likeliestScale } from "../scale-law.js";
import { logInverseGammaQuantile, type Part, quantilesOf, slopeOfNoise, solve } from "./quantiles.js";

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

/** Models whose laws are wanted: of the first ones with their scales told apart, of the others at the most probable one. */
export interface WantedLaws {
  readonly models: readonly WeightedModel[];
  /** How many are the first ones. */
  readonly fine: number;
  /** Of the probabilities of all. */
  readonly total: number;
}

/** Models with their posteriors, probabilities adding up to one; `lawsOf` where their laws come from. */
export function components(
  statistics: SufficientStatistics,
  noiseVariance: number | undefined,
  weights: ModelWeights,
  lawsOf: (wanted: WantedLaws) => Component[],
): Component[] {
  const most = mostModels(weights.size);
  const carriers = carrying(weights.models);
  const common = carriers.length <= most ? carriers : thinnedModels(carriers, Math.max(ENOUGH_MODELS, most));
  const finest = Math.min(FINE_MODELS, Math.max(ENOUGH_FINE, most));
  const scale = { kind: weights.slab.kind, scale: likeliestScale(weights) };
  const whole = new Evidence(statistics, scale, noiseVariance);
  const others = strangers(whole, weights.inclusion, common);
  const models = others.length > 0 ? [...common, ...others] : common;
  let total = 0;
  for (const { probability } of models) total += probability;
  let [fine, before] = [0, 0];
  while (fine < Math.min(finest, models.length) && before < FINE_SHARE * total) {
    before += models[fine++].probability;
  }
  return lawsOf({ models, fine, total });
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
  const unknown = new Set(Array.from(inclusion.keys()).filter((j) => inclusion[j] > 0));
  for (const { members } of models) {
    // A few models hold nearly all.
    if (unknown.size === 0) return [];
    for (let i = 0; i < members.length; i++) unknown.delete(members[i]);
  }
  const top = models[0].members;
  evidence.rebuild(top);
  return [...unknown]
    .filter((j) => evidence.canAdd(j))
    .map((j) => ({ members: [...top, j], probability: inclusion[j] }));
}

/** Summaries of all candidates. `inclusion` are the best known probabilities, by which the mixtures are scaled. */
export function summarizeCoefficients(
  mixture: readonly Component[],
  inclusion: Float64Array,
): MixtureSummary[] {
  const { total, mean: means, square: squares, positive: positives } = momentsOf(mixture, inclusion.length);
  const few = partsByVariable(thinnedModels(mixture, QUANTILE_MODELS), inclusion.length);
  return Array.from(inclusion, (pip, j) => {
    if (total[j] === 0 || pip === 0) return NOTHING;
    const meanIfIncluded = means[j] / total[j];
    const positive = positives[j] / total[j];
    const mean = pip * meanIfIncluded;
    const quantile = quantilesOf(few[j].length > 0 ? few[j] : partsOf(mixture, j));
    return {
      mean,
      sd: Math.sqrt(Math.max(0, (pip * squares[j]) / total[j] - mean * mean)),
      lower: quantile(pip, 0.025),
      upper: quantile(pip, 0.975),
      meanIfIncluded,
      lowerIfIncluded: quantile(1, 0.025),
      upperIfIncluded: quantile(1, 0.975),
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
  const quantile = quantilesOf(parts);
  return {
    mean,
    sd: Math.sqrt(Math.max(0, second / total - mean * mean)),
    lower: quantile(1, 0.025),
    upper: quantile(1, 0.975),
  };
}

/** Sums over the models that hold each variable, in one pass: of weights, means, squares and shares above zero. */
export function momentsOf(mixture: readonly Component[], count: number) {
  const [total, mean, square, positive] = Array.from({ length: 4 }, () => new Float64Array(count));
  for (const { probability, posterior } of mixture) {
    const { members, freedom } = posterior;
    const { numbers, meanAt, variancesAt } = packed(posterior);
    const spread = studentTVariance(freedom);
    for (let i = 0; i < members.length; i++) {
      const j = members[i];
      const centre = numbers[meanAt + i];
      const variance = numbers[variancesAt + i];
      total[j] += probability;
      mean[j] += probability * centre;
      square[j] += probability * (centre * centre + variance * spread);
      positive[j] += probability * quickStudentTCdf(centre / Math.sqrt(variance), freedom);
    }
  }
  return { total, mean, square, positive };
}

/** The means and variances of a model, one behind the other. */
function packed(posterior: ModelPosterior): PackedLaw {
  if (posterior.packed) return posterior.packed;
  const { members, mean, covariance } = posterior;
  const k = members.length;
  const numbers = new Float64Array(2 * k);
  numbers.set(mean);
  for (let i = 0; i < k; i++) numbers[k + i] = covariance[i * k + i];
  return { numbers, meanAt: 0, variancesAt: k };
}

/** The laws of each variable under the models that hold it. */
function partsByVariable(mixture: readonly Component[], count: number): Part[][] {
  const parts = Array.from({ length: count }, (): Part[] => []);
  for (const { probability, posterior } of mixture) {
    const { members } = posterior;
    for (let i = 0; i < members.length; i++) parts[members[i]].push(partAt(posterior, i, probability));
  }
  return parts;
}

function partsOf(mixture: readonly Component[], j: number): Part[] {
  return mixture.flatMap(({ probability, posterior }) => {
    const i = posterior.members.indexOf(j);
    return i < 0 ? [] : [partAt(posterior, i, probability)];
  });
}

function partAt(posterior: ModelPosterior, i: number, weight: number): Part {
  const { numbers, meanAt, variancesAt } = packed(posterior);
  const scale = Math.sqrt(numbers[variancesAt + i]);
  return { weight, mean: numbers[meanAt + i], scale, freedom: posterior.freedom };
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
  const logs = Float64Array.from(few, ({ posterior }) => Math.log(posterior.residualSquares));
  const below = (log: number): number => {
    let sum = 0;
    for (let m = 0; m < few.length; m++) {
      const { probability, posterior } = few[m];
      sum += probability * quickLogInverseGammaCdf(log - logs[m], posterior.freedom);
    }
    return sum;
  };
  const quantile = (q: number): number => {
    let [low, high, guess] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 0];
    let [freedom, unit] = [Number.NaN, 0];
    for (const [m, { probability, posterior }] of few.entries()) {
      if (posterior.freedom !== freedom) {
        freedom = posterior.freedom;
        unit = logInverseGammaQuantile(q, freedom);
      }
      const own = unit + logs[m];
      low = Math.min(low, own);
      high = Math.max(high, own);
      guess += probability * own;
    }
    return Math.exp(solve(below, q, { low, high, guess, slope: slopeOfNoise(q, freedom) }));
  };
  return { mean: meanNoise(mixture), lower: quantile(0.025), upper: quantile(0.975) };
}
