/** From the posterior over models to what the user reads. */

import { verdict } from "../../diagnostics/verdict.js";
import { sizePrior } from "../../models/model-priors.js";
import { JOIN } from "../certify/belonging.js";
import { ALARM, type LookedBeyond, type Settled } from "../certify/rounds.js";
import type { Centre } from "../posterior/centre.js";
import type { ModelPosterior } from "../posterior/evidence.js";
import { type Component, summarizeNoise, summarizeOne } from "../posterior/laws/mixture.js";
import type { ModelWeights } from "../posterior/model-weights.js";
import { packedModels } from "../posterior/packed-models.js";
import type { Described, Weighed } from "../posterior/posterior.js";
import type { Problem } from "../posterior/problem.js";
import { likeliestScale } from "../posterior/scale-law.js";
import { type Specification, specificationSettings } from "../posterior/specification.js";
import { credibleSets } from "./credible-sets.js";
import { falseDiscovery } from "./false-discovery.js";
import { modelSizes, sizeSummary } from "./model-size.js";
import { priorSummary } from "./prior-check.js";
import type { Certificate, CoefficientSummary, FitResult, SteinSummary } from "./result.js";
import { treatmentConcerns, treatmentRemarks } from "./treated.js";
import { summarizeVariables } from "./variable-summaries.js";

export type Answer = Pick<
  FitResult,
  | "variables"
  | "intercept"
  | "modelSize"
  | "models"
  | "credibleSets"
  | "pairs"
  | "falseDiscovery"
  | "prior"
  | "verdict"
  | "noiseVariance"
  | "certificate"
  | "diagnostics"
  | "settings"
>;

export interface Ending {
  /** What the search thought of each column, if there was one. */
  readonly searched: ((j: number) => number) | undefined;
  readonly stein: SteinSummary | undefined;
  readonly outOfTime: boolean;
  readonly stopped: boolean;
  /** What the data do that the family does not expect, in sentences. */
  readonly concerns: readonly string[];
  /** What a reader should know although nothing is wrong, in sentences. */
  readonly remarks: readonly string[];
  /** What can be read: all rows, or those at hand. */
  readonly ground: Pick<Problem, "store" | "screen">;
  /** Rows that can be read, where all others can only be asked about. */
  readonly atHand?: number;
}

export function answer(
  problem: Problem,
  { weighed, judged, beyond, complete }: Settled<Weighed>,
  described: Described,
  { searched, stein, outOfTime, stopped, concerns, remarks, ground, atHand }: Ending,
): Answer {
  const { store, screen, always, options, spec } = problem;
  const { candidates, statistics, weights } = weighed;
  const { mixture, centre, slabConflict } = described;
  const { variables, largestOutside: largest } = summarizeVariables(problem, weighed, mixture, judged);
  const { apart: _, ...reported } = weights.mixing ?? {};
  const { sizes, outside, outsideError } = modelSizes(weighed, spec, judged);
  const name = (i: number): string => store.names[candidates[i]];
  const worst = weights.inclusionError.reduce((w, error, i, all) => (error > all[w] ? i : w), 0);
  const missed = beyond?.missed[0]?.columns.map((j) => store.names[j]);
  const searchAgreement = searched && agreementOf(searched, candidates, weights.inclusion, name);
  const judgement = verdict({
    chains: described.chains,
    fixedLength: described.fixedLength,
    ...(searchAgreement && { searchPolishAgreement: searchAgreement }),
    // Every model may have been visited and its integral still have come from draws.
    exact: weights.exact && weights.inclusionError.every((error) => error === 0),
    ...weights.mixing,
    ...(candidates.length > 0 && { pipError: weights.inclusionError[worst], pipErrorOf: name(worst) }),
    ...(weights.approximationError !== undefined && { approximationError: weights.approximationError }),
    ...(weights.failedModes !== undefined && { failedModes: weights.failedModes }),
    atMode: described.atMode,
    certificateComplete: complete,
    ...(beyond ? { left: { ...beyond.left, something: beyond.left.pValue < ALARM } } : { unseen: true }),
    ...(missed && { missedGroup: missed }),
    ...(largest && { largestOutside: largest }),
    outOfTime,
    stopped,
    ...modelLimits(sizes, spec, store.layout.rows, always.length),
    ...(slabConflict && { slabConflict }),
    ...(stein && { stein }),
    expanded: described.settings.likelihood === "expanded",
    concerns: [
      ...concerns,
      ...treatmentConcerns(ground, store.record.treated, variables, {
        ...options,
        isDatabase: atHand !== undefined,
      }),
    ],
    remarks: [...remarks, ...treatmentRemarks(store.record.treated)],
    ...(atHand !== undefined && { unchecked: uncheckedIn(beyond) }),
    selected: variables.filter(({ selected }) => selected).length,
  });
  const warnings = [...judgement.warnings];
  const constant = store.names.filter((_, j) => screen.sd[j] === 0);
  if (constant.length > 0) {
    warnings.push(`Constant columns explain nothing and were left out: ${constant.slice(0, 5).join(", ")}.`);
  }
  return {
    variables,
    ...(centre && { intercept: interceptOf(mixture, centre, spec.noiseVariance) }),
    modelSize: sizeSummary(sizes, spec, always.length),
    models: weights.models.slice(0, 10).map(({ members, probability }) => ({
      variables: members.map(name),
      probability,
    })),
    credibleSets: credibleSets(weights, statistics).map(({ members, probability, group }) => ({
      variables: members.map(name),
      probability,
      ...(group.probability - probability > NOTICED && { group }),
    })),
    pairs: pairs(weights, name),
    falseDiscovery: falseDiscovery(variables, options.fdr ?? 0.05),
    prior: priorSummary(weighed, spec, store.names),
    verdict: judgement.summary,
    ...(spec.noiseVariance === undefined && { noiseVariance: summarizeNoise(mixture) }),
    certificate: {
      complete,
      candidates: candidates.length,
      threshold: JOIN,
      ...(largest && { largestOutside: largest }),
      massOutside: outside,
      massOutsideError: outsideError,
      ...(beyond && lookedBeyond(beyond, weighed, store.names)),
      ...(beyond && atHand !== undefined && { rowsAtHand: atHand }),
    },
    diagnostics: {
      ...reported,
      ...(searchAgreement && { searchAgreement }),
      ...(stein && { stein }),
      warnings,
    },
    settings: { ...specificationSettings(spec, options, likeliestScale(weights)), ...described.settings },
  };
}

