/** Every variable, the most probable first: candidates by their posterior, the others by the certificate. */

import type { Outside } from "../certify/certificate.js";
import { type Component, summarizeCoefficients } from "../posterior/mixture.js";
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
  if (judged) for (let j = 0; j < mean.length; j++) mean[j] = pip[j] * slope[j] * judged.effect[j];
  candidates.forEach((j, i) => {
    pip[j] = weights.inclusion[i];
    mean[j] = slope[j] * summaries[i].mean;
  });
  const order = Uint32Array.from(pip.keys()).sort(
    (a, b) => pip[b] - pip[a] || Math.abs(mean[b]) - Math.abs(mean[a]),
  );
  const variables = Array.from(order, (j): VariableSummary => {
    const i = place.get(j);
    if (i === undefined) return outsider(names[j], pip[j], slope[j] * (judged?.effect[j] ?? 0));
    const { sd, lower, upper, meanIfIncluded, signProbability } = summaries[i];
    return {
      name: names[j],
      pip: pip[j],
      pipError: weights.inclusionError[i],
      mean: mean[j],
      sd: slope[j] * sd,
      lower: slope[j] * lower,
      upper: slope[j] * upper,
      meanIfIncluded: slope[j] * meanIfIncluded,
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

function outsider(name: string, pip: number, meanIfIncluded: number): VariableSummary {
  return {
    name,
    pip,
    pipError: 0,
    mean: pip * meanIfIncluded,
    sd: Math.abs(meanIfIncluded) * Math.sqrt(pip * (1 - pip)),
    lower: 0,
    upper: 0,
    meanIfIncluded,
    signProbability: 0.5,
    selected: false,
  };
}
