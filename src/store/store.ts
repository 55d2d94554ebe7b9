/** What a store is: to those who compute with it, and to the threads that open it. */

import type { FamilyName } from "../families/register.js";
import type { Kernels } from "../kernels/interface.js";
import type { Encoding } from "./layout/encoding.js";
import type { Layout } from "./layout/layout.js";
import type { Entries, EntryStretch } from "./layout/sparse-block.js";

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
  stretch(block: number, first: number, last: number): AdjacentRuns;
  /**
   * Sparse columns from `first` on, before `last`, that follow each other, with their entries in a block: the way to read
   * many. Good until the next call; `columns` is 0 when the first one is dense.
   */
  entryStretch(block: number, first: number, last: number): EntryStretch;
  /** What another thread needs to open the same store. */
  readonly handle: StoreHandle;
  /** Where the data came from, and what became of them. */
  readonly record: StoreRecord;
  /** Gives up files; absent where there are none. */
  close?(): void;
}

export interface AdjacentRuns {
  pointer: number;
  count: number;
}

/** Runs that stay where they are at least: a panel of columns and a target fit. */
export const HELD = 64;

/** What is known of the data besides the numbers. Plain data. */
export interface StoreRecord {
  /** The file that it was made from. */
  readonly source: string;
  /** How columns became variables. */
  readonly encoding: Encoding;
  /** The kind of target. */
  readonly family: FamilyName;
  /** Of the shuffle. */
  readonly seed: number;
  /** Of the data as they were read: enough to tell whether two stores hold the same. Empty if nobody took it. */
  readonly checksum: string;
  /** Sentences for the user about what was done to the data. */
  readonly notes: readonly string[];
  /** Set where rows of the source are not among these, so that theirs are other numbers. */
  readonly partial?: true;
  /** What was done about missing predictors; absent where none was missing, or nothing done. */
  readonly treated?: Treated;
}

/** What an answer owes to the way in which missing predictors were done away with. Plain data. */
export type Treated =
  /** The share of its values that a column has its mean for, or its most frequent category. */
  | { readonly rule: "mean"; readonly shares: Readonly<Record<string, number>> }
  /** How many rows with a target there were and are left, and what their targets have to do with it. */
  | { readonly rule: "drop"; readonly rows: number; readonly kept: number; readonly apart?: Apart };

/** How targets of rows that were left out differ from those of rows that stayed. */
export interface Apart {
  /** How much larger they are on average, in standard deviations. */
  readonly by: number;
  /** The standard error of that. */
  readonly error: number;
}

/** Everything a thread needs to open a store that another thread has opened. */
export type StoreHandle = ResidentHandle | FileHandle;

/** Where the numbers of a store in memory are, their names, and what was subtracted from them. */
export interface ResidentNumbers {
  readonly layout: Layout;
  readonly names: readonly string[];
  readonly shift: Float64Array;
  readonly sparse: SparsePart | undefined;
}

export interface ResidentHandle extends ResidentNumbers {
  readonly kind: "resident";
  readonly memory: WebAssembly.Memory;
  /**
   * The record as JSON. Threads seldom ask for it, and copying it as objects takes 2 s a thread for a million columns,
   * as a text 0.1 s.
   */
  readonly record: string;
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
