/** From options and the screen to the plan of a search. */

import { SparrowError } from "../../errors.js";
import { defaultInclusion } from "../../models/priors.js";
import type { FitOptions } from "../../options/fit.js";
import { type Scaling, unscaled } from "../../store/batch/scaling.js";
import type { Layout } from "../../store/layout/layout.js";
import type { Store } from "../../store/store.js";
import { correlationWeights, type Screen } from "../data/screen.js";
import type { BatchPlan, SearchPlan } from "./chain.js";
import type { RoundsPlan } from "./rounds.js";

export interface PlanInputs {
  readonly options: FitOptions;
  readonly store: Store;
  readonly screen: Screen;
  readonly always: readonly number[];
  readonly batchRows: number;
  readonly seed: number;
}

/** Algorithm 1 with the paper's settings (section 4 and supplement S4.1), each of which can be overridden. */
export function paperPlan({ options, store, screen, always, batchRows, seed }: PlanInputs): SearchPlan {
  const schedule = scheduleFor(options, 5000, 0.4);
  const weights = correlationWeights(screen, options.intercept === "none" ? 0 : Math.exp(-1));
  const noise = options.noiseVariance ?? 1;
  const intercept = options.intercept === "always" ? [weights.length - 1] : [];
  for (const j of [...always, ...intercept]) weights[j] = 0;
  return {
    seed,
    ...schedule,
    batch: batchPlan(options, store.layout, batchRows),
    models: options.models ?? 10,
    moves: options.moves ?? 1,
    stepSize: options.stepSize ?? 1e-6,
    integrator: options.integrator ?? "sgld",
    temperature: options.temperature ?? 1,
    family: "gaussian",
    noise: { variance: noise === "unknown" ? 1 : noise, known: noise !== "unknown" },
    inclusion: options.priorInclusion ?? defaultInclusion(weights.length),
    slabVariance: options.slabVariance ?? 25,
    spikeVariance: 0.025,
    maxSize: options.maxSize ?? 50,
    weights,
    always: [...always, ...intercept],
    scaling: unscaled(store.shift),
    births: "walk",
  };
}

/** Rows that the proposal weights are refreshed on. */
const REFRESH_ROWS = 10_000;

/** Iterations of a round of the default search, and of all rounds together. */
export const ROUND = 50;
export const MOST_ITERATIONS = 1000;
/** Rows of the largest batch that the noise of the model step may ask for. */
const MOST_ROWS = 20_000;

/** What the default search decides on the way, as far as the options leave it open. */
export function roundsPlan({ iterations, burnIn, batch }: FitOptions, layout: Layout): RoundsPlan {
  return {
    // A run of a given length need not be compared often.
    length: Math.max(ROUND, Math.ceil((iterations ?? 0) / 10)),
    untilAgreement: iterations === undefined && burnIn === undefined,
    ...(batch === undefined && { mostBlocks: blocksOf(layout, MOST_ROWS) }),
  };
}

/** Every round proposes a good share of the columns, of which the weights put the promising ones first. */
export function movesFor(columns: number): number {
  return Math.max(2, Math.min(10, Math.ceil(columns / 1000)));
}

/**
 * The default search: everything in standard units, σ² sampled, proposals that follow the residual, steps in units of
 * the model's own curvature. Short, because the certificate finds what it misses.
 */
