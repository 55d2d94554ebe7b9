/**
 * Columns that carry the same information: copies, and multiples of one another plus a constant. Twins have the same
 * correlation with the target up to sign, so only neighbours in that order are compared, and most comparisons end at
 * the first row.
 */

import { rowsIn } from "../../store/layout/layout.js";
import type { Store } from "../../store/store.js";
import type { Screen } from "./screen.js";

export interface Twins {
  readonly first: number;
  readonly second: number;
  /** Whether the numbers are the same, not only their pattern. */
  readonly copy: boolean;
}

/** Correlations are sums of float32 products: equal ones differ by less than this. */
const SAME_CORRELATION = 1e-6;
/** Standardised values of twins differ by rounding to float32 alone. */
const SAME_VALUE = 1e-4;
/** Sparse columns are spelt out for the comparison, which takes too long for very many. */
const MOST_COLUMNS = 50_000;

export function findTwins(store: Store, screen: Screen): Twins[] {
  const { columns } = store.layout;
  if (columns > MOST_COLUMNS) return [];
  const size = Float64Array.from(screen.correlation.subarray(0, columns), Math.abs);
  const order = Uint32Array.from({ length: columns }, (_, j) => j)
    .filter((j) => screen.sd[j] > 0)
    .sort((a, b) => size[a] - size[b] || a - b);
  const twins: Twins[] = [];
  const taken = new Uint8Array(columns);
  order.forEach((a, i) => {
    for (let k = i + 1; k < order.length && size[order[k]] - size[a] < SAME_CORRELATION; k++) {
      const b = order[k];
      if (taken[b] === 1 || !sameUpToScale(store, screen, a, b)) continue;
      taken[b] = 1;
      const [first, second] = a < b ? [a, b] : [b, a];
      const moment = (column: number) => screen.mean[column] + store.shift[column];
      const alike =
        Math.abs(screen.sd[a] / screen.sd[b] - 1) < 1e-6 &&
        screen.correlation[a] * screen.correlation[b] >= 0;
      twins.push({ first, second, copy: alike && Math.abs(moment(a) - moment(b)) <= 1e-6 * screen.sd[a] });
    }
  });
  return twins;
}

function sameUpToScale(store: Store, { mean, sd }: Screen, a: number, b: number): boolean {
  const numbers = new Float32Array(store.kernels.memory.buffer);
  let sign = 0;
  for (let block = 0; block < store.layout.blocks; block++) {
    const x = store.run(block, a) / 4;
    const y = store.run(block, b) / 4;
    const n = rowsIn(store.layout, block);
    for (let i = 0; i < n; i++) {
      const u = (numbers[x + i] - mean[a]) / sd[a];
      const v = (numbers[y + i] - mean[b]) / sd[b];
      if (sign === 0 && Math.abs(u) > 0.1) sign = Math.sign(u) * Math.sign(v);
      if (
        Math.abs(u - (sign || 1) * v) > SAME_VALUE * (1 + Math.abs(u)) &&
        (sign !== 0 || Math.abs(u + v) > SAME_VALUE)
      ) {
        return false;
      }
    }
  }
  return true;
}

const SHOWN = 5;

/** For the user, by name. */
export function twinNotes(twins: readonly Twins[], names: readonly string[]): string[] {
  const notes = twins
    .slice(0, SHOWN)
    .map(({ first, second, copy }) =>
      copy
        ? `"${names[second]}" is a copy of "${names[first]}": the data cannot tell them apart.`
        : `"${names[second]}" is "${names[first]}" times a number plus a number: the data cannot tell them apart.`,
    );
  if (twins.length > SHOWN) notes.push(`${twins.length - SHOWN} more columns repeat others in the same way.`);
  return notes;
}
