/**
 * Columns that wait in the order of arrival are put into their final order, each where it is, by way of a room that holds
 * one column and stays in the cache. Several threads share the work: each takes the next column that nobody has taken.
 */

import type { Kernels } from "../../../kernels/interface.js";
import { wasmKernelsAtOnce } from "../../../kernels/wasm.js";
import { type Layout, runOffset } from "../../layout/layout.js";
import type { Task } from "../../open/room.js";
import { DATA_START } from "../../store.js";

export interface OrderPiece {
  readonly memory: WebAssembly.Memory;
  readonly layout: Layout;
  /** Where it is told which row belongs at a place. */
  readonly order: number;
  /** Where it is told which column is the next one. */
  readonly next: number;
  /** Where there is room for a column. */
  readonly room: number;
}

export const orderJob: Task<OrderPiece, undefined> = {
  name: "order-columns",
  start: (_, piece) => ordering(piece, wasmKernelsAtOnce(piece.memory)),
};

/** The target is not among them: it may be coded. */
export function ordering({ memory, layout, order, next, room }: OrderPiece, kernels: Kernels) {
  const counter = new Int32Array(memory.buffer as ArrayBuffer, next, 1);
  const step = runOffset(layout, 1, 0);
  let done = 0;
  return {
    next(): boolean {
      const run = Atomics.add(counter, 0, 1);
      if (run >= layout.columns) return false;
      const column = DATA_START + runOffset(layout, 0, run);
      // Memory is read and written in one line; only the room is read here and there.
      kernels.joinBlocks(room, column, step, layout.blocks, layout.rows);
      kernels.gatherBlocks(column, step, layout.blocks, layout.rows, room, order);
      done += 1;
      return true;
    },
    get done() {
      return done;
    },
    result: () => undefined,
  };
}
