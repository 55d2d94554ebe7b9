/** The posterior where predictors have holes, which are drawn along with the models. */

import { SparrowError } from "../../errors.js";
import type { FitOptions } from "../../options/fit.js";
import type { PredictorLaw } from "../../prediction/predictor-law.js";
import { option } from "../../wording.js";
import { shrinkageOf } from "../answer/shrinkage.js";
import { slabConflict } from "../answer/slab-conflict.js";
import { judgeOutsiders, type Outside } from "../certify/certificate.js";
import { columnShapes } from "../expansion/column-shapes.js";
import { expandAtMode, medianModel, modeSettings } from "../expansion/expanded.js";
import { quadraticStatistics, type WeightedCentre } from "../expansion/expansion.js";
import { judgeExpanded } from "../expansion/judge.js";
import { centreOfWeights } from "../posterior/centre.js";
import type { Component } from "../posterior/laws/mixture.js";
import { modelLaw } from "../posterior/laws/model-law.js";
import type { Described, Posterior, Weighed, Weighing } from "../posterior/posterior.js";
import { modelSpace } from "../posterior/problem.js";
import { apartConcern } from "./apart-concern.js";
import { type ChainSettings, imputationChains } from "./chains.js";
import { isExact } from "./completed.js";
import { completedTable } from "./completed-table.js";
import { type HiddenEntries, hideEntries, lawConcern } from "./hidden-entries.js";
import { holesAmong } from "./holes.js";
import { withNeighbours } from "./neighbours.js";
import { type HoledProblem, MAX_COLUMNS } from "./problem.js";
import { skewConcern } from "./skew-concern.js";
import { weightsOf } from "./weights.js";

/** Says what imputation cannot do. */
export function checkImputation(source: string, { preset, slab }: FitOptions): void {
  const not = (why: string): never => {
    throw new SparrowError(
      `${source} has missing values, and ${why}; use ${option("missing", "drop")} to leave such rows out, ${option("missing", "mean")} to put the column's mean in their place, or leave the columns out with ${option("exclude")}.`,
      "option",
    );
  };
  if (preset === "paper") not(`${option("preset", "paper")} has no way to draw them`);
  if (slab === "zellner") {
    not(`the prior of ${option("slab", "zellner")} depends on them, so they cannot be drawn`);
  }
}

export interface ImputedWeighed extends Weighed {
  readonly centre: WeightedCentre;
  /** The laws of the coefficients, which differ from completion to completion. */
  readonly mixture: readonly Component[];
  readonly hidden: HiddenEntries | undefined;
  readonly chains: number;
  readonly sweeps: number;
  readonly sweepsDiscarded: number;
  /** Means and, row-major, covariances of the completed candidates, on the model's scale. */
  readonly means: Float64Array;
  readonly covariance: Float64Array;
  /** What stood in the holes of the candidates, now and then. */
  readonly imputations: readonly Float32Array[];
}

export function imputedPosterior(problem: HoledProblem): Posterior<ImputedWeighed> {
  return {
    mostCandidates: MAX_COLUMNS,
    withCompany: (columns) => withNeighbours(problem, columns),
    weigh: (candidates, how) => weigh(problem, candidates, how),
    judge: (weighed) => judgeImputed(problem, weighed),
    describe: (weighed) => describeImputed(problem, weighed),
  };
}

async function weigh(
  given: HoledProblem,
  candidates: readonly number[],
  { thorough, slab = given.spec.slab }: Weighing<ImputedWeighed>,
): Promise<ImputedWeighed> {
  const problem = { ...given, spec: { ...given.spec, slab } };
  const space = modelSpace(problem, candidates);
  const whole = chainSettings(problem, candidates);
  const settings = thorough
    ? whole
    : { ...whole, sweeps: FEWEST_SWEEPS, burnIn: 2, most: FEWEST_SWEEPS, imputations: 0 };
  const hidden =
    thorough && settings.sweeps >= ENOUGH_SWEEPS ? await hideEntries(problem, candidates, space) : undefined;
  const record = await imputationChains(problem, candidates, space, settings);
  const { statistics, centre, mixture, means, covariance, sweeps, kept, stopped, imputations } = record;
  return {
    candidates,
    statistics,
    space,
    weights: { ...weightsOf(record, space, slab), ...(stopped && { unfinished: true }) },
    centre,
    mixture,
    hidden,
    chains: settings.chains,
    sweeps,
    sweepsDiscarded: sweeps - kept,
    means,
    covariance,
    imputations,
  };
}

/** The certificate's pass; where the likelihood is not quadratic, at the mode of the median model on what was last drawn. */
async function judgeImputed(problem: HoledProblem, weighed: ImputedWeighed): Promise<Outside> {
  const { store, spec, target } = problem;
  const { rows } = store.layout;
  // Completed columns are centred by the mean of what was observed.
  if (target.family.quadratic) return judgeOutsiders(problem, weighed, (i) => rows * weighed.means[i]);
  const shape = columnShapes(problem);
  await shape.learn(weighed.candidates);
  const { expansion } = await expandAtMode(
    modeSettings(problem, shape),
    weighed.candidates,
    medianModel(weighed),
    { before: undefined },
  );
  const there = { expansion, ...quadraticStatistics(expansion, rows, spec.centred) };
  return judgeExpanded(problem, { ...weighed, ...there });
}

