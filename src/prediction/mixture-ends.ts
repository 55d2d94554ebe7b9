/** Where the intervals of many mixtures begin and end: by a kernel where all parts are normal, one by one elsewhere. */

import {
  mixtureQuantiles,
  nearlyNormal,
  type Part,
  standardQuantile,
} from "../families/mixture-quantiles.js";
import { chainBuffer, chainKernels, Region } from "../kernels/chain-memory.js";

const region = new Region();

/** Two quantiles of every row, one after the other; `laws` are mean and standard deviation of every row by parts. */
export function mixtureEnds(
  parts: readonly Part[],
  laws: readonly Float64Array[],
  [lower, upper]: readonly [number, number],
): Float64Array {
  const rows = laws[0].length / 2;
  const ends = parts.every(nearlyNormal)
    ? kernelEnds(parts, laws, [lower, upper])
    : new Float64Array(2 * rows).fill(Number.NaN);
  for (let r = 0; r < rows; r++) {
    if (!Number.isNaN(ends[2 * r])) continue;
    for (let f = 0; f < parts.length; f++) {
      parts[f].mean = laws[f][2 * r];
      parts[f].sd = laws[f][2 * r + 1];
    }
    ends.set(mixtureQuantiles(parts, [lower, upper]), 2 * r);
  }
  return ends;
}

function kernelEnds(
  parts: readonly Part[],
  laws: readonly Float64Array[],
  [lower, upper]: readonly [number, number],
): Float64Array {
  const length = laws[0].length;
  const start = region.hold(8 * (length * (laws.length + 1) + parts.length));
  const [ofLaws, ofWeights] = [start + 8 * length, start + 8 * length * (laws.length + 1)];
  const numbers = new Float64Array(chainBuffer(), start);
  for (const [f, law] of laws.entries()) numbers.set(law, length * (f + 1));
  parts.forEach(({ weight }, f) => {
    numbers[length * (laws.length + 1) + f] = weight;
  });
  const total = parts.reduce((sum, { weight }) => sum + weight, 0);
  chainKernels().mixtureEnds(
    start,
    ofLaws,
    ofWeights,
    length / 2,
    parts.length,
    total,
    lower,
    upper,
    standardQuantile(lower),
    standardQuantile(upper),
  );
  return new Float64Array(chainBuffer(), start, length).slice();
}
