/** What the default search chose, and why, in words. */

import type { Layout } from "../../store/layout/layout.js";
import type { SearchPlan, StepSizePlan } from "./chain.js";
import { batchRows, planSettings } from "./plans.js";
import type { Searched } from "./rounds.js";

/** The settings as carried out, with `chosen`: a sentence each on how long it ran and on its batches. */
export function searchSettings(
  { plan, chains, agreed, cut }: Searched,
  first: SearchPlan,
  layout: Layout,
): Record<string, unknown> {
  const ran = Math.max(...chains.map(({ iterations }) => iterations));
  const settings = planSettings({ ...plan, iterations: ran }, chains.length, layout);
  return {
    ...settings,
    chosen: [lengthChosen(chains.length, ran, agreed, cut), batchChosen(first, plan, layout)],
  };
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
