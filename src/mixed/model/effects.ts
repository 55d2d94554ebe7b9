/**
 * The random effects of a mixed model, drawn exactly from their conditional (van Dyk 2000, eq. 3.6):
 *
 *     b_i | y_i, θ ~ N(A⁻¹Z′(y − Wβ), σ²A⁻¹),   A = Z′Z + D⁻¹
 *
 * `enter` factors A once a batch, so further imputations cost a triangular solve each.
 */

import { normal } from "../../math/normal.js";
import { packedSize, solveUpper } from "../../math/packed.js";
import type { InnerKernel } from "../../types.js";
import { type MixedLayout, type UnitBatch, unpack } from "./chart.js";
import { conditionalProducts, factorConditional, solveConditional } from "./conditional-effects.js";

/** q effects a unit, and their conditional means and the Cholesky factors of A. */
export interface DrawnEffects {
  values: Float64Array;
  mean: Float64Array;
  factor: Float64Array;
}

export function effects(layout: MixedLayout): InnerKernel<DrawnEffects, UnitBatch> {
  const q = layout.random.length;
  const p = layout.fixed.length;
  const size = packedSize(q);
  const point = unpack(layout);
  return {
    init: () => ({ values: new Float64Array(0), mean: new Float64Array(0), factor: new Float64Array(0) }),
    enter(z, theta, { data, units }) {
      if (z.values.length !== units.length * q) {
        z.values = new Float64Array(units.length * q);
        z.mean = new Float64Array(units.length * q);
        z.factor = new Float64Array(units.length * size);
      }
      point.read(theta);
      for (let i = 0; i < units.length; i++) {
        const from = units[i] * data.stride;
        factorConditional(z.factor, i * size, layout, point, data.values, from);
        conditionalProducts(z.mean, i * q, layout, theta, data.values, from);
        solveConditional(z.mean, i * q, z.factor, i * size, q);
      }
    },
    step(rng, z, theta) {
      const sd = Math.exp(0.5 * theta[p]);
      const count = z.mean.length;
      for (let i = 0; i < count; i++) z.values[i] = sd * normal(rng);
      for (let at = 0, factor = 0; at < count; at += q, factor += size) {
        solveUpper(z.values, at, z.factor, factor, q);
      }
      for (let i = 0; i < count; i++) z.values[i] += z.mean[i];
      return true;
    },
  };
}
