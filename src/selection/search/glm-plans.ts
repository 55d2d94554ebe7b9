/** Plans of a search for binomial and Poisson targets. */

import { interceptAlone, type Target } from "../../families/target.js";
import { defaultInclusion, liangInclusion } from "../../models/priors.js";
import { type Scaling, unscaled } from "../../store/batch/scaling.js";
import type { SearchPlan } from "./chain.js";
import { devianceWeights } from "./deviances.js";
import { autoSchedule, batchPlan, type PlanInputs, refreshBlocks } from "./plans.js";

/** Algorithm 1 with the settings of the supplement's logistic example (S4.2), each of which can be overridden. */
export function paperGlmPlan(inputs: PlanInputs, target: Target, deviance: Float64Array): SearchPlan {
  const { options, store, always, batchRows, seed } = inputs;
  const iterations = options.iterations ?? 5000;
  const weights = devianceWeights(deviance, options.intercept === "none" ? 0 : Math.exp(-0.1));
  const intercept = options.intercept === "always" ? [weights.length - 1] : [];
  for (const j of [...always, ...intercept]) weights[j] = 0;
  return {
    seed,
    iterations,
    burnIn: options.burnIn ?? Math.floor(0.4 * iterations),
    thin: 10,
    batch: batchPlan(options, store.layout, batchRows),
    models: options.models ?? 10,
    moves: options.moves ?? 1,
    stepSize: options.stepSize ?? 1e-5,
    integrator: options.integrator ?? "sgld",
    temperature: options.temperature ?? 1,
    family: target.family,
    noise: { variance: 1, known: true },
    inclusion: options.priorInclusion ?? liangInclusion(weights.length, options.priorZeta ?? 0.5),
    slabVariance: options.slabVariance ?? { c0: options.priorC0 ?? 10 },
    spikeVariance: 0.025,
    maxSize: options.maxSize ?? 500,
    weights,
    always: [...always, ...intercept],
    scaling: { ...unscaled(store.shift), target: target.scaling },
    births: "walk",
  };
}

/** A batch of this share of the rows lets a noise variable in by chance about once in a hundred tries. */
const BATCH_SHARE = 1 / 5;
const BATCH_ROWS = { least: 2000, most: 20_000 };
/** Rows that the proposal weights are refreshed on. */
const REFRESH_ROWS = 20_000;

/**
 * The default search: standardised columns, an intercept that is always in, births around one-step estimates,
 * weights that follow the residual, steps scaled by the curvature. Short, because the certificate finds what it
 * misses.
 */
export function autoGlmPlan(inputs: PlanInputs, target: Target, scaling: Scaling): SearchPlan {
  const { options, store, screen, always, seed } = inputs;
  const { rows, columns } = store.layout;
  const hasIntercept = options.intercept !== "none";
  // Until the first refresh every variable is as good as any other.
  const weights = screen.sd.map((sd) => (sd > 0 ? 0.5 : 0));
  for (const j of [...always, columns]) weights[j] = 0;
  const n = Math.min(rows, BATCH_ROWS.most, Math.max(BATCH_ROWS.least, Math.ceil(rows * BATCH_SHARE)));
  return {
    seed,
    ...autoSchedule(options),
    batch: batchPlan({ ...options, sampling: "blocks" }, store.layout, options.batch ?? n),
    models: options.models ?? 5,
    moves: options.moves ?? 8,
    stepSize: { relativeToCurvature: options.stepSize ?? 0.3 },
    integrator: options.integrator ?? "sgld",
    temperature: options.temperature ?? 1,
    family: target.family,
    noise: { variance: 1, known: true },
    inclusion: options.priorInclusion ?? defaultInclusion(columns + 1),
    slabVariance: options.slabVariance ?? 1,
    spikeVariance: 0,
    maxSize: Math.min(options.maxSize ?? 100, Math.max(1, rows - 3)),
    weights,
    always: hasIntercept ? [...always, columns] : always,
    scaling,
    births: "informed",
    ...(hasIntercept && { intercept: interceptAlone(target, screen.mean[columns]) }),
    adaptation: { blocks: refreshBlocks(store.layout, REFRESH_ROWS) },
  };
}
