/**
 * Weighted choice in constant time: Walker's (1977) alias method with Vose's (1991) linear set-up.
 *
 * Column i of n equal columns holds i up to `threshold[i]` and `alias[i]` above it. One uniform gives both the
 * column and the height, so a probability is right to n·2⁻⁵³.
 */

import type { Rng } from "./rng.js";

export interface AliasTable {
  readonly size: number;
  /** An index, with probability proportional to its weight; never one of weight zero. */
  draw(rng: Rng): number;
}

export function aliasTable(weights: ArrayLike<number>): AliasTable {
  const n = weights.length;
  let heaviest = 0;
  for (let i = 0; i < n; i++) {
    if (!(weights[i] >= 0 && weights[i] < Number.POSITIVE_INFINITY)) {
      throw new RangeError(`weight ${i} is ${weights[i]}: weights must be finite and not negative`);
    }
    if (weights[i] > weights[heaviest]) heaviest = i;
  }
  if (n === 0 || weights[heaviest] === 0) throw new RangeError("at least one weight must be positive");

  // Relative to the largest weight, so that neither a sum of huge weights overflows nor one of tiny ones underflows.
  const largest = weights[heaviest];
  let total = 0;
  for (let i = 0; i < n; i++) total += weights[i] / largest;
  const threshold = Float64Array.from(weights, (w) => (w / largest / total) * n);
  const alias = new Uint32Array(n);

  // One array holds two stacks: columns still short from the left, columns too full from the right.
  const stack = new Uint32Array(n);
  let short = 0;
  let full = n;
  for (let i = 0; i < n; i++) {
    if (threshold[i] < 1) stack[short++] = i;
    else stack[--full] = i;
  }
  while (short > 0 && full < n) {
    const low = stack[--short];
    const high = stack[full];
    alias[low] = high;
    threshold[high] -= 1 - threshold[low];
    if (threshold[high] < 1) {
      full++;
      stack[short++] = high;
    }
  }
  // What is left is full but for rounding. No zero can be among it: m + 1 columns hold m + 1 in all, so as long as
  // a zero waits, one of the other m is full with 1/m to spare.
  for (let i = 0; i < short; i++) threshold[stack[i]] = 1;
  for (let i = full; i < n; i++) threshold[stack[i]] = 1;

  return {
    size: n,
    draw(rng) {
      const u = rng.uniform() * n;
      const i = Math.floor(u);
      return u - i < threshold[i] ? i : alias[i];
    },
  };
}