export function autoPlan(inputs: PlanInputs, scaling: Scaling): SearchPlan {
  const { options, store, screen, always, batchRows, seed } = inputs;
  const { rows, columns } = store.layout;
  const schedule = autoSchedule(options);
  const weights = correlationWeights(screen, 0);
  for (let j = 0; j < columns; j++) if (screen.sd[j] === 0) weights[j] = 0;
  for (const j of always) weights[j] = 0;
  const largest = screen.correlation.slice(0, columns).reduce((most, r) => Math.max(most, Math.abs(r)), 0);
  const known = options.noiseVariance ?? "unknown";
  const targetVariance = screen.sd[columns] ** 2;
  const meanSquares = screen.sd.map(
    (sd, j) =>
      scaling.slope[j] ** 2 * sd ** 2 * (1 - 1 / rows) +
      (scaling.slope[j] * screen.mean[j] + scaling.offset[j]) ** 2,
  );
  return {
    seed,
    ...schedule,
    batch: batchPlan(options, store.layout, batchRows),
    models: options.models ?? 10,
    moves: options.moves ?? movesFor(columns),
    stepSize: options.stepSize ?? { relativeToCurvature: 0.3 },
    integrator: options.integrator ?? "sgld",
    temperature: options.temperature ?? 1,
    family: "gaussian",
    noise: { variance: known === "unknown" ? 1 : known / targetVariance, known: known !== "unknown" },
    inclusion: options.priorInclusion ?? defaultInclusion(columns + 1),
    slabVariance: options.slabVariance ?? 1,
    // Births try effects of about the size that the marginal correlations suggest.
    spikeVariance: Math.max(largest / 2, 3 / Math.sqrt(rows)) ** 2,
    maxSize: Math.min(options.maxSize ?? 50, Math.max(1, rows - 3)),
    weights,
    always,
    scaling,
    births: "walk",
    adaptation: { blocks: refreshBlocks(store.layout, REFRESH_ROWS), meanSquares },
  };
}

/** Numbers that a look at all columns may take. */
const REFRESH_WORK = 4e8;

/** Blocks that the residual is looked at on: about so many rows, fewer where there are very many columns. */
export function refreshBlocks(layout: Layout, most: number): number {
  return blocksOf(layout, Math.min(most, REFRESH_WORK / layout.columns));
}

/** Whole blocks of about so many rows. */
export function blocksOf({ rows, blocks }: Layout, wanted: number): number {
  return Math.max(1, Math.min(blocks, Math.round((wanted * blocks) / rows)));
}

/** How long to run, what to discard, and how far draws are apart: 10 iterations, less where the run is short. */
function scheduleFor(options: FitOptions, usualIterations: number, burnInShare: number) {
  const iterations = options.iterations ?? usualIterations;
  const burnIn = options.burnIn ?? Math.floor(burnInShare * iterations);
  if (burnIn >= iterations) {
    throw new SparrowError(
      `--burn-in ${burnIn} leaves nothing of ${iterations} iterations; make it smaller or --iterations larger.`,
      "option",
    );
  }
  return { iterations, burnIn, thin: Math.max(1, Math.min(10, Math.floor((iterations - burnIn) / 20))) };
}

/** The default search counts nothing before a burn-in that was asked for: which of its rounds count is decided later. */
export function autoSchedule(options: FitOptions) {
  const fixed = options.iterations !== undefined || options.burnIn !== undefined;
  return fixed
    ? scheduleFor(options, MOST_ITERATIONS, 0.5)
    : { iterations: MOST_ITERATIONS, burnIn: MOST_ITERATIONS / 2, thin: 2 };
}

export function batchPlan(options: FitOptions, layout: Layout, rows: number): BatchPlan {
  const { sampling = "blocks" } = options;
  if (sampling !== "blocks") return { by: "rows", rows, replacement: sampling === "rows-with-replacement" };
  return { by: "blocks", blocks: blocksOf(layout, rows) };
}

/** Rows in a batch, on average. */
export function batchRows(batch: BatchPlan, { rows, blocks }: Layout): number {
  return batch.by === "rows" ? batch.rows : Math.round((batch.blocks * rows) / blocks);
}

export function planSettings(plan: SearchPlan, chains: number, layout: Layout): Record<string, unknown> {
  const { iterations, burnIn, models, moves, integrator, temperature, stepSize, births, batch: by } = plan;
  const { noise, inclusion: priorInclusion, slabVariance, spikeVariance, maxSize } = plan;
  const batch = batchRows(by, layout);
  return {
    ...{ chains, iterations, burnIn, batch, models, moves, integrator, temperature },
    ...{ births, stepSize, ...(births === "walk" && { spikeVariance }) },
    ...(plan.family === "gaussian" && { noiseVariance: noise.known ? noise.variance : "unknown" }),
    ...{ priorInclusion, slabVariance, maxSize },
  };
}
