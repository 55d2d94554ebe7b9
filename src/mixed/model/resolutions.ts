/** What groups can tell at most of the standard deviations of their effects, from cross-products in standard coordinates. */

import { placeOf } from "../../math/packed.js";
import type { CrossProducts } from "./crossproducts.js";
import { type Resolution, resolutionOf } from "./spike-and-slab.js";

export function resolutionsOf(
  { values, stride, rows }: CrossProducts,
  random: readonly number[],
): Resolution[] {
  return random.map((column) => {
    let [information, groups] = [0, 0];
    for (let i = 0, at = placeOf(column, column); i < rows.length; i++, at += stride) {
      information += values[at] * values[at];
      groups += Number(values[at] > 0);
    }
    return resolutionOf(information, groups);
  });
}
