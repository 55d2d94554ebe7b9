/**
 * Passes over many columns of a block, whatever the columns are: dense ones in long stretches, sparse ones by their
 * entries alone.
 */

import { type Layout, rowsIn } from "../layout/layout.js";
import type { Store } from "../store.js";

/** Adds Σu, Σu² and Σuy of the columns first … last over a block to float64 sums at `out`, three per column. */
export function blockSums(store: Store): (out: number, block: number, first: number, last: number) => void {
  const { kernels, layout } = store;
  const { buffer } = kernels.memory;
  const f32 = new Float32Array(buffer);
  const f64 = new Float64Array(buffer, 0, Math.floor(buffer.byteLength / 8));
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
      const entries = store.entries(block, j)!;
      const values = entries.values / 4;
      let sum = 0;
      let squares = 0;
      for (let i = values; i < values + entries.count; i++) {
        sum += f32[i];
        squares += f32[i] * f32[i];
      }
      f64[at / 8] += sum;
      f64[at / 8 + 1] += squares;
      f64[at / 8 + 2] += kernels.gatherDot(entries.rows, entries.values, y, entries.count);
      j += 1;
    }
  };
}

/** Columns that go through a pass together, which reads its panel anew for each such strip: dense ones, or some sparse. */
const STRIP = { dense: 1024, sparse: 8192 };

/** As many columns as a strip has, where each takes up so many bytes of scratch memory. */
export function stripOf({ columns, dense }: Layout, bytes: number): number {
  if (dense === columns) return STRIP.dense;
  return Math.max(STRIP.dense, Math.min(STRIP.sparse, Math.floor(STRIP_BYTES / bytes)));
}
const STRIP_BYTES = 2 ** 24;

/** Adds Σu·panel_c for the columns first … last over a block to float64 sums at `out`, k per column. */
export function panelProducts(
  store: Store,
): (out: number, block: number, first: number, last: number, panel: number, k: number) => void {
  const { kernels, layout } = store;
  const { buffer } = kernels.memory;
  const f64 = new Float64Array(buffer, 0, Math.floor(buffer.byteLength / 8));
  const step = 4 * layout.stride;
  return (out, block, first, last, panel, k) => {
    const n = rowsIn(layout, block);
    for (let j = first; j < last; ) {
      const { pointer, count } = store.stretch(block, j, last);
      const at = out + 8 * k * (j - first);
      let i = 0;
      for (; i + 2 <= count; i += 2) {
        const x = pointer + step * i;
        kernels.tileDots(at + 8 * k * i, x, x + step, panel, layout.stride, k, n);
      }
      if (i < count) kernels.panelDots(at + 8 * k * i, pointer + step * i, panel, layout.stride, k, n);
      j += count;
      if (count > 0) continue;
      const entries = store.entries(block, j)!;
      for (let c = 0; c < k && entries.count > 0; c++) {
        f64[at / 8 + c] += kernels.gatherDot(entries.rows, entries.values, panel + step * c, entries.count);
      }
      j += 1;
    }
  };
}