/** What all substitutes have beyond a set that is worth telling. */
const NOTICED = 0.005;

/** What is checked on rows alone, where rows are asked about. */
function uncheckedIn(beyond: LookedBeyond | undefined): string[] {
  return [
    ...(beyond ? [] : ["whether variables matter that belong together only"]),
    "whether columns are copies of each other",
    "how far draws of the coefficients are from their posterior",
  ];
}

/** What the look beyond single columns says, in the names of the data. */
function lookedBeyond(
  { groups, paired, left }: LookedBeyond,
  { candidates }: Weighed,
  names: readonly string[],
): Pick<Certificate, "groups" | "overall"> {
  const known = new Set(candidates);
  const outside = groups.find(({ columns }) => columns.some((j) => !known.has(j)));
  return {
    groups: {
      variables: paired,
      weighed: groups.length,
      ...(outside && {
        largestOutside: {
          variables: outside.columns.map((j) => names[j]),
          probability: outside.probability,
        },
      }),
    },
    overall: { pValue: left.pValue, share: left.share, somethingLeft: left.pValue < ALARM },
  };
}

/** How likely models are to hold anything at all, and to hold as much as they may. */
function modelLimits(
  sizes: Float64Array,
  { prior, maxSize, selectable }: Specification,
  rows: number,
  forced: number,
) {
  return {
    anyIncluded: 1 - (sizes[0] ?? 0),
    anyExpected: 1 - sizePrior(prior, selectable, maxSize)[0],
    ...(maxSize < selectable && {
      sizeLimit: {
        size: maxSize,
        byRows: maxSize >= rows - 3 - forced,
        probability: sizes[maxSize] ?? 0,
      },
    }),
  };
}

/** The candidate on which search and polish differ most. */
function agreementOf(
  searched: (j: number) => number,
  candidates: readonly number[],
  inclusion: Float64Array,
  name: (i: number) => string,
): { name: string; search: number; polish: number } | undefined {
  if (candidates.length === 0) return undefined;
  const difference = (i: number): number => Math.abs(searched(candidates[i]) - inclusion[i]);
  const worst = candidates.reduce((w, _, i) => (difference(i) > difference(w) ? i : w), 0);
  return { name: name(worst), search: searched(candidates[worst]), polish: inclusion[worst] };
}

/** Variables whose pairs are reported: the most probable ones that are in doubt or in. */
const PAIRED = 8;
const MIN_PAIRED = 0.05;

function pairs(weights: ModelWeights, name: (i: number) => string): NonNullable<FitResult["pairs"]> {
  const top = Array.from(weights.inclusion.keys())
    .filter((i) => weights.inclusion[i] >= MIN_PAIRED)
    .sort((a, b) => weights.inclusion[b] - weights.inclusion[a])
    .slice(0, PAIRED);
  const rank = new Int32Array(weights.inclusion.length).fill(-1);
  for (const [r, i] of top.entries()) rank[i] = r;
  const held = new Int32Array(top.length);
  const both = new Float64Array(top.length ** 2);
  const { count, probability, total, start, members } = packedModels(weights.models);
  for (let m = 0; m < count; m++) {
    let some = 0;
    for (let at = start[m]; at < start[m + 1]; at++) {
      const r = rank[members[at]];
      if (r >= 0) held[some++] = r;
    }
    for (let a = 0; a < some; a++) {
      const row = held[a] * top.length;
      for (let b = 0; b < some; b++) both[row + held[b]] += probability[m];
    }
  }
  return top.flatMap((a, i) =>
    top.slice(i + 1).map((b, k) => ({
      variables: [name(a), name(b)] as const,
      probability: both[i * top.length + i + 1 + k] / total,
    })),
  );
}

/** The mean and the variance of Σβ_j x̄_j. */
function passingOf(posterior: ModelPosterior, { means }: Centre): { mean: number; variance: number } {
  if (posterior.leaning !== undefined && posterior.passing !== undefined) {
    return { mean: posterior.leaning, variance: posterior.passing };
  }
  const { members, covariance, mean: effects } = posterior;
  const k = members.length;
  let [mean, variance] = [0, 0];
  members.forEach((i, a) => {
    mean += means[i] * effects[a];
    members.forEach((j, b) => {
      variance += means[i] * means[j] * covariance[a * k + b];
    });
  });
  return { mean, variance };
}

/** ȳ − Σβ_j x̄_j with a flat prior: given the model, a t distribution as well. */
function interceptOf(
  mixture: readonly Component[],
  common: Centre,
  noiseVariance: number | undefined,
): CoefficientSummary {
  return summarizeOne(mixture, ({ posterior, centre = common }) => {
    const { freedom, residualSquares } = posterior;
    const passing = passingOf(posterior, centre);
    const noise = noiseVariance ?? residualSquares / freedom;
    return { mean: centre.target - passing.mean, variance: noise / centre.weight + passing.variance };
  });
}
