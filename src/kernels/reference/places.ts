import type { PlaceKernels } from "../interface.js";

/** Numbers that are told where to go or where to come from: the readable form. */
export function referencePlaceKernels(memory: WebAssembly.Memory): PlaceKernels {
  const f32 = (at: number, n: number) => new Float32Array(memory.buffer, at, n);
  const u32 = (at: number, n: number) => new Uint32Array(memory.buffer, at, n);
  /** Of a column in blocks: where each piece is, and which rows it has. */
  function pieces(column: number, step: number, blocks: number, n: number) {
    const firstOf = (b: number): number => Math.floor((b * n) / blocks);
    return Array.from({ length: blocks }, (_, b) => {
      return { at: column + step * b, first: firstOf(b), count: firstOf(b + 1) - firstOf(b) };
    });
  }

  return {
    gather(out, x, rows, n) {
      const [o, indices] = [f32(out, n), u32(rows, n)];
      for (let i = 0; i < n; i++) o[i] = f32(x + 4 * indices[i], 1)[0];
    },
    joinBlocks(out, column, step, blocks, n) {
      for (const { at, first, count } of pieces(column, step, blocks, n)) {
        f32(out + 4 * first, count).set(f32(at, count));
      }
    },
    gatherBlocks(column, step, blocks, n, x, rows) {
      const indices = u32(rows, n);
      for (const { at, first, count } of pieces(column, step, blocks, n)) {
        const piece = f32(at, count);
        for (let i = 0; i < count; i++) piece[i] = f32(x + 4 * indices[first + i], 1)[0];
      }
    },
    scatterAxpy(out, a, rows, values, n) {
      const [indices, vs] = [u32(rows, n), f32(values, n)];
      for (let i = 0; i < n; i++) f32(out + 4 * indices[i], 1)[0] += Math.fround(a) * vs[i];
    },
    gatherDot(rows, values, r, n) {
      const [indices, vs] = [u32(rows, n), f32(values, n)];
      let total = 0;
      for (let i = 0; i < n; i++) total += vs[i] * f32(r + 4 * indices[i], 1)[0];
      return total;
    },
  };
}
