/**
 * Every random stream has its number here, once. A generator is split by these numbers, so what one part of a run
 * draws never depends on how much another part has drawn, nor on which thread it ran in.
 */

/** Streams of a run's seed. Those that are one of many count up from their number. */
export const RUN_STREAMS = {
  /** Chains of the search, and of the peers that are chains: 0, 1, 2, … */
  chains: 0,
  /** The order of the rows. */
  shuffle: 1_000_003,
  /** Which rows are held out. */
  holdout: 1_000_033,
  /** The draws of a run folder. */
  draws: 1_000_037,
  /** The draws whose Stein discrepancy is measured. */
  stein: 1_000_039,
  /** The draws by which the coefficients of a model are integrated out. */
  integrals: 1_000_081,
  /** Which known entries are hidden, to see how well they are filled. */
  hidden: 1_000_099,
  /** Chains over models on the candidates. */
  polish: 2_000_003,
  /** Signs of sketches. */
  sketches: 2_100_011,
  /** Signs of residuals that mean nothing: a few streams. */
  flips: 2_200_013,
  /** Values for the holes: one stream a chain. */
  holes: 3_000_017,
  /** Models, coefficients and the law of the predictors, while holes are drawn: one stream a chain. */
  imputation: 3_100_003,
  /** Weights that make a likelihood Gaussian: one stream a chain. */
  augmentation: 3_200_003,
  /** Weights, models and coefficients where there are no holes: one stream a chain. */
  augmented: 3_300_007,
} as const;

/** Streams of a chain's own generator. */
export const CHAIN_STREAMS = {
  batches: 0,
  noise: 1,
  latent: 2,
  /** Where a chain starts, or the steps of σ² of a search. */
  start: 3,
  /** The batches on which a search looks at its residual. */
  look: 4,
  /** The batches on which the noise of a model step is measured. */
  stepNoise: 5,
  /** Rounds of a search after the first count up from here. */
  rounds: 16,
} as const;

/** Streams of the seed of a mixed model. */
export const MIXED_STREAMS = {
  mode: 0,
  /** One stream a chain. */
  chains: 1,
  /** The effects of levels given draws of the rest: beyond any number of chains. */
  effects: 1_000_000,
} as const;

/** Streams of the seed of clusters and hidden states, and of each of their chains. */
export const CLUSTER_STREAMS = {
  shuffle: 0,
  chains: 1,
  start: 0,
  steps: 1,
} as const;
