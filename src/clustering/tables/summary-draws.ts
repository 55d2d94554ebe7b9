/** Draws of what is reported, in the units of the data, in the layout of every run folder. */

import { DRAW_INDEX, type DrawTable } from "../../draws/posterior-draws.js";
import type { Sampled } from "../sampled.js";
import type { Units } from "../standardised.js";
import { covarianceOf } from "../summary.js";

/** A quantity by its name. */
export interface Quantity {
  readonly name: string;
  of(theta: Float64Array): number;
}

export function drawsTable({ chains }: Sampled<Float64Array>, quantities: readonly Quantity[]): DrawTable {
  const place = chains.flatMap((chain, c) => chain.map((_, t) => [c + 1, t + 1]));
  const draws = chains.flat();
  return {
    names: [...DRAW_INDEX, ...quantities.map(({ name }) => name)],
    columns: [
      Float64Array.from(place, ([chain]) => chain),
      Float64Array.from(place, ([, iteration]) => iteration),
      Float64Array.from(place, (_, i) => i + 1),
      ...quantities.map(({ of }) => Float64Array.from(draws, of)),
    ],
  };
}

/** Means and the lower triangles of covariances; `kind` is cluster or state, `at` where block k starts. */
export function gaussianQuantities(
  kind: string,
  k: number,
  at: number,
  full: boolean,
  { centre, scale, names }: Units & { readonly names: readonly string[] },
): Quantity[] {
  const d = names.length;
  const covariance = remembered((theta) => covarianceOf(theta, at, d, full));
  return names.flatMap((name, i) => [
    {
      name: `mean_${kind}${k + 1}_${name}`,
      of: (theta: Float64Array) => centre[i] + scale[i] * theta[at + i],
    },
    ...names.slice(0, i + 1).flatMap((other, j) =>
      full || i === j
        ? {
            name: `cov_${kind}${k + 1}_${name}_${other}`,
            of: (theta: Float64Array) => covariance(theta)[i * d + j] * scale[i] * scale[j],
          }
        : [],
    ),
  ]);
}

/** Columns are made one after the other, each from all draws. */
function remembered(make: (theta: Float64Array) => Float64Array): (theta: Float64Array) => Float64Array {
  const made = new Map<Float64Array, Float64Array>();
  return (theta) => {
    const known = made.get(theta) ?? make(theta);
    made.set(theta, known);
    return known;
  };
}
