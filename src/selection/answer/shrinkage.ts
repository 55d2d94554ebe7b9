/**
 * How much closer to zero than the truth effects come out. What is reported of an effect β is its posterior mean m, so
 * that over the posterior the reports have on the truths the slope
 *
 *     E Σ m·β / E Σ β² = Σ m² / Σ (m² + s²)
 *
 * with s the posterior standard deviations: the less the rows say of effects, the more the prior pulls them to zero.
 * The sums are over the selected variables, given that they are in, on the scale of the model.
 */

import { grouped } from "../../wording.js";
import { type Component, momentsOf } from "../posterior/laws/mixture.js";
import { SELECTED } from "./selected.js";

/** One less that slope; undefined where nothing is selected. */
export function shrinkageOf(mixture: readonly Component[], inclusion: Float64Array): number | undefined {
  const { total, mean, square } = momentsOf(mixture, inclusion.length);
  let [reported, truth] = [0, 0];
  inclusion.forEach((pip, j) => {
    if (pip <= SELECTED || total[j] === 0) return;
    reported += pip * (mean[j] / total[j]) ** 2;
    truth += (pip * square[j]) / total[j];
  });
  return truth > 0 ? Math.max(0, 1 - reported / truth) : undefined;
}

/** Said from here on: three hundredths are worth a word, and this number is off by one now and then. */
const NOTICED = 0.02;

export function shrinkageRemark(shrinkage: number | undefined, rows: number): string[] {
  if (shrinkage === undefined || shrinkage < NOTICED) return [];
  return [
    `Effects of the selected variables, given that they are in, come out about ${Math.round(100 * shrinkage)}% closer to zero than they are, on average: ${grouped(rows)} rows with holes leave that much to the prior. Their intervals allow for it.`,
  ];
}
