/**
 * What one Newton step asks of many columns: with a residual r and weights w of the rows, Σ x·r, Σ x·w and Σ x²·w of every
 * column x, in one reading of it.
 */

import { rowsIn } from "../layout/layout.js";
import type { Entries } from "../layout/sparse-block.js";
import type { Store } from "../store.js";
import type { Arena } from "./arena.js";

/** Rows of a block with their residuals and weights, by pointers. */
export interface WeighedRows {
  readonly block: number;
  readonly residual: number;
  readonly weights: number;
}

/** Over some rows: of a column's stored numbers u about a centre m, and of the rows themselves. */
export interface NewtonSums {
  /** Σ(u − m)·r, Σ(u − m)·w and Σ(u − m)²·w. */
  readonly residual: number;
  readonly weight: number;
  readonly square: number;
}

/** Of slope·u + offset about nought, from what it is of u about `centre`; `rows` are Σr and Σw. */
export function asSeen(
  { residual, weight, square }: NewtonSums,
  rows: Omit<NewtonSums, "square">,
  { slope, offset, centre }: { readonly slope: number; readonly offset: number; readonly centre: number },
): NewtonSums {
  const rest = slope * centre + offset;
  return {
    residual: slope * residual + rest * rows.residual,
    weight: slope * weight + rest * rows.weight,
    square: slope * slope * square + 2 * slope * rest * weight + rest * rest * rows.weight,
  };
}

/**
 * Adds the three sums of every column first … last over a block to float64 sums at `out`, about centres in single
 * precision, the first of which is that of column `begin`.
 */
export function weightedSums(
  store: Store,
  arena: Arena,
  centres: Float32Array,
  begin = 0,
): (out: number, rows: WeighedRows, first: number, last: number) => void {
  const { kernels, layout } = store;
  const { buffer } = kernels.memory;
  const held = arena.vector(centres.length);
  new Float32Array(buffer, held.pointer, held.length).set(centres);
  return (out, rows, first, last) => {
    const n = rowsIn(layout, rows.block);
    let totals: Omit<NewtonSums, "square"> | undefined;
    for (let j = first; j < last; ) {
      const at = out + 24 * (j - first);
      const { pointer, count } = store.stretch(rows.block, j, last);
      if (count > 0) {
        const centre = held.pointer + 4 * (j - begin);
        kernels.weightedSums(at, pointer, count, layout.stride, centre, rows.weights, rows.residual, n);
        j += count;
        continue;
      }
      const total = (r: number): number => kernels.affineDot(0, 1, r, r, n);
      totals ??= { residual: total(rows.residual), weight: total(rows.weights) };
      const centre = centres[j - begin];
      const entered = ofEntries(buffer, store.entries(rows.block, j)!, rows);
      // Most of its numbers are nought.
      const about = asSeen(entered, totals, { slope: 1, offset: -centre, centre: 0 });
      const sums = new Float64Array(buffer, at, 3);
      sums[0] += about.residual;
      sums[1] += about.weight;
      sums[2] += about.square;
      j += 1;
    }
  };
}

function ofEntries(
  buffer: ArrayBufferLike,
  { rows, values, count }: Entries,
  { residual, weights }: WeighedRows,
): NewtonSums {
  const numbers = new Float32Array(buffer);
  const which = new Uint32Array(buffer, rows, count);
  const [u, r, w] = [values / 4, residual / 4, weights / 4];
  const sums = { residual: 0, weight: 0, square: 0 };
  for (let e = 0; e < count; e++) {
    const value = numbers[u + e];
    const weighted = value * numbers[w + which[e]];
    sums.residual += value * numbers[r + which[e]];
    sums.weight += weighted;
    sums.square += value * weighted;
  }
  return sums;
}
