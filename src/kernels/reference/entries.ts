import type { EntryKernels } from "../interface.js";

/** Where the entries of some columns lie; see EntryKernels. */
interface Entries {
  readonly ids: number;
  readonly starts: number;
  readonly rows: number;
  readonly values: number;
  readonly count: number;
  readonly first: number;
}

/** Passes over sparse columns: the readable form. */
export function referenceEntryKernels(memory: WebAssembly.Memory): EntryKernels {
  const f64 = (at: number, n: number) => new Float64Array(memory.buffer, at, n);
  const f32 = (at: number, n: number) => new Float32Array(memory.buffer, at, n);
  const u32 = (at: number, n: number) => new Uint32Array(memory.buffer, at, n);
  /** Every entry: how far its column is from the first, its row and its number. */
  function each(
    { ids, starts, rows, values, count, first }: Entries,
    see: (column: number, row: number, value: number) => void,
  ): void {
    for (let i = 0; i < count; i++) {
      const [from, to] = u32(starts + 4 * i, 2);
      for (let e = from; e < to; e++) {
        see(u32(ids, count)[i] - first, u32(rows + 4 * e, 1)[0], f32(values + 4 * e, 1)[0]);
      }
    }
  }
  return {
    entryDots(out, ids, starts, rows, values, count, first, r, k) {
      each({ ids, starts, rows, values, count, first }, (column, row, value) => {
        const to = f64(out + 8 * k * column, k);
        for (let c = 0; c < k; c++) to[c] += value * f32(r + 4 * (row * k + c), 1)[0];
      });
    },
    turn(out, panel, stride, k, n) {
      for (let c = 0; c < k; c++) {
        for (let i = 0; i < n; i++)
          f32(out + 4 * (i * k + c), 1)[0] = f32(panel + 4 * (c * stride + i), 1)[0];
      }
    },
    entrySums(out, ids, starts, rows, values, count, first, y) {
      each({ ids, starts, rows, values, count, first }, (column, row, value) => {
        const to = f64(out + 24 * column, 3);
        to[0] += value;
        to[1] += value * value;
        to[2] += value * f32(y + 4 * row, 1)[0];
      });
    },
    entryParts(out, ids, starts, rows, values, count, first, r, parts, k) {
      each({ ids, starts, rows, values, count, first }, (column, row, value) => {
        f64(out + 8 * k * column, k)[u32(parts + 4 * row, 1)[0]] += value * f32(r + 4 * row, 1)[0];
      });
    },
  };
}
