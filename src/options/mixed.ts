/** The options of `mixed`. */

import { option } from "../wording.js";
import { choice, columns, columnsOrNone, count, positive, text, whole } from "./kinds.js";
import { entries, type Given, type OptionTable } from "./option.js";
import { readingOptions } from "./reading.js";
import { burnInLeavesSome, type Relation } from "./relations.js";
import { options } from "./table.js";

const SHARED = ["target", "preset", "temperature", "memory", "threads", "seed"] as const;

/** The options of `fit` that are the same here. */
type Shared = Pick<typeof options, (typeof SHARED)[number] | keyof typeof readingOptions>;

const own = {
  group: {
    kind: text,
    symbol: "COLUMN",
    words: "the column that says which group a row belongs to",
    required: true,
  },
  fixed: {
    kind: columnsOrNone,
    symbol: "COLUMN,...|none",
    words: "columns with an effect common to all groups; the intercept always has one",
    usually: "all numbers",
  },
  random: {
    kind: columns,
    symbol: "COLUMN,...",
    words: "columns whose effect differs between groups, besides the intercept",
    usually: "none",
  },
  method: {
    kind: choice("auto", "esgld", "gibbs"),
    words: "all groups in every sweep (gibbs, exact) or mini-batches of them (esgld)",
    usual: "auto",
  },
  chains: {
    kind: count,
    symbol: "K",
    words: "independent chains",
    usually: "4, or 1 with the paper's settings",
  },
  iterations: {
    kind: count,
    symbol: "T",
    words: "iterations of each chain",
    usually: "2000 of gibbs, 10000 of esgld, or 4000 with the paper's settings",
  },
  burnIn: {
    kind: whole,
    symbol: "B",
    words: "iterations to discard at the start",
    usually: "a tenth of them, or a quarter with the paper's settings",
  },
  batch: {
    kind: count,
    symbol: "n",
    words: "groups in a mini-batch",
    usually: "100, or 500 with the paper's settings",
  },
  imputations: {
    kind: whole,
    symbol: "m",
    words: "draws of the random effects per iteration; 0 integrates them out",
    usually: "0, or 1 with the paper's settings",
  },
  stepSize: {
    kind: positive,
    symbol: "ε",
    words:
      "step of the Langevin dynamics, in posterior variances, or in the units of the parameters with the paper's settings",
    usually: "0.1, or 0.002 over the number of groups with the paper's settings",
  },
} satisfies OptionTable;

export const mixedOptions: Shared & typeof own = {
  ...entries(options, ["target"]),
  ...own,
  ...entries(options, SHARED),
  ...readingOptions,
};

type MixedAsked = Given<typeof mixedOptions>;

const imputationsOfPaper: Relation<MixedAsked> = {
  rule: `${option("imputations")} goes with ${option("preset", "paper")}`,
  broken: ({ imputations = 0, preset }) =>
    imputations > 0 && preset !== "paper"
      ? `${option("imputations")} goes with ${option("preset", "paper")}: the default integrates the random effects out.`
      : undefined,
};

export const mixedRelations: readonly Relation<MixedAsked>[] = [burnInLeavesSome, imputationsOfPaper];
