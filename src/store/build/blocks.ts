/** The numbers of every block, ready to be laid out in memory or written to a file. */

import { type Layout, layout } from "../layout/layout.js";
import { sparseBlock, type Triplets } from "../layout/sparse-block.js";

export interface Blocks {
  readonly layout: Layout;
  readonly names: readonly string[];
  /** Per column and, last, of the target. */
  readonly shift: Float64Array;
  /** As in `SparsePart`; undefined when every column is dense. */
  readonly slots: Int32Array | undefined;
  /** Whether the runs are the columns as they were read, in their order: nothing left out, filled in or split up. */
  readonly asRead: boolean;
  /** Whether it is better to ask for all runs of a block than for a run of all blocks. */
  readonly byBlock: boolean;
  /** Writes a run of a block into `out` at `at`. */
  run(block: number, run: number, out: Float32Array, at: number): void;
  /** The sparse part of a block, as `sparseBlock` lays it out. */
  sparse(block: number): Uint32Array;
}

export interface BlockPlan {
  readonly rows: number;
  readonly blockRows: number;
  readonly names: readonly string[];
  isSparse(column: number): boolean;
}

/** Where every column has its place: a run of its own, or a number among the sparse ones. */
export interface Places {
  readonly layout: Layout;
  /** As in `SparsePart`. */
  readonly slots: Int32Array;
  readonly dense: number;
  readonly sparse: number;
}

/** What a kind of rows has to say for itself. */
export interface BlockNumbers extends Pick<Blocks, "shift" | "asRead" | "byBlock" | "run"> {
  /** The entries of a block's sparse columns, by their numbers; good until the next call. */
  triplets(block: number): Triplets;
}

export function assembledBlocks(plan: BlockPlan, numbersAt: (places: Places) => BlockNumbers): Blocks {
  const { names } = plan;
  const slots = new Int32Array(names.length + 1);
  let dense = 0;
  let sparse = 0;
  for (let j = 0; j < names.length; j++) slots[j] = plan.isSparse(j) ? -1 - sparse++ : dense++;
  slots[names.length] = dense;
  const places = {
    layout: layout(plan.rows, names.length, plan.blockRows, dense),
    slots,
    dense,
    sparse,
  };
  const { triplets, ...numbers } = numbersAt(places);
  const tally = new Uint32Array(sparse);
  return {
    ...numbers,
    layout: places.layout,
    names,
    slots: sparse > 0 ? slots : undefined,
    sparse: (block) => sparseBlock(triplets(block), tally),
  };
}
