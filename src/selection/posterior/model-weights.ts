import type { Slab } from "./slab.js";

/** The posterior over models, restricted to the candidates, as it comes out of enumeration or sampling. */
export interface ModelWeights {
  /** Whether every model was visited: then nothing here has Monte Carlo error. */
  readonly exact: boolean;
  /** Visited models, most probable first; `members` are positions among the candidates, in rising order. */
  readonly models: readonly WeightedModel[];
  readonly inclusion: Float64Array;
  /** Monte Carlo standard errors; 0 when exact. */
  readonly inclusionError: Float64Array;
  /** Probability of 0, 1, 2, … selectable variables. */
  readonly size: Float64Array;
  /** The slab at the scales that matter, and their probabilities given the data. */
  readonly slab: Slab;
  readonly scale: Float64Array;
  /**
   * Binomial and Poisson: how far the log odds of a variable are off, by what models show that were worked out at their
   * own modes, times the share of the posterior that was not.
   */
  readonly approximationError?: number;
  /** By how much more large models are misjudged than small ones, in the log odds of a variable, however few those are. */
  readonly leaning?: number;
  /** Models that were to be worked out at their own modes, and whose modes were not found. */
  readonly failedModes?: number;
  /**
   * R-hat of the model size, the fewest effective draws of an open question, and the largest standard error of an
   * inclusion probability by how much chains differ; absent when exact.
   */
  readonly mixing?: { readonly rhat: number; readonly ess?: number; readonly apart?: number };
  /** Present and true when the run was stopped before this was as good as it was meant to be. */
  readonly unfinished?: true;
}

export interface WeightedModel {
  readonly members: readonly number[];
  readonly probability: number;
  /** Of the most probable scale among those of the slab, where it is known. */
  readonly place?: number;
}

/** The models over the candidates and what they are worth beforehand. Plain data: it crosses threads. */
export interface ModelSpace {
  /** log π(γ) of a model with 0, 1, … selectable variables; its length less one is the largest size. */
  readonly logModel: Float64Array;
  /** Candidates that are in every model. */
  readonly always: readonly number[];
  /** What each candidate adds to the log weight of the models that hold it, beside their evidence; absent for nothing. */
  readonly offsets?: Float64Array;
}

/** Most selectable variables a model may have among `candidates`. */
export function largestSize(space: ModelSpace, candidates: number): number {
  return Math.min(space.logModel.length - 1, candidates - space.always.length);
}

/**
 * At most `count` models standing for all, probabilities adding up to one: systematic resampling, which keeps every
 * model whose share exceeds one in `count` and treats the rest fairly.
 */
export function thinnedModels<M extends { readonly probability: number }>(
  models: readonly M[],
  count: number,
): M[] {
  // Lists are long, and plain loops are fast from the first.
  let total = 0;
  for (let m = 0; m < models.length; m++) total += models[m].probability;
  if (models.length <= count) {
    return models.map((model) => ({ ...model, probability: model.probability / total }));
  }
  const kept: M[] = [];
  const copiesOf: number[] = [];
  let [cumulative, next, sum] = [0, 0.5, 0];
  for (let m = 0; m < models.length; m++) {
    cumulative += (count * models[m].probability) / total;
    if (cumulative <= next) continue;
    const copies = Math.ceil(cumulative - next);
    next += copies;
    kept.push(models[m]);
    copiesOf.push(copies);
    sum += copies / count;
  }
  return kept.map((model, i) => ({ ...model, probability: copiesOf[i] / count / sum }));
}

/** The largest standard deviation that anything between nought and one can have: no probability is less certain. */
export const MOST_UNCERTAIN = 0.5;

const KEYS = new WeakMap<readonly WeightedModel[], readonly string[]>();

/** The names of listed models, by which they are found again; made once, since lists are long. */
export function keysOf(models: readonly WeightedModel[]): readonly string[] {
  const known = KEYS.get(models) ?? models.map(({ members }) => members.join());
  KEYS.set(models, known);
  return known;
}
