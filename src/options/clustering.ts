/** The options of `clusters` and `states`. */

import { choice, count, countOrRange, text, whole } from "./kinds.js";
import { entries, type Given, type OptionTable } from "./option.js";
import { readingOptions } from "./reading.js";
import { burnInLeavesSome, type Relation } from "./relations.js";
import { options } from "./table.js";

const SHARED = ["columns", "exclude"] as const;
const RUN = ["memory", "threads", "seed"] as const;

/** The options of `fit` that are the same here. */
type Shared = Pick<
  typeof options,
  (typeof SHARED)[number] | (typeof RUN)[number] | keyof typeof readingOptions
>;

const sampling = {
  covariance: {
    kind: choice("full", "diagonal", "spherical", "tied"),
    words:
      "what clusters may look like: any shape, along the columns, the same in all columns (in their standard deviations), or the same for all",
    usual: "full",
  },
  method: {
    kind: choice("auto", "gibbs", "esgld"),
    words: "all rows in every sweep (gibbs, exact) or mini-batches of them (esgld)",
    usual: "auto",
  },
  chains: { kind: count, symbol: "K", words: "independent chains", usual: 2 },
  iterations: {
    kind: count,
    symbol: "T",
    words: "iterations of each chain",
    usually: "600 of gibbs or 3000 of esgld and on until the chains agree",
  },
  burnIn: {
    kind: whole,
    symbol: "B",
    words: "iterations to discard at the start",
    usually: "a third of them",
  },
} satisfies OptionTable;

/** The numbers from which one is chosen unless told. */
export const COMPONENTS: readonly number[] = [1, 2, 3, 4, 5, 6];
export const STATES: readonly number[] = [1, 2, 3, 4];

const components = {
  components: {
    kind: countOrRange,
    symbol: "K|A..B",
    words: "how many clusters, or the numbers from which one is chosen",
    usually: "1..6",
  },
} satisfies OptionTable;

const states = {
  states: {
    kind: countOrRange,
    symbol: "K|A..B",
    words: "how many states, or the numbers from which one is chosen",
    usually: "1..4",
  },
  sequence: {
    kind: text,
    symbol: "COLUMN",
    words: "the column that says which sequence a row belongs to",
    usually: "all rows are one",
  },
  initial: {
    kind: choice("uniform", "learned"),
    words: "the law of the first state of a sequence",
    usually: "learned from several sequences, uniform for one",
  },
} satisfies OptionTable;

export const clusterOptions: typeof components & typeof sampling & Shared = {
  ...components,
  ...entries(options, SHARED),
  ...sampling,
  ...entries(options, RUN),
  ...readingOptions,
};

export const stateOptions: typeof states & typeof sampling & Shared = {
  ...states,
  ...entries(options, SHARED),
  ...sampling,
  ...entries(options, RUN),
  ...readingOptions,
};

export type ClustersAsked = Given<typeof clusterOptions>;
export type StatesAsked = Given<typeof stateOptions>;

export const clusteringRelations: readonly Relation<ClustersAsked | StatesAsked>[] = [burnInLeavesSome];
