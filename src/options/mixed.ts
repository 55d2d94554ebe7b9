/** The options of `mixed`. */

import { option } from "../wording.js";
import { FAMILIES } from "./choices.js";
import { choice, columnsOrNone, count, positive, text, whole } from "./kinds.js";
import { entries, type Given, type OptionTable } from "./option.js";
import { readingOptions } from "./reading.js";
import { burnInLeavesSome, type Relation } from "./relations.js";
import { options } from "./table.js";

const SHARED = [
  "target",
  "preset",
  "temperature",
  "memory",
  "engine",
  "where",
  "query",
  "threads",
  "seed",
] as const;

/** The options of `fit` that are the same here. */
type Shared = Pick<typeof options, (typeof SHARED)[number] | keyof typeof readingOptions>;

const own = {
  group: {
    kind: text,
    symbol: "COLUMN",
    words: "the column that says which group a row belongs to",
    usually: "that of the formula, or of the data where they know it",
  },
  formula: {
    kind: text,
    symbol: "FORMULA",
    words:
      'the whole model, in place of target, group, fixed and random: "y ~ x + (1 + x | g) + (1 | h)"; || leaves out correlations, a:b and a/b are levels within levels',
  },
  family: {
    kind: choice("auto", ...FAMILIES),
    words: "the kind of target",
    usual: "auto",
  },
  weights: {
    kind: text,
    symbol: "COLUMN",
    words: "how many times as precise a row is as one of weight 1",
  },
  trials: {
    kind: text,
    symbol: "COLUMN",
    words: "of how many trials the target counts the successes",
  },
  offset: {
    kind: text,
    symbol: "COLUMN",
    words: "added to the linear predictor as it is, such as the logarithm of an exposure",
  },
  fixed: {
    kind: columnsOrNone,
    symbol: "COLUMN,...|none",
    words: "columns with an effect common to all groups; the intercept always has one",
    usually: "all numbers",
  },
  random: {
    kind: columnsOrNone,
    symbol: "COLUMN,...|none",
    words: "columns whose effect differs between groups, besides the intercept",
    usually: "none",
  },
  prior: {
    kind: choice("spike-and-slab", "half-t", "inverse-wishart"),
    words:
      "law of the standard deviations: spike-and-slab, by which an effect differs between groups or does not; half-t, which lets them be small; or the paper's, which does not",
    usually: "spike-and-slab, or inverse-wishart with the paper's settings",
  },
  priorScale: {
    kind: positive,
    symbol: "A",
    words:
      "scale of half-t, beyond which standard deviations become improbable, in those of the target over those of the effect's column",
    usually: "3 with spike-and-slab, 1 with half-t",
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
    usually:
      "1000 of gibbs or 10000 of esgld and on until the chains agree, or 4000 with the paper's settings",
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

/** Settings of mini-batches that sweeps over all groups have no use for. */
export const OF_BATCHES = ["batch", "stepSize", "temperature"] as const;

const batchesOfEsgld: Relation<MixedAsked> = {
  rule: `${OF_BATCHES.map((name) => option(name)).join(", ")} do not go with ${option("method", "gibbs")}`,
  broken: (asked) => {
    const idle = asked.method === "gibbs" && OF_BATCHES.find((name) => asked[name] !== undefined);
    return idle
      ? `${option(idle)} is of mini-batches, and ${option("method", "gibbs")} visits all groups: leave one of them out.`
      : undefined;
  },
};

const scaleOfHalfT: Relation<MixedAsked> = {
  rule: `${option("priorScale")} does not go with ${option("prior", "inverse-wishart")}`,
  broken: ({ priorScale, preset, prior = preset === "paper" ? "inverse-wishart" : "spike-and-slab" }) =>
    priorScale !== undefined && prior === "inverse-wishart"
      ? `${option("priorScale")} does not go with ${option("prior", "inverse-wishart")}.`
      : undefined,
};

const formulaIsWhole: Relation<MixedAsked> = {
  rule: `${option("formula")} stands for ${option("target")}, ${option("group")}, ${option("fixed")} and ${option("random")}`,
  broken: ({ formula, target, group, fixed, random }) => {
    if (formula === undefined) return undefined;
    const other = Object.entries({ target, group, fixed, random }).find(([, value]) => value !== undefined);
    return other && `${option("formula")} says it all: leave out ${option(other[0])}.`;
  },
};

const notOfPaper: Relation<MixedAsked> = {
  rule: `${option("preset", "paper")} knows one grouping of numbers`,
  broken: ({ preset, formula, weights, trials, offset }) => {
    if (preset !== "paper") return undefined;
    const other = Object.entries({ formula, weights, trials, offset }).find(
      ([, value]) => value !== undefined,
    );
    return other && `${option("preset", "paper")} has no ${option(other[0])}.`;
  },
};

export const mixedRelations: readonly Relation<MixedAsked>[] = [
  burnInLeavesSome,
  imputationsOfPaper,
  batchesOfEsgld,
  scaleOfHalfT,
  formulaIsWhole,
  notOfPaper,
];
