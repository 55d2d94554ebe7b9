import type { Kernels } from "../kernels/interface.js";
import type { Encoding, Family } from "./layout/encoding.js";
import { type Layout, rowsIn, runOffset } from "./layout/layout.js";
import { type Entries, entryFinder } from "./layout/sparse-block.js";

/** Shuffled column blocks, within reach of the kernels: in their memory, or on disk and read into it. */
export interface Store {
  readonly layout: Layout;
  readonly kernels: Kernels;
  /** Names of the predictor columns. */
  readonly names: readonly string[];
  /** What was subtracted from a column (and from the target, last) before it was rounded to float32. */
  readonly shift: Float64Array;
  /** First byte of the memory that this thread may use for its own ends. */
  readonly end: number;
  /**
   * Pointer to the numbers of a column in a block, sparse columns unpacked; the target is column `layout.columns`.
   * It is good for the next `HELD` calls; a resident dense run for good.
   */
  run(block: number, column: number): number;
  /** The entries of a sparse column in a block, good until the next call; undefined where the column is dense. */
  entries(block: number, column: number): Entries | undefined;
  /**
   * Dense columns from `first` on, before `last`, that lie one stride apart: the way to read many. Good until the
   * next call; `count` is 0 when the first one is sparse.
   */
  stretch(block: number, first: number, last: number): Stretch;
  /** What another thread needs to open the same store. */
  readonly handle: StoreHandle;
  /** Where the data came from; absent for stores made by hand. */
  readonly record?: StoreRecord | undefined;
  /** Gives up files; absent where there are none. */
  close?(): void;
}

export interface Stretch {
  pointer: number;
  count: number;
}

/** Runs that stay where they are at least: a panel of columns and a target fit. */
export const HELD = 64;

/** What is known of the data besides the numbers. Plain data. */
export interface StoreRecord {
  readonly source: string;
  readonly encoding: Encoding;
  readonly family: Family;
  readonly seed: number;
  /** Of the data as they were read: enough to tell whether two stores hold the same. Empty if nobody took it. */
  readonly checksum: string;
  /** Sentences for the user about what was done to the data. */
  readonly notes: readonly string[];
}

/** Everything a thread needs to open a store that another thread has opened. */
export type StoreHandle = ResidentHandle | FileHandle;

export interface ResidentHandle {
  readonly kind?: "resident";
  readonly memory: WebAssembly.Memory;
  readonly layout: Layout;
  readonly names: readonly string[];
  readonly shift: Float64Array;
  readonly sparse?: SparsePart | undefined;
}

export interface FileHandle {
  readonly kind: "file";
  readonly memory: WebAssembly.Memory;
  readonly path: string;
  /** Bytes of the memory that one thread may use to hold what it has read. */
  readonly cache: number;
}

/** Where the sparse columns are. */
export interface SparsePart {
  /** Per column and, last, the target: the number of its run, or −1 − its number among the sparse columns. */
  readonly slots: Int32Array;
  /** Byte offset of each block's sparse part from the start of the data; one more for the end. */
  readonly starts: Float64Array;
}

/** Data start here: offset 0 stays unused, so that no valid pointer is 0. */
export const DATA_START = 64;

/** First byte behind the data of a resident store. */
export function dataEnd({ layout, sparse }: Pick<ResidentHandle, "layout" | "sparse">): number {
  return DATA_START + (sparse ? sparse.starts[layout.blocks] : layout.bytes);
}

/** `start` is where this thread's own memory begins; sparse columns are unpacked there. */
export function residentStore(
  handle: ResidentHandle,
  kernels: Kernels,
  start = dataEnd(handle),
  record?: StoreRecord,
): Store {
  const { layout, names, shift, sparse } = handle;
  const store = { layout, kernels, names, shift, record, handle };
  if (!sparse) {
    return {
      ...store,
      end: start,
      run: (block, column) => DATA_START + runOffset(layout, block, column),
      stretch: (block, first, last) => ({
        pointer: DATA_START + runOffset(layout, block, first),
        count: last - first,
      }),
      entries: () => undefined,
    };
  }
  const { slots, starts } = sparse;
  const find = entryFinder(kernels.memory);
  const unpacked = unpacking(kernels, layout, start);
  const entries = (block: number, column: number): Entries | undefined => {
    const slot = slots[column];
    if (slot >= 0) return undefined;
    return find(DATA_START + starts[block], -1 - slot);
  };
  return {
    ...store,
    end: unpacked.end,
    run(block, column) {
      const slot = slots[column];
      if (slot >= 0) return DATA_START + runOffset(layout, block, slot);
      return unpacked.run(entries(block, column)!, rowsIn(layout, block));
    },
    stretch(block, first, last) {
      const count = denseStretch(slots, first, last);
      return { pointer: count > 0 ? DATA_START + runOffset(layout, block, slots[first]) : 0, count };
    },
    entries,
  };
}

/** How many columns from `first` on, before `last`, have consecutive runs. */
export function denseStretch(slots: Int32Array, first: number, last: number): number {
  if (slots[first] < 0) return 0;
  let j = first + 1;
  while (j < last && slots[j] === slots[j - 1] + 1) j += 1;
  return j - first;
}

/** Bytes behind the data in which sparse columns are spelt out. */
export function unpackingRoom(stride: number): number {
  return 4 * stride * HELD + 64;
}

/** A ring of runs in which sparse columns are spelt out. */
export function unpacking(kernels: Kernels, { stride }: Layout, start: number) {
  const from = 64 * Math.ceil(start / 64);
  let next = 0;
  return {
    end: from + 4 * stride * HELD,
    run(entries: Entries, rows: number): number {
      const pointer = from + 4 * stride * next;
      next = (next + 1) % HELD;
      kernels.fill(pointer, 0, rows);
      kernels.scatterAxpy(pointer, 1, entries.rows, entries.values, entries.count);
      return pointer;
    },
  };
}
