/** What thousands of models say of the scale of the slab: `scaleLaw` of each of them, by a kernel. */

import { chainBuffer, chainKernels } from "../../../kernels/chain-memory.js";
import type { ScaleLaw } from "../scale-law.js";
import { logSum } from "../slab.js";
import { eachLaid, type ModelsOf } from "./laid-models.js";

export function scaleLaws(of: ModelsOf, models: readonly (readonly number[])[]): ScaleLaw[] {
  const { size } = of.statistics;
  const scales = of.slab.scales.length;
  const laws: ScaleLaw[] = [];
  const asked = models.map((members) => ({ members, place: 0 }));
  eachLaid(
    of,
    asked,
    () => scales,
    ({ out, sums, cross, members, sizes, room, count }) => {
      chainKernels().modelWorths(out, sums, cross, members, sizes, room, size, count, scales);
      const logs = new Float64Array(chainBuffer(), out, count * scales).slice();
      for (let m = 0; m < count; m++) {
        const probability = logs.subarray(m * scales, (m + 1) * scales);
        const logMarginal = logSum(probability);
        for (let s = 0; s < scales; s++) probability[s] = Math.exp(probability[s] - logMarginal);
        laws.push({ logMarginal, probability });
      }
    },
  );
  return laws;
}
