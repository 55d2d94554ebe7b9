/**
 * The entries of sparse columns by rows, where the kernels of chains find them. Newton's method asks for those of the
 * same columns pass after pass; and models consist of columns that were all asked for before, out of which theirs are
 * picked.
 */

import { chainBuffer, chainKernels, Region } from "../../../kernels/chain-memory.js";
import { view } from "../../../store/batch/arena.js";
import { rowsIn } from "../../../store/layout/layout.js";
import type { Store } from "../../../store/store.js";

/** Where the starts of rows and the entries of a block stand: see kernels/row-products.ts. */
export interface RowEntries {
  readonly starts: number;
  readonly entries: number;
}

const NOWHERE = -1;
/** Bytes of entries that are kept for next time. */
const MOST_KEPT = 32e6;

/** The rows of some columns of a store, as far as they have been asked for. It is used again for others. */
class Rows {
  private readonly region = new Region();
  /** Where blocks stand, from the begin of the region on: that moves when it grows. */
  private readonly blocks = new Map<number, RowEntries>();
  private end = 0;
  private store: WeakRef<Store> | undefined;
  columns: readonly number[] = [];

  begin(store: Store, columns: readonly number[]): void {
    this.store = new WeakRef(store);
    this.columns = columns;
    this.blocks.clear();
    this.end = 0;
  }

  /** Of each of its columns the place among some of them, or NOWHERE; undefined where it has not all of those. */
  placesOf(store: Store, columns: readonly number[]): Int32Array | undefined {
    if (this.store?.deref() !== store) return undefined;
    let next = 0;
    const places = Int32Array.from(this.columns, (j) => (j === columns[next] ? next++ : NOWHERE));
    return next === columns.length ? places : undefined;
  }

  isOf(store: Store, columns: readonly number[]): boolean {
    return columns.length === this.columns.length && this.placesOf(store, columns) !== undefined;
  }

  of(block: number): RowEntries | undefined {
    const known = this.blocks.get(block);
    const { pointer } = this.region;
    return known && { starts: pointer + known.starts, entries: pointer + known.entries };
  }

  /** `write` fills the starts of so many rows and at most so many entries, and says how many. */
  add(block: number, rows: number, most: number, write: (to: RowEntries) => number): RowEntries {
    const place = { starts: this.end, entries: this.end + 8 * Math.ceil((rows + 1) / 2) };
    const pointer = this.region.hold(place.entries + 8 * most);
    const written = { starts: pointer + place.starts, entries: pointer + place.entries };
    const end = place.entries + 8 * write(written);
    if (end <= MOST_KEPT) {
      this.blocks.set(block, place);
      this.end = end;
    }
    return written;
  }
}

/** What was asked for last, and more columns to pick from. */
let last = new Rows();
let wider = new Rows();
/** Of each of the wider ones its place among those that are asked for. */
const region = new Region();

export function rowEntries(store: Store, columns: readonly number[]): (block: number) => RowEntries {
  turnTo(store, columns);
  const places = wider.placesOf(store, columns);
  return (block) => {
    const known = last.of(block);
    if (known) return known;
    const rows = rowsIn(store.layout, block);
    const all = places && wider.of(block);
    if (!all) return transposed(store, columns, block);
    const most = new Uint32Array(chainBuffer(), all.starts, rows + 1)[rows];
    return last.add(block, rows, most, (to) => {
      const at = region.hold(places.byteLength);
      new Int32Array(chainBuffer(), at, places.length).set(places);
      return chainKernels().pickRows(to.starts, to.entries, at, all.starts, all.entries, rows);
    });
  };
}

/** Makes these columns the last ones, and keeps such as hold them. */
function turnTo(store: Store, columns: readonly number[]): void {
  if (last.isOf(store, columns)) return;
  const isBack = wider.isOf(store, columns);
  const isWider = !wider.placesOf(store, columns) && last.placesOf(store, columns) !== undefined;
  if (isBack || isWider) [last, wider] = [wider, last];
  if (!isBack) last.begin(store, columns);
}

function transposed(store: Store, columns: readonly number[], block: number): RowEntries {
  const { memory } = store.kernels;
  const rows = rowsIn(store.layout, block);
  const words = new Uint32Array(memory.buffer);
  const counts = new Uint32Array(rows + 1);
  for (const j of columns) {
    const { rows: at, count } = store.entries(block, j)!;
    for (let e = at >>> 2; e < (at >>> 2) + count; e++) counts[words[e] + 1] += 1;
  }
  for (let r = 0; r < rows; r++) counts[r + 1] += counts[r];
  return last.add(block, rows, counts[rows], (to) => {
    new Uint32Array(chainBuffer(), to.starts, rows + 1).set(counts);
    const which = new Uint32Array(chainBuffer(), to.entries, 2 * counts[rows]);
    const values = new Float32Array(chainBuffer(), to.entries, 2 * counts[rows]);
    const next = counts.slice(0, rows);
    columns.forEach((j, c) => {
      const { rows: at, values: pointer, count } = store.entries(block, j)!;
      const own = view(memory, { pointer, length: count });
      for (let e = 0; e < count; e++) {
        const place = 2 * next[words[(at >>> 2) + e]]++;
        which[place] = c;
        values[place + 1] = own[e];
      }
    });
    return counts[rows];
  });
}
