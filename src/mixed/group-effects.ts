/**
 * The random effects of every group: E[b_i | y] and sd(b_i | y), averaged over draws of θ. Given θ both are in closed
 * form, so a few dozen draws suffice: the draws only carry the uncertainty of θ.
 */

import { invertLower, packedSize } from "../math/packed.js";
import { layoutOf, type MixedDesign, unpack } from "./model/chart.js";
import { conditionalProducts, factorConditional, solveConditional } from "./model/conditional-effects.js";
import type { Standard } from "./standard.js";

export interface GroupEffects {
  /** What the groups are called. */
  readonly groups: readonly string[];
  /** q numbers a group, in the order of the random columns. */
  readonly mean: Float64Array;
  /** Posterior standard deviations, in the same order. */
  readonly sd: Float64Array;
  /** The column of the groups, where there are others, and those of the others. */
  readonly group?: string;
  /** The effects of the other groupings. */
  readonly others?: readonly GroupEffects[];
}

export function groupEffects(
  { data, effectsToData }: Standard,
  design: MixedDesign,
  draws: readonly Float64Array[],
): GroupEffects {
  const layout = layoutOf(design);
  const q = layout.random.length;
  const p = layout.fixed.length;
  const count = data.rows.length;
  const mean = new Float64Array(count * q);
  const square = new Float64Array(count * q);
  const point = unpack(layout);
  const factor = new Float64Array(packedSize(q));
  const inverse = new Float64Array(packedSize(q));
  const b = new Float64Array(q);
  // Column k is where the k-th standard effect goes in the data's coordinates.
  const back = Array.from({ length: q }, (_, k) =>
    effectsToData(Float64Array.from({ length: q }, (__, j) => +(j === k))),
  );
  const share = 1 / draws.length;
  for (const theta of draws) {
    point.read(theta);
    const variance = Math.exp(theta[p]);
    for (let i = 0, from = 0; i < count; i++, from += data.stride) {
      factorConditional(factor, 0, layout, point, data.values, from);
      conditionalProducts(b, 0, layout, theta, data.values, from);
      solveConditional(b, 0, factor, 0, q);
      invertLower(inverse, factor, 0, q);
      for (let j = 0; j < q; j++) {
        let centre = 0;
        for (let k = 0; k < q; k++) centre += back[k][j] * b[k];
        // A⁻¹ = R⁻ᵀR⁻¹: the variance is a sum of squares over the rows of R⁻¹.
        let spread = 0;
        for (let l = 0, row = 0; l < q; row += ++l) {
          let sum = 0;
          for (let k = 0; k <= l; k++) sum += back[k][j] * inverse[row + k];
          spread += sum * sum;
        }
        mean[i * q + j] += share * centre;
        square[i * q + j] += share * (centre * centre + variance * spread);
      }
    }
  }
  return {
    groups: data.groups,
    mean,
    sd: square.map((value, i) => Math.sqrt(Math.max(0, value - mean[i] ** 2))),
  };
}
