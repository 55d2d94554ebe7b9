import type { Kernels } from "../src/kernels/interface.js";
import { kernelMemory, wasmKernels } from "../src/kernels/wasm.js";
import { Arena } from "../src/store/batch/arena.js";
import { buildStore } from "../src/store/build/build-store.js";
import type { Store } from "../src/store/store.js";
import { arrayTable } from "../src/tables/readers/arrays.js";

/** A store of a few rows in private memory; the target is the column "y". */
export async function smallStore(
  columns: Readonly<Record<string, ArrayLike<number>>>,
  blockRows = Number.MAX_SAFE_INTEGER,
  kernels: (bytes: number) => Promise<Kernels> = (bytes) => wasmKernels(kernelMemory(bytes, false)),
): Promise<Store> {
  const table = arrayTable(columns);
  const names = Object.keys(columns);
  return buildStore({
    table,
    predictors: names.flatMap((name, i) => (name === "y" ? [] : [i])),
    target: names.indexOf("y"),
    blockRows,
    seed: 1,
    scratch: 8 * 2 ** 20,
    kernels,
  });
}

export function scratchOf(store: Store): Arena {
  const { memory } = store.kernels;
  return new Arena(memory, store.end, memory.buffer.byteLength);
}
