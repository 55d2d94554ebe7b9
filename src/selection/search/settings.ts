/** What a search was carried out with and, where it chose by itself, why, in words. */

import { familyNamed } from "../../families/register.js";
import type { IntegratorName } from "../../integrators/named.js";
import type { Layout } from "../../store/layout/layout.js";
import type { Searched } from "./rounds.js";
import type { BatchPlan, SearchPlan, StepSizePlan } from "./types.js";

/** Part of the settings of a result. */
export interface SearchSettings {
  /** Independent chains. */
  readonly chains: number;
  /** Iterations of each chain. */
  readonly iterations: number;
  /** Iterations that were discarded. */
  readonly burnIn: number;
  /** Rows, on average. */
  readonly batch: number;
  /** Models per iteration. */
  readonly models: number;
  /** Moves per model. */
  readonly moves: number;
  /** The dynamics of the coefficients. */
  readonly integrator: IntegratorName;
  /** 1 targets the posterior. */
  readonly temperature: number;
  /** How variables that come in get their coefficient: from an estimate, or from their own walk. */
  readonly births: "informed" | "walk";
  /** The step of the dynamics. */
  readonly stepSize: StepSizePlan;
  /** Of a coefficient that is out, where it walks on. */
  readonly spikeVariance?: number;
  /** σ², or that it was unknown; absent where the family has none. */
  readonly noiseVariance?: number | "unknown";
  /** Prior probability that a variable is in. */
  readonly priorInclusion: number;
  /** Prior variance of a coefficient that is in, or C0 of the prior that falls with the size. */
  readonly slabVariance: number | { readonly c0: number };
  /** Most variables in a model. */
  readonly maxSize: number;
  /** How long it ran and with which batches: a sentence each, where that was left to it. */
  readonly chosen?: readonly string[];
}

export function planSettings(plan: SearchPlan, chains: number, layout: Layout): SearchSettings {
  const { noise } = plan;
  return {
    chains,
    iterations: plan.iterations,
    burnIn: plan.burnIn,
    batch: batchRows(plan.batch, layout),
    models: plan.models,
    moves: plan.moves,
    integrator: plan.integrator,
    temperature: plan.temperature,
    births: plan.births,
    stepSize: plan.stepSize,
    ...(plan.births === "walk" && { spikeVariance: plan.spikeVariance }),
    ...(familyNamed(plan.family).noise && { noiseVariance: noise.known ? noise.variance : "unknown" }),
    priorInclusion: plan.inclusion,
    slabVariance: plan.slabVariance,
    maxSize: plan.maxSize,
  };
}

/** The settings as carried out, with `chosen`: a sentence each on how long it ran and on its batches. */
export function searchSettings(
  { plan, chains, agreed, cut }: Searched,
  first: SearchPlan,
  layout: Layout,
): SearchSettings {
  const ran = Math.max(...chains.map(({ iterations }) => iterations));
  return {
    ...planSettings({ ...plan, iterations: ran }, chains.length, layout),
    chosen: [lengthChosen(chains.length, ran, agreed, cut), batchChosen(first, plan, layout)],
  };
}

/** Rows in a batch, on average. */
function batchRows(batch: BatchPlan, { rows, blocks }: Layout): number {
  return batch.by === "rows" ? batch.rows : Math.round((batch.blocks * rows) / blocks);
}

function lengthChosen(chains: number, iterations: number, agreed: boolean | undefined, cut: boolean): string {
  const ran = `${chains === 1 ? "One chain" : `${chains} chains`} ran ${iterations} iterations`;
  if (cut) return `${ran} before it was stopped.`;
  if (agreed === undefined) return `${ran}, as asked.`;
  return agreed
    ? `${ran}, until no variable was firmly in for one and out for another.`
    : `${ran}, the most allowed, without agreeing on every variable; certificate and exact posterior decide.`;
}

function batchChosen(first: SearchPlan, plan: SearchPlan, layout: Layout): string {
  const [before, after] = [batchRows(first.batch, layout), batchRows(plan.batch, layout)];
  const { models, moves } = plan;
  const steps = `${models} models of ${moves} moves each${stepChosen(plan.stepSize)}`;
  if (after === layout.rows) return `Every iteration used all ${after} rows for ${steps}.`;
  const noise = "so that the noise of a batch does not remove what the data firmly support";
  return after === before
    ? `An iteration used a batch of ${after} rows for ${steps}.`
    : `An iteration used a batch of ${before} rows at first and ${after} in the end, ${noise}, for ${steps}.`;
}

function stepChosen(stepSize: StepSizePlan): string {
  const relative = typeof stepSize === "object" && "relativeToCurvature" in stepSize;
  const size = relative ? stepSize.relativeToCurvature : stepSize;
  if (typeof size !== "number") return "";
  return ` and a step of ${size}${relative ? " over the largest curvature of the model" : ""}`;
}
