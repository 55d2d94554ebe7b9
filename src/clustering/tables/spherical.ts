/** What "spherical" means where columns differ in width: they are standardised first, so that no cluster is round as given. */

import { option, type Spelling, spelt } from "../../wording.js";
import type { CovarianceShape } from "../exact/gaussian-blocks.js";
import { standardised } from "../standardised.js";

/** Standard deviations whose ratio is less are taken for the same. */
const SAME = 1.1;

/** A note where clusters are asked to be spherical in columns of different widths. */
export function sphericalNotes(
  covariance: CovarianceShape,
  values: Float64Array,
  names: readonly string[],
  spelling: Spelling,
): readonly string[] {
  if (covariance !== "spherical" || names.length < 2) return [];
  const { scale } = standardised(values, names.length);
  const [least, most] = [scale.indexOf(Math.min(...scale)), scale.indexOf(Math.max(...scale))];
  if (scale[most] < SAME * scale[least]) return [];
  const shown = (column: number): string => `${Number(scale[column].toPrecision(3))} in "${names[column]}"`;
  const sentence = `With ${option("covariance", "spherical")} a width is the same in all columns in units of their standard deviations (${shown(least)}, ${shown(most)}), not in those of the data; with ${option("covariance", "diagonal")} every column has its own.`;
  return [spelt(sentence, spelling)];
}
