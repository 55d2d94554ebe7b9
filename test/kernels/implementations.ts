import type { Kernels } from "../../src/kernels/interface.js";
import { referenceKernels } from "../../src/kernels/reference.js";
import { kernelMemory, wasmKernels } from "../../src/kernels/wasm.js";

/** Every implementation of the kernels; one suite runs over all of them. */
export const implementations: [string, (bytes: number) => Promise<Kernels>][] = [
  ["reference", async (bytes) => referenceKernels(kernelMemory(bytes, false))],
  ["wasm, private memory", (bytes) => wasmKernels(kernelMemory(bytes, false))],
  ["wasm, shared memory", (bytes) => wasmKernels(kernelMemory(bytes, true))],
];

/** Vectors laid one after another into a memory; `skew` bytes past each 16-byte boundary, a gap after each. */
export function arena(memory: WebAssembly.Memory, skew = 0) {
  let next = 0;
  const room = (bytes: number): number => {
    const at = Math.ceil(next / 16) * 16 + skew;
    next = at + bytes + 32;
    return at;
  };
  return {
    float32(values: ArrayLike<number>): number {
      const at = room(4 * values.length);
      new Float32Array(memory.buffer, at, values.length).set(values);
      return at;
    },
    uint32(values: ArrayLike<number>): number {
      const at = room(4 * values.length);
      new Uint32Array(memory.buffer, at, values.length).set(values);
      return at;
    },
    /** Eight-byte aligned whatever the skew. */
    float64(values: ArrayLike<number>): number {
      const at = (room(8 * values.length + 8) + 7) & ~7;
      new Float64Array(memory.buffer, at, values.length).set(values);
      return at;
    },
  };
}
