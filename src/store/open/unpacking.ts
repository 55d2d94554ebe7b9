/** Sparse columns as numbers: for those who ask for a run, whatever the column is. */

import type { Kernels } from "../../kernels/interface.js";
import type { Layout } from "../layout/layout.js";
import type { Entries } from "../layout/sparse-block.js";
import { HELD } from "../store.js";

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
