/** From options, family and screen to the plan of a search: one builder for each preset, whatever the family. */

import { SparrowError } from "../../errors.js";
import { nameOf } from "../../families/register.js";
import type { Target } from "../../families/target.js";
import { defaultInclusion, liangInclusion } from "../../models/priors.js";
import type { FitOptions } from "../../options/fit.js";
import { type Scaling, unscaled } from "../../store/batch/scaling.js";
import type { Layout } from "../../store/layout/layout.js";
import type { Store } from "../../store/store.js";
import { option } from "../../wording.js";
import { correlationWeights, type Screen } from "../data/screen.js";
import { devianceWeights } from "./deviances.js";
import type { RoundsPlan } from "./rounds.js";
import type { AdaptationPlan, BatchPlan, KnownMeans, SearchPlan } from "./types.js";

export interface PlanInputs {
  readonly options: FitOptions;
  readonly store: Store;
  readonly screen: Screen;
  readonly target: Target;
  readonly always: readonly number[];
  readonly seed: number;
}

/**
 * Algorithm 1 with the paper's settings (section 4, supplement S4.1 and S4.2), each of which can be overridden.
 * `deviance` is that of every one-variable model, where the family asks for it.
 */
export function paperPlan(inputs: PlanInputs, deviance: Float64Array | undefined): SearchPlan {
  const { options, store, screen, target, always, seed } = inputs;
  const { family } = target;
  const { paper } = family;
  const interceptWeight = options.intercept === "none" ? 0 : paper.interceptWeight;
  const weights = deviance
    ? devianceWeights(deviance, interceptWeight)
    : correlationWeights(screen, interceptWeight);
  const variables = weights.length;
  const intercept = options.intercept === "always" ? [variables - 1] : [];
  for (const j of [...always, ...intercept]) weights[j] = 0;
  const noise = family.noise ? (options.noiseVariance ?? 1) : 1;
  const prior =
    "zeta" in paper.prior
      ? {
          inclusion: liangInclusion(variables, options.priorZeta ?? paper.prior.zeta),
          slabVariance: { c0: options.priorC0 ?? paper.prior.c0 },
        }
      : { inclusion: defaultInclusion(variables), slabVariance: paper.prior.slabVariance };
  return {
    seed,
    ...scheduleFor(options, 5000, 0.4),
    batch: batchPlan(options, store.layout, options.batch ?? Math.min(paper.batch, store.layout.rows)),
    models: options.models ?? 10,
    moves: options.moves ?? 1,
    stepSize: options.stepSize ?? paper.stepSize,
    integrator: options.integrator ?? "sgld",
    temperature: options.temperature ?? 1,
    family: nameOf(family),
    noise: { variance: noise === "unknown" ? 1 : noise, known: noise !== "unknown" },
    inclusion: options.priorInclusion ?? prior.inclusion,
    slabVariance: options.slabVariance ?? prior.slabVariance,
    spikeVariance: 0.025,
    maxSize: options.maxSize ?? paper.maxSize,
    weights,
    always: [...always, ...intercept],
    scaling: { ...unscaled(store.shift), target: target.scaling },
    births: "walk",
  };
}

/**
 * The default search: standardised columns, proposals that follow the residual, steps in units of the inverse of the
 * model's own curvature, σ² sampled where there is one. Short, because the certificate finds what it misses.
 */
export function defaultPlan(inputs: PlanInputs, scaling: Scaling): SearchPlan {
  const { options, store, target, seed } = inputs;
  const { rows, columns } = store.layout;
  const { family } = target;
  const { search } = family;
  return {
    seed,
    ...defaultSchedule(options),
    batch: batchPlan(options, store.layout, options.batch ?? search.batch(rows)),
    models: options.models ?? search.models,
    moves: options.moves ?? search.moves(columns),
    stepSize: { relativeToCurvature: options.stepSize ?? 0.3 },
    integrator: options.integrator ?? "sgld",
    temperature: options.temperature ?? 1,
    family: nameOf(family),
    inclusion: options.priorInclusion ?? defaultInclusion(columns + 1),
    slabVariance: options.slabVariance ?? 1,
    maxSize: Math.min(options.maxSize ?? search.maxSize, Math.max(1, rows - 3)),
    scaling,
    births: search.births,
    ...(search.births === "walk" ? walkingBirths(inputs, scaling) : informedBirths(inputs, scaling)),
  };
}

type Births = Pick<SearchPlan, "noise" | "spikeVariance" | "weights" | "always" | "adaptation" | "intercept">;

/** On a target in standard units: the intercept is no variable, and marginal correlations are a good start. */
function walkingBirths({ options, store, screen, target, always }: PlanInputs, scaling: Scaling): Births {
  const { rows, columns } = store.layout;
  const weights = correlationWeights(screen, 0);
  for (let j = 0; j < columns; j++) if (screen.sd[j] === 0) weights[j] = 0;
  for (const j of always) weights[j] = 0;
  const largest = screen.correlation.slice(0, columns).reduce((most, r) => Math.max(most, Math.abs(r)), 0);
  const known = options.noiseVariance ?? "unknown";
  return {
    noise: {
      variance: known === "unknown" ? 1 : known / screen.sd[columns] ** 2,
      known: known !== "unknown",
    },
    // Births try effects of about the size that the marginal correlations suggest.
    spikeVariance: Math.max(largest / 2, 3 / Math.sqrt(rows)) ** 2,
    weights,
    always,
    adaptation: adaptationOn(store.layout, target, knownMeans(screen, scaling, rows)),
  };
}

