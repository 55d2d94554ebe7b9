/**
 * log p(y | β, σ², Σ) with the random effects integrated out, at the posterior means, in the units of the data. It is
 * worked out in standard coordinates, from which the means differ by a linear map: in those of the data a prior that has
 * nothing to do with their units would be added and taken away again, and may be 10²⁰ times as large.
 */

import { choleskyInPlace, packedSize } from "../math/packed.js";
import { layoutOf, type MixedDesign, natural, thetaOf } from "./model/chart.js";
import { marginalMixed } from "./model/marginal.js";
import type { Standard } from "./standard.js";

/** `thetas` are draws in standard coordinates. */
export function logLikelihood(
  { data, scale }: Standard,
  design: MixedDesign,
  thetas: readonly Float64Array[],
): number {
  const layout = layoutOf(design);
  const draws = thetas.map((theta) => natural(layout, theta));
  const mean = draws[0].map((_, j) => draws.reduce((sum, draw) => sum + draw[j], 0) / draws.length);
  const p = design.fixed.length;
  const q = design.random.length;
  const factor = mean.slice(p + 1, p + 1 + packedSize(q)).map((value) => value / mean[p]);
  choleskyInPlace(factor, 0, q);
  const theta = thetaOf(layout, mean.subarray(0, p), mean[p], factor);
  const model = marginalMixed(design);
  const units = Uint32Array.from(data.rows.keys());
  const [some, none] = [units, new Uint32Array(0)].map((which) =>
    model.logJoint(theta, null, { data, units: which, weight: 1 }),
  );
  const rows = data.rows.reduce((sum, n) => sum + n, 0);
  return some - none - rows * (0.5 * Math.log(2 * Math.PI) + Math.log(scale[data.columns.length]));
}
