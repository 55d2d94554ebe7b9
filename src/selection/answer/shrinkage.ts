/**
 * How much closer to zero than the truth effects come out. What is reported of an effect β is its posterior mean m, so
 * that over the posterior the reports have on the truths the slope
 *
 *     E Σ m·β / E Σ β² = Σ m² / Σ (m² + s²)
 *
 * with s the posterior standard deviations: the less the rows say of effects, the more the prior pulls them to zero.
 * The sums are over the selected variables, given that they are in, on the scale of the model. Models that hold two
 * which the rows tell together only have no say in either: that effects of substitutes are spread out is no pull of the
 * prior.
 */

import { grouped } from "../../wording.js";
import type { ModelPosterior } from "../posterior/evidence.js";
import { type Component, momentsOf } from "../posterior/laws/mixture.js";
import { SELECTED } from "./selected.js";

/** Posterior correlation with another effect of the model, from which on the two are told together only. */
const TOGETHER = 0.9;

/** One less that slope; undefined where nothing is selected by itself. */
export function shrinkageOf(mixture: readonly Component[], inclusion: Float64Array): number | undefined {
  const told = mixture.map((component) => ({ ...component, posterior: toldApart(component.posterior) }));
  const { total, mean, square } = momentsOf(told, inclusion.length);
  let [reported, truth] = [0, 0];
  inclusion.forEach((pip, j) => {
    if (pip <= SELECTED || total[j] === 0) return;
    reported += pip * (mean[j] / total[j]) ** 2;
    truth += (pip * square[j]) / total[j];
  });
  return truth > 0 ? Math.max(0, 1 - reported / truth) : undefined;
}

/** The law of those effects of a model that are told by themselves. */
function toldApart({ packed: _, ...posterior }: ModelPosterior): ModelPosterior {
  const { members, mean, covariance } = posterior;
  const k = members.length;
  const apart = [...members.keys()].filter((a) =>
    members.every((_, b) => {
      const both = covariance[a * k + a] * covariance[b * k + b];
      return b === a || covariance[a * k + b] ** 2 <= TOGETHER ** 2 * both;
    }),
  );
  return {
    ...posterior,
    members: apart.map((a) => members[a]),
    mean: Float64Array.from(apart, (a) => mean[a]),
    covariance: Float64Array.from(apart.flatMap((a) => apart.map((b) => covariance[a * k + b]))),
  };
}

/** Said from here on: three hundredths are worth a word, and this number is off by one now and then. */
const NOTICED = 0.02;

export interface Rows {
  readonly rows: number;
  /** Those of them that have holes. */
  readonly holed: number;
}

export function shrinkageRemark(shrinkage: number | undefined, { rows, holed }: Rows): string[] {
  if (shrinkage === undefined || shrinkage < NOTICED) return [];
  const some = holed < rows ? `${grouped(holed)} of them with holes` : "all of them with holes";
  return [
    `Effects of the selected variables, given that they are in, come out about ${Math.round(100 * shrinkage)}% closer to zero than they are, on average: ${grouped(rows)} rows, ${some}, leave that much to the prior. Their intervals allow for it.`,
  ];
}