/** From the screen, which has seen all rows. */
export function knownMeans(screen: Screen, scaling: Scaling, rows: number): KnownMeans {
  const columns = scaling.slope.length - 1;
  const { squares, products, target } = centredMeans(screen, scaling, rows);
  const means = scaling.slope.map((slope, j) => slope * screen.mean[j] + scaling.offset[j]);
  const targetMean = scaling.target.slope * screen.mean[columns] + scaling.target.offset;
  return {
    squares: squares.map((square, j) => square + means[j] ** 2),
    products: products.map((product, j) => product + means[j] * targetMean),
    target: target + targetMean ** 2,
  };
}

/** The same about the means of columns and target. */
export function centredMeans(
  { sd, correlation }: Screen,
  { slope, target }: Scaling,
  rows: number,
): KnownMeans {
  const share = 1 - 1 / rows;
  const targetSd = target.slope * sd[slope.length - 1];
  return {
    squares: slope.map((a, j) => (a * sd[j]) ** 2 * share),
    products: slope.map((a, j) => correlation[j] * a * sd[j] * targetSd * share),
    target: targetSd ** 2 * share,
  };
}

/** The intercept is a variable that is always in, and starts where it is without any other. */
function informedBirths({ options, store, screen, target, always }: PlanInputs, scaling: Scaling): Births {
  const { columns } = store.layout;
  const hasIntercept = options.intercept !== "none";
  // Until the first refresh every variable is as good as any other.
  const weights = screen.sd.map((sd) => (sd > 0 ? 0.5 : 0));
  for (const j of [...always, columns]) weights[j] = 0;
  const mean = target.scaling.slope * screen.mean[columns] + target.scaling.offset;
  return {
    noise: { variance: 1, known: true },
    spikeVariance: 0,
    weights,
    always: hasIntercept ? [...always, columns] : always,
    adaptation: {
      ...adaptationOn(store.layout, target),
      ...(hasIntercept && { aboutMeans: centredMeans(screen, scaling, store.layout.rows) }),
    },
    ...(hasIntercept && { intercept: target.family.link(mean) }),
  };
}

/** Numbers that a look at all columns may take. */
const REFRESH_WORK = 4e8;

/** The residual is looked at on about so many rows, fewer where there are very many columns. */
function adaptationOn(layout: Layout, { family }: Target, known?: KnownMeans): AdaptationPlan {
  const rows = Math.min(family.search.refreshRows, REFRESH_WORK / layout.columns);
  return { blocks: blocksOf(layout, rows), ...(known && { known }) };
}

/**
 * Iterations of a round of the default search, of those in which models grow, and of all rounds together. A look at the
 * residual after 20 iterations saves 30 with proposals that were right for the empty model.
 */
export const ROUND = 50;
export const FIRST_ROUNDS = 20;
export const MOST_ITERATIONS = 1000;
/** Rows of the largest batch that the noise of the model step may ask for. */
const MOST_ROWS = 20_000;

/** What the default search decides on the way, as far as the options leave it open. */
export function roundsPlan({ iterations, burnIn, batch }: FitOptions, layout: Layout): RoundsPlan {
  const chooses = iterations === undefined && burnIn === undefined;
  return {
    // A run of a given length need not be compared often.
    length: Math.max(ROUND, Math.ceil((iterations ?? 0) / 10)),
    ...(chooses && { firstLength: FIRST_ROUNDS }),
    untilAgreement: chooses,
    ...(batch === undefined && { mostBlocks: blocksOf(layout, MOST_ROWS) }),
  };
}

/** How long to run, what to discard, and how far draws are apart: 10 iterations, less where the run is short. */
function scheduleFor(options: FitOptions, usualIterations: number, burnInShare: number) {
  const iterations = options.iterations ?? usualIterations;
  const burnIn = options.burnIn ?? Math.floor(burnInShare * iterations);
  if (burnIn >= iterations) {
    throw new SparrowError(
      `${option("burnIn", burnIn)} leaves nothing of ${iterations} iterations; make it smaller or ${option("iterations")} larger.`,
      "option",
    );
  }
  return { iterations, burnIn, thin: Math.max(1, Math.min(10, Math.floor((iterations - burnIn) / 20))) };
}

/** The default search counts nothing before a burn-in that was asked for: which of its rounds count is decided later. */
function defaultSchedule(options: FitOptions) {
  const fixed = options.iterations !== undefined || options.burnIn !== undefined;
  return fixed
    ? scheduleFor(options, MOST_ITERATIONS, 0.5)
    : { iterations: MOST_ITERATIONS, burnIn: MOST_ITERATIONS / 2, thin: 2 };
}

function batchPlan({ sampling = "blocks" }: FitOptions, layout: Layout, rows: number): BatchPlan {
  if (sampling !== "blocks") return { by: "rows", rows, replacement: sampling === "rows-with-replacement" };
  return { by: "blocks", blocks: blocksOf(layout, rows) };
}

/** Whole blocks of about so many rows. */
export function blocksOf({ rows, blocks }: Layout, wanted: number): number {
  return Math.max(1, Math.min(blocks, Math.round((wanted * blocks) / rows)));
}
