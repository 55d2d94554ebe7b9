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
  /** R-hat and effective draws of the model size; absent when exact. */
  readonly mixing?: { readonly rhat: number; readonly ess: number };
}

export interface WeightedModel {
  readonly members: readonly number[];
  readonly probability: number;
}

/** What both ways need: the evidence and the prior over the variables that may leave. */
export interface ModelSpace {
  readonly logModel: (size: number) => number;
  /** Candidates that are in every model. */
  readonly always: readonly number[];
  readonly maxSize: number;
}
