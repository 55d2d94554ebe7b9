/** Every variable, the most probable first: candidates by their posterior, the others by the certificate. */

import { normalQuantile } from "../../math/distributions.js";
import type { Outside } from "../certify/certificate.js";
import { type Component, summarizeCoefficients } from "../posterior/laws/mixture.js";
import type { Weighed } from "../posterior/posterior.js";
import type { Problem } from "../posterior/problem.js";
import type { VariableSummary } from "./result.js";
import { SELECTED } from "./selected.js";

export function summarizeVariables(
  { store, screen, scaling }: Problem,
  { candidates, weights }: Weighed,
  mixture: readonly Component[],
  judged: Outside | undefined,
): { variables: VariableSummary[]; largestOutside?: { name: string; pip: number } } {
  const { names } = store;
  const { slope } = scaling;
  const summaries = summarizeCoefficients(mixture, weights.inclusion);
  const place = new Map(candidates.map((j, i) => [j, i]));
  // There may be a million: numbers are sorted, not objects, and objects are plain literals.
  const pip = judged ? judged.pip.slice() : new Float64Array(store.layout.columns);
  const mean = new Float64Array(pip.length);
  if (judged) for (let j = 0; j < mean.length; j++) mean[j] = pip[j] * slope[j] * judged.mean[j];
  candidates.forEach((j, i) => {
    pip[j] = weights.inclusion[i];
    mean[j] = slope[j] * summaries[i].mean;
  });
  const order = Uint32Array.from(pip.keys()).sort(
    (a, b) => pip[b] - pip[a] || Math.abs(mean[b]) - Math.abs(mean[a]),
  );
  const variables = Array.from(order, (j): VariableSummary => {
    const i = place.get(j);
    if (i === undefined) return outsider(names[j], slope[j], judged, j);
    const { sd, lower, upper, meanIfIncluded, lowerIfIncluded, upperIfIncluded, signProbability } =
      summaries[i];
    return {
      name: names[j],
      pip: pip[j],
      pipError: weights.inclusionError[i],
      mean: mean[j],
      sd: slope[j] * sd,
      lower: slope[j] * lower,
      upper: slope[j] * upper,
      meanIfIncluded: slope[j] * meanIfIncluded,
      lowerIfIncluded: slope[j] * lowerIfIncluded,
      upperIfIncluded: slope[j] * upperIfIncluded,
      signProbability,
      selected: pip[j] > SELECTED,
    };
  });
  const first = judged && order.find((j) => !place.has(j) && screen.sd[j] > 0);
  return {
    variables,
    ...(first !== undefined && { largestOutside: { name: names[first], pip: pip[first] } }),
  };
}

/** Of a column that was judged from outside: its coefficient as the judges see it, taken for normal given inclusion. */
function outsider(name: string, slope: number, judged: Outside | undefined, j: number): VariableSummary {
  const [pip, mean, sd] = judged ? [judged.pip[j], judged.mean[j], judged.sd[j]] : [0, 0, 0];
  const positive = judged?.positive[j] ?? 0.5;
  return {
    name,
    pip,
    pipError: 0,
    mean: pip * slope * mean,
    sd: slope * Math.sqrt(Math.max(0, pip * (sd * sd + mean * mean) - (pip * mean) ** 2)),
    // Most of the probability lies at zero, and so does an end of the interval with less than this beyond it.
    lower: pip * (1 - positive) > TAIL ? slope * Math.min(0, mean + sd * normalQuantile(TAIL / pip)) : 0,
    upper: pip * positive > TAIL ? slope * Math.max(0, mean - sd * normalQuantile(TAIL / pip)) : 0,
    meanIfIncluded: slope * mean,
    lowerIfIncluded: slope * (mean - sd * FAR),
    upperIfIncluded: slope * (mean + sd * FAR),
    signProbability: mean >= 0 ? positive : 1 - positive,
    selected: false,
  };
}

/** Beyond either end of an interval, and how far away that is, in standard deviations. */
const TAIL = 0.025;
const FAR = -normalQuantile(TAIL);
