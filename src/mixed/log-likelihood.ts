/** log p(y | β, σ², Σ) with the random effects integrated out, at the posterior means, in the units of the data. */

import { choleskyInPlace, packedSize } from "../math/packed.js";
import { layoutOf, type MixedDesign, thetaOf } from "./model/chart.js";
import type { CrossProducts } from "./model/crossproducts.js";
import { marginalMixed } from "./model/marginal.js";

/** `draws` are β, σ² and the triangle of Σ. */
export function logLikelihood(
  data: CrossProducts,
  design: MixedDesign,
  draws: readonly (readonly Float64Array[])[],
): number {
  const all = draws.flat();
  const mean = all[0].map((_, j) => all.reduce((sum, draw) => sum + draw[j], 0) / all.length);
  const p = design.fixed.length;
  const q = design.random.length;
  const factor = mean.slice(p + 1, p + 1 + packedSize(q)).map((value) => value / mean[p]);
  choleskyInPlace(factor, 0, q);
  const theta = thetaOf(layoutOf(design), mean.subarray(0, p), mean[p], factor);
  const model = marginalMixed(design);
  const units = Uint32Array.from(data.rows.keys());
  const [some, none] = [units, new Uint32Array(0)].map((which) =>
    model.logJoint(theta, null, { data, units: which, weight: 1 }),
  );
  const rows = data.rows.reduce((sum, n) => sum + n, 0);
  return some - none - 0.5 * rows * Math.log(2 * Math.PI);
}