function describeImputed(problem: HoledProblem, weighed: ImputedWeighed): Described {
  const { spec, target } = problem;
  const { candidates, statistics, weights, hidden, chains, sweeps, sweepsDiscarded } = weighed;
  const shrinkage = shrinkageOf(weighed.mixture, weights.inclusion);
  const centre = spec.centred ? centreOfWeights(problem, candidates, weighed.centre) : undefined;
  return {
    mixture: weighed.mixture,
    ...(hidden && { hidden }),
    ...(shrinkage !== undefined && { shrinkage }),
    concerns: [
      ...lawConcern(hidden, shareOf(problem, candidates)),
      ...skewConcern(problem, weighed),
      ...apartConcern(problem, weighed),
    ],
    centre,
    chains,
    fixedLength: false,
    slabConflict: target.family.quadratic
      ? slabConflict(statistics, spec, weights.models[0].members)
      : undefined,
    component: (members) => {
      const [{ posterior }] = modelLaw(statistics, weights.slab, spec.noiseVariance, members, false);
      return { probability: 1, posterior, centre };
    },
    ...(weighed.imputations.length > 0 && {
      imputations: () => weighed.imputations.map((values) => completedTable(problem, candidates, values)),
    }),
    predictorLaw: (variables) => lawOf(problem, weighed, variables),
    atMode: true,
    // The gradient depends on what was drawn into the holes.
    stein: async () => undefined,
    settings: {
      posterior: weights.exact ? "enumerated" : "sampled",
      chains,
      sweeps,
      sweepsDiscarded,
      likelihood: isExact(problem) ? "exact" : "expanded",
    },
  };
}

/** How much is missing in the columns with holes. */
function shareOf({ holes, store }: HoledProblem, candidates: readonly number[]): number {
  const missing = candidates.map((j) => holes.missing[j]).filter((count) => count > 0);
  return missing.reduce((sum, count) => sum + count, 0) / (Math.max(1, missing.length) * store.layout.rows);
}

/** The law of some of the candidates, by name, in the units of the data. */
function lawOf(
  { store, scaling }: HoledProblem,
  { candidates, means, covariance }: ImputedWeighed,
  variables: readonly string[],
): PredictorLaw {
  const at = new Map(candidates.map((j, i) => [store.names[j], i]));
  const used = variables.map((name) => at.get(name)!);
  const slope = used.map((i) => scaling.slope[candidates[i]]);
  const size = candidates.length;
  return {
    mean: used.map((i, a) => {
      const j = candidates[i];
      return (means[i] - scaling.offset[j]) / slope[a] + store.shift[j];
    }),
    covariance: used.flatMap((i, a) => used.map((k, b) => covariance[i * size + k] / (slope[a] * slope[b]))),
  };
}

/** Chains unless told, sweeps of small data before they are judged, the most there may be, and the fewest. */
const CHAINS = 2;
const USUAL_SWEEPS = 200;
const MOST_SWEEPS = 4800;
const FEWEST_SWEEPS = 8;
/** Chains of this length can spare what it takes to hide entries and fill them. */
const ENOUGH_SWEEPS = 100;
/** Multiplications that a run may take beyond the fewest sweeps. */
const WORK = 4e10;
/** In multiplications: to draw an entry and put it in its place, to look at a row, to turn an entry of it around. */
const ENTRY = 100;
const ROW = 100;
const TURN = 8;
/** Of the third power of the columns, to draw their covariance and how far it is shrunk: kernels do that. */
const COVARIANCE = 0.5;

/** By the work of a sweep: products of columns (in the kernels, so cheap), rows with their holes, and the covariance. */
function chainSettings(
  { options, store, target, holes }: HoledProblem,
  candidates: readonly number[],
): ChainSettings {
  const { rows } = store.layout;
  const columns = candidates.length;
  const { start } = holesAmong(holes, candidates);
  let filling = 0;
  for (let i = 0; i < rows; i++) {
    const h = start[i + 1] - start[i];
    filling += h * columns + h ** 3 / 6 + ENTRY * h;
  }
  filling += rows * (ROW + TURN * columns);
  // An expansion takes products of its own, and modes take a few passes.
  const products = (target.family.quadratic ? 0.2 : 0.5) * rows * columns ** 2;
  const chains = options.chains ?? CHAINS;
  const affordable = Math.round(WORK / (chains * (products + filling + COVARIANCE * columns ** 3)));
  const sweeps = options.iterations ?? Math.max(FEWEST_SWEEPS, Math.min(USUAL_SWEEPS, affordable));
  const most = options.iterations ?? Math.max(sweeps, Math.min(MOST_SWEEPS, affordable));
  const burnIn = options.burnIn ?? Math.max(1, Math.min(Math.floor(sweeps / 4), 100));
  if (burnIn >= sweeps) {
    throw new SparrowError(
      `${option("burnIn", burnIn)} leaves nothing of ${sweeps} sweeps; make it smaller.`,
      "option",
    );
  }
  return { chains, sweeps, burnIn, most, imputations: options.imputations ?? 0 };
}
