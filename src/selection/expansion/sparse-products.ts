/**
 * Weighted products of sparse columns with each other, Σ_r w_r·u_ri·u_rj, row by row: a row costs the square of its
 * entries, however many columns there are.
 */

import { chainBuffer, chainKernels, Region } from "../../kernels/chain-memory.js";
import { view } from "../../store/batch/arena.js";
import { rowsIn } from "../../store/layout/layout.js";
import type { Store } from "../../store/store.js";

export interface SparseProducts {
  /** Of every two of the columns, row-major; the lower triangle alone. */
  sums(): Float64Array;
  /** Adds those of a block with the weights at this pointer. */
  add(block: number, weights: number): void;
}

/** The sums of one pass, and behind them the block that is being added. */
const region = new Region();

/** One pass at a time: another one begins with sums of its own. */
export function sparseProducts(store: Store, columns: readonly number[]): SparseProducts {
  const { layout, kernels } = store;
  const size = columns.length;
  const rowsOf = keptRows(store, columns);
  region.hold(8 * size * size);
  const sums = () => new Float64Array(chainBuffer(), region.pointer, size * size);
  sums().fill(0);
  return {
    sums: () => sums().slice(),
    add(block, pointer) {
      const n = rowsIn(layout, block);
      const { starts, which, values } = rowsOf(block);
      const first = region.hold(8 * size * size + 4 * (n + starts.length + 2 * which.length));
      let next = first + 8 * size * size;
      const [atWeights, atStarts, atWhich, atValues] = [
        view(kernels.memory, { pointer, length: n }),
        starts,
        which,
        values,
      ].map((numbers) => {
        const at = next;
        const copy = numbers instanceof Float32Array ? Float32Array : Uint32Array;
        new copy(chainBuffer(), at, numbers.length).set(numbers);
        next += 4 * numbers.length;
        return at;
      });
      chainKernels().rowProducts(first, atWeights, atStarts, atWhich, atValues, n, 8 * size);
    },
  };
}

/** The entries of a block by rows: those of row r from starts[r] on, columns rising. */
interface RowEntries {
  readonly starts: Uint32Array;
  /** Places among the columns. */
  readonly which: Uint32Array;
  readonly values: Float32Array;
}

/** What is kept of the columns that were asked for last: Newton's method asks for the same ones pass after pass. */
interface Kept {
  readonly columns: readonly number[];
  readonly blocks: Map<number, RowEntries>;
  entries: number;
}

const KEPT = new WeakMap<Store, Kept>();
/** Of eight bytes each. */
const MOST_KEPT = 4e6;

function keptRows(store: Store, columns: readonly number[]): (block: number) => RowEntries {
  const before = KEPT.get(store);
  const isSame =
    before?.columns.length === columns.length && before.columns.every((j, i) => j === columns[i]);
  const kept = before && isSame ? before : { columns, blocks: new Map<number, RowEntries>(), entries: 0 };
  KEPT.set(store, kept);
  return (block) => {
    const known = kept.blocks.get(block);
    if (known) return known;
    const rows = transposed(store, columns, block);
    kept.entries += rows.which.length;
    if (kept.entries <= MOST_KEPT) kept.blocks.set(block, rows);
    return rows;
  };
}

function transposed(store: Store, columns: readonly number[], block: number): RowEntries {
  const { memory } = store.kernels;
  const n = rowsIn(store.layout, block);
  const starts = new Uint32Array(n + 1);
  const words = new Uint32Array(memory.buffer);
  for (const j of columns) {
    const { rows, count } = store.entries(block, j)!;
    for (let e = rows >>> 2; e < (rows >>> 2) + count; e++) starts[words[e] + 1] += 1;
  }
  for (let r = 0; r < n; r++) starts[r + 1] += starts[r];
  const [which, values] = [new Uint32Array(starts[n]), new Float32Array(starts[n])];
  const next = starts.slice(0, n);
  columns.forEach((j, c) => {
    const { rows, values: pointer, count } = store.entries(block, j)!;
    const own = view(memory, { pointer, length: count });
    for (let e = 0; e < count; e++) {
      const to = next[words[(rows >>> 2) + e]]++;
      which[to] = c;
      values[to] = own[e];
    }
  });
  return { starts, which, values };
}
