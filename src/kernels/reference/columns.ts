import type { ColumnKernels } from "../interface.js";

/** The kernels of columns in plain TypeScript. */
export function referenceColumnKernels(memory: WebAssembly.Memory): ColumnKernels {
  const mixed = (hash: number, word: number): number =>
    Math.imul(((hash << 13) | (hash >>> 19)) ^ word, 0x9e3779b1);
  const settle = (out: number, values: ArrayLike<number>, shift: number, state: number): void => {
    const stored = new Float32Array(memory.buffer, out, values.length);
    const sum = new Float64Array(memory.buffer, state, 1);
    const lanes = new Int32Array(memory.buffer, state + 8, 2);
    const double = new Float64Array(1);
    const words = new Int32Array(double.buffer);
    for (let i = 0; i < values.length; i++) {
      double[0] = values[i];
      lanes[0] = mixed(lanes[0], words[0]);
      lanes[1] = mixed(lanes[1], words[1]);
      // Adding 0 turns −0 into 0.
      stored[i] = values[i] - shift + 0;
      sum[0] += stored[i];
    }
  };
  return {
    settleFloats: (out, x, shift, n, state) =>
      settle(out, new Float32Array(memory.buffer, x, n).slice(), shift, state),
    settleDoubles: (out, x, shift, n, state) =>
      settle(out, new Float64Array(memory.buffer, x, n).slice(), shift, state),
  };
}
