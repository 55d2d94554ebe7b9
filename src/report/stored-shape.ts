/** What the files of a run must look like before a page is made of them. */

import { familyNames } from "../families/register.js";
import {
  and,
  anything,
  finite,
  flag,
  list,
  names,
  notNegative,
  object,
  oneOf,
  perhapsFinite,
  positions,
  probability,
  type Shape,
  text,
  whole,
} from "../shape.js";
import type { RunRecord, StoredRun } from "./stored-run.js";

const coefficient = { mean: finite, sd: notNegative, lower: finite, upper: finite };

const variable = object({
  ...coefficient,
  name: text,
  pip: probability,
  pipError: notNegative,
  meanIfIncluded: finite,
  signProbability: probability,
  selected: flag,
});

const common = {
  rows: whole(1),
  target: text,
  preset: oneOf("auto", "paper"),
  seed: finite,
  diagnostics: object({ warnings: list(text) }, { rhat: perhapsFinite, ess: perhapsFinite }),
};

const scores: Shape = (value, name) =>
  typeof value === "object" && value !== null
    ? list(perhapsFinite)(Object.values(value), name)
    : `${name} is no object`;

export const summaryShape: Shape = and<StoredRun["result"]>(
  object(
    {
      ...common,
      family: oneOf(...familyNames),
      columns: whole(0),
      variables: list(variable),
      modelSize: object(
        { mean: notNegative, lower: notNegative, upper: notNegative },
        { prior: list(probability), posterior: list(probability) },
      ),
      settings: object({}),
    },
    {
      notes: list(text),
      verdict: text,
      intercept: object(coefficient),
      models: list(object({ variables: list(text), probability })),
      credibleSets: list(object({ variables: names, probability })),
      pairs: list(object({ variables: list(text, 2), probability })),
      falseDiscovery: object({ rate: probability, expected: notNegative, variables: list(text) }),
      noiseVariance: object({ mean: notNegative, lower: notNegative, upper: notNegative }),
      certificate: object({
        complete: flag,
        candidates: whole(0),
        threshold: probability,
        massOutside: notNegative,
      }),
      holdout: object({ rows: whole(1), average: scores, median: scores }),
    },
  ),
  ({ variables }, name) =>
    names(
      variables.map((each) => each.name),
      `the list of variables of ${name}`,
    ),
);

const quantity = { mean: finite, lower: finite, upper: finite };

const covariance = {
  names,
  mean: list(list(finite)),
  lower: list(list(finite)),
  upper: list(list(finite)),
  sd: list(object({ ...quantity, name: text })),
  correlations: list(object({ names: list(text, 2) })),
};
const differs = list(object({ name: text, probability, before: probability, after: probability }));

export const mixedSummaryShape: Shape = object(
  {
    ...common,
    model: oneOf("mixed"),
    groups: whole(1),
    group: text,
    fixed: list(object({ ...quantity, name: text })),
    random: object(covariance, { differs }),
    verdict: text,
    settings: object({}),
  },
  {
    notes: list(text),
    noiseVariance: object(quantity),
    terms: list(object({ ...covariance, group: text, groups: whole(1) }, { differs })),
    formula: text,
    logLikelihood: finite,
  },
);

const score = object({ mean: finite, error: notNegative });

const grouping = {
  rows: whole(1),
  columns: names,
  components: whole(1),
  seed: finite,
  method: oneOf("gibbs", "esgld"),
  verdict: text,
  settings: object({}),
  diagnostics: object(
    { warnings: list(text) },
    { rhat: perhapsFinite, essBulk: perhapsFinite, essTail: perhapsFinite },
  ),
};
const beside = {
  notes: list(text),
  covariance: oneOf("full", "diagonal", "spherical", "tied"),
  comparison: object({
    chosen: whole(1),
    reason: text,
    scores: list(object({ logLikelihood: finite, bic: finite, score, behind: score })),
    failures: list(object({ failure: text })),
  }),
};
const block = { mean: list(object(quantity)), covariance: list(list(object(quantity))) };

export const clustersShape: Shape = object(
  { ...grouping, model: oneOf("clusters"), clusters: list(object({ ...block, weight: object(quantity) })) },
  beside,
);

export const statesShape: Shape = object(
  {
    ...grouping,
    model: oneOf("states"),
    sequences: whole(1),
    states: list(
      object(
        { share: object(quantity), transitions: list(object(quantity)) },
        { ...block, probabilities: list(object(quantity)) },
      ),
    ),
  },
  { ...beside, levels: list(text), initial: list(object(quantity)) },
);

export const recordShape: Shape = object({
  version: text,
  seed: finite,
  draws: oneOf("independent", "chains"),
  data: and<RunRecord["data"]>(
    object({ name: text, rows: whole(1), columns: list(text), checksum: text }),
    ({ columns, sd }, name) =>
      sd === undefined ? undefined : list(notNegative, columns.length)(sd, `${name}sd`),
  ),
  options: object({}),
  settings: object({}),
});

export const modelsShape: Shape = and<NonNullable<StoredRun["models"]>>(
  object({ exact: flag, names, models: list(object({ variables: list(anything), probability })) }),
  ({ names: { length }, models }, name) =>
    list(positions(length))(
      models.map((model) => model.variables),
      `${name}variables`,
    ),
);

export const searchShape: Shape = object({
  iterations: whole(0),
  burnIn: whole(0),
  thin: whole(1),
  sizes: list(list(notNegative)),
});

export const predictedShape: Shape = and<NonNullable<StoredRun["predicted"]>>(
  object({ of: oneOf("fitted", "held out"), observed: list(finite) }),
  (value, name) => object({ predicted: list(finite, value.observed.length) })(value, name),
);

export const timingShape: Shape = (value, name) =>
  object({})(value, name) ?? list(notNegative)(Object.values(value as object), "a time");
