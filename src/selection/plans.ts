/** From options and the screen to the plan of a search. */

import { SparrowError } from "../errors.js";
import { defaultInclusion } from "../models/priors.js";
import type { Layout } from "../store/layout.js";
import { type Scaling, unscaled } from "../store/scaling.js";
import type { Store } from "../store/store.js";
import type { FitOptions } from "./options.js";
import { correlationWeights, type Screen } from "./screen.js";
import type { BatchPlan, SearchPlan } from "./search.js";

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
  };
}

/**
 * The default search: everything in standard units, σ² sampled, steps in units of the posterior's own scale. Short,
 * because the certificate finds what it misses.
 */
export function autoPlan(inputs: PlanInputs, scaling: Scaling): SearchPlan {
  const { options, store, screen, always, batchRows, seed } = inputs;
  const { rows, columns } = store.layout;
  const schedule = scheduleFor(options, 1000, 0.5);
  const weights = correlationWeights(screen, 0);
  for (let j = 0; j < columns; j++) if (screen.sd[j] === 0) weights[j] = 0;
  for (const j of always) weights[j] = 0;
  const largest = screen.correlation.slice(0, columns).reduce((most, r) => Math.max(most, Math.abs(r)), 0);
  const known = options.noiseVariance ?? "unknown";
  const targetVariance = screen.sd[columns] ** 2;
  return {
    seed,
    ...schedule,
    batch: batchPlan(options, store.layout, batchRows),
    models: options.models ?? 10,
    moves: options.moves ?? 5,
    stepSize: options.stepSize ?? { relative: 0.05 },
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
  };
}

/** How long to run, what to discard, and how far draws are apart: 10 iterations, less where the run is short. */
function scheduleFor(options: FitOptions, usualIterations: number, burnInShare: number) {
  const iterations = options.iterations ?? usualIterations;
  const burnIn = options.burnIn ?? Math.floor(burnInShare * iterations);
  if (burnIn >= iterations) {
    throw new SparrowError(
      `--burn-in ${burnIn} leaves nothing of ${iterations} iterations; make it smaller or --iterations larger.`,
      "usage",
    );
  }
  return { iterations, burnIn, thin: Math.max(1, Math.min(10, Math.floor((iterations - burnIn) / 20))) };
}

export function batchPlan(options: FitOptions, layout: Layout, rows: number): BatchPlan {
  const { sampling = "blocks" } = options;
  if (sampling !== "blocks") return { by: "rows", rows, replacement: sampling === "rows-with-replacement" };
  return { by: "blocks", blocks: Math.max(1, Math.round((rows * layout.blocks) / layout.rows)) };
}

export function planSettings(plan: SearchPlan, chains: number, layout: Layout): Record<string, unknown> {
  const { iterations, burnIn, models, moves, integrator, temperature, informed, batch: by } = plan;
  const { noise, inclusion: priorInclusion, slabVariance, spikeVariance, maxSize } = plan;
  const batch = by.by === "rows" ? by.rows : Math.round((by.blocks * layout.rows) / layout.blocks);
  return {
    ...{ chains, iterations, burnIn, batch, models, moves, integrator, temperature },
    ...(informed
      ? { births: "informed", stepSize: { relativeToCurvature: informed.relativeStep } }
      : { births: "walk", stepSize: plan.stepSize, spikeVariance }),
    ...(plan.family === "gaussian" && { noiseVariance: noise.known ? noise.variance : "unknown" }),
    ...{ priorInclusion, slabVariance, maxSize },
  };
}
