/** Small stores for tests: arrays in, resident blocks out. */

import { referenceKernels } from "../src/kernels/reference.js";
import { kernelMemory, wasmKernels } from "../src/kernels/wasm.js";
import { Arena } from "../src/store/batch/arena.js";
import { buildStore } from "../src/store/build/build-store.js";
import type { Store } from "../src/store/store.js";
import { arrayTable } from "../src/tables/readers/arrays.js";

export interface TinySettings {
  readonly blockRows: number;
  readonly seed?: number;
  readonly kernels?: "wasm" | "reference";
  readonly shared?: boolean;
}

/** A store of the given columns, of which the last is the target. */
export async function tinyStore(
  columns: Readonly<Record<string, ArrayLike<number>>>,
  settings: TinySettings,
): Promise<Store> {
  const { blockRows, seed = 1, kernels = "wasm", shared = false } = settings;
  const table = arrayTable(columns);
  const target = table.columns.length - 1;
  return buildStore({
    table,
    predictors: Array.from({ length: target }, (_, j) => j),
    target,
    blockRows,
    seed,
    scratch: 2 ** 20,
    kernels: async (bytes) => {
      const memory = kernelMemory(bytes, shared);
      return kernels === "wasm" ? wasmKernels(memory) : referenceKernels(memory);
    },
  });
}

/** The room behind the data. */
export function arenaOf(store: Store): Arena {
  const { memory } = store.kernels;
  return new Arena(memory, store.end, memory.buffer.byteLength);
}
