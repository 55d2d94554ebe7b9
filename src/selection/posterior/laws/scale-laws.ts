/** What thousands of models say of the scale of the slab: `scaleLaw` of each of them, by a kernel. */

import { chainKernels } from "../../../kernels/chain-memory.js";
import { logSum } from "../slab.js";
import { eachLaid, type ModelsOf } from "./laid-models.js";

export interface ScaleLaws {
  /** log p(y | S) of every model, up to a constant that all share. */
  readonly logMarginal: Float64Array;
  /** p(scale | S, y), model by model, each in the order of the slab's scales. */
  readonly probability: Float64Array;
}

export function scaleLaws(of: ModelsOf, models: readonly (readonly number[])[]): ScaleLaws {
  const { size } = of.statistics;
  const scales = of.slab.scales.length;
  const logMarginal = new Float64Array(models.length);
  const probability = new Float64Array(models.length * scales);
  eachLaid(of, { models, found: [scales, 0] }, (laid) => {
    const { from, count, at, out } = laid;
    chainKernels().modelWorths(at.out, at.sums, at.cross, at.members, at.sizes, at.room, size, count, scales);
    probability.set(out, from * scales);
  });
  for (let m = 0, at = 0; m < models.length; m++, at += scales) {
    const own = logSum(probability.subarray(at, at + scales));
    logMarginal[m] = own;
    for (let s = at; s < at + scales; s++) probability[s] = Math.exp(probability[s] - own);
  }
  return { logMarginal, probability };
}
