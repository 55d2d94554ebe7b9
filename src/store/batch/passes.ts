/**
 * Passes over many columns of a block, whatever the columns are: dense ones in long stretches, sparse ones by their
 * entries alone.
 */

import { type Layout, rowsIn } from "../layout/layout.js";
import type { Store } from "../store.js";
import type { Arena } from "./arena.js";

/** Adds Σu, Σu² and Σuy of the columns first … last over a block to float64 sums at `out`, three per column. */
export function blockSums(store: Store): (out: number, block: number, first: number, last: number) => void {
  const { kernels, layout } = store;
  return (out, block, first, last) => {
    const n = rowsIn(layout, block);
    for (let j = first; j < last; ) {
      const { pointer, count } = store.stretch(block, j, last);
      const at = out + 24 * (j - first);
      const y = store.run(block, layout.columns);
      if (count > 0) {
        kernels.blockSums(at, pointer, count, layout.stride, y, n);
        j += count;
        continue;
      }
      const sparse = store.entryStretch(block, j, last);
      const { ids, starts, rows, values } = sparse;
      kernels.entrySums(at, ids, starts, rows, values, sparse.count, sparse.first, y);
      j += sparse.columns;
    }
  };
}

/** Columns that go through a pass together, which reads its panel anew for each such strip: dense ones, or some sparse. */
const STRIP = { dense: 1024, sparse: 65_536 };

/** As many columns as a strip has, where each takes up so many bytes of scratch memory. */
export function stripOf({ columns, dense }: Layout, bytes: number): number {
  if (dense === columns) return STRIP.dense;
  return Math.max(STRIP.dense, Math.min(STRIP.sparse, Math.floor(STRIP_BYTES / bytes)));
}
const STRIP_BYTES = 2 ** 25;

/** Products of columns with a panel of k, of which each block has its own. */
export interface PanelProducts {
  /** What columns of a block are multiplied with from now on, a stride apart; it stays where it is. */
  take(block: number, panel: number): void;
  /** Adds Σu·panel_c for the columns first … last over that block to float64 sums at `out`, k per column. */
  add(out: number, first: number, last: number): void;
}

export function panelProducts(store: Store, arena: Arena, k: number): PanelProducts {
  const { kernels, layout } = store;
  const { stride } = layout;
  const turns = layout.dense < layout.columns && k > 1;
  const turned = arena.vector(turns ? k * stride : 0);
  let [block, panel, n] = [0, 0, 0];
  return {
    take(of, pointer) {
      block = of;
      panel = pointer;
      n = rowsIn(layout, of);
      if (turns) kernels.turn(turned.pointer, panel, stride, k, n);
    },
    add(out, first, last) {
      for (let j = first; j < last; ) {
        const { pointer, count } = store.stretch(block, j, last);
        const at = out + 8 * k * (j - first);
        if (count > 0) {
          kernels.blockDots(at, pointer, count, stride, panel, k, n);
          j += count;
          continue;
        }
        const sparse = store.entryStretch(block, j, last);
        const { ids, starts, rows, values } = sparse;
        const numbers = turns ? turned.pointer : panel;
        kernels.entryDots(at, ids, starts, rows, values, sparse.count, sparse.first, numbers, k);
        j += sparse.columns;
      }
    },
  };
}
