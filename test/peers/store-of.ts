import { kernelMemory, wasmKernels } from "../../src/kernels/wasm.js";
import type { Environment } from "../../src/selection/environment.js";
import { buildStore } from "../../src/store/build/build-store.js";
import type { Store } from "../../src/store/store.js";
import { arrayTable } from "../../src/tables/readers/arrays.js";
import { localPool, type Pool } from "../../src/workers/pool.js";

/** A store of the given columns and target, in blocks of `blockRows`, and this thread as its pool. */
export async function storeOf(
  x: readonly ArrayLike<number>[],
  y: ArrayLike<number>,
  blockRows = 16,
): Promise<{ store: Store; pool: Pool }> {
  const columns = Object.fromEntries([...x.map((column, j) => [`x${j + 1}`, column]), ["y", y]]);
  const store = await buildStore({
    table: arrayTable(columns),
    predictors: x.map((_, j) => j),
    target: x.length,
    blockRows,
    seed: 1,
    scratch: 16 * 2 ** 20,
    kernels: oneThread.kernels,
  });
  return { store, pool: await oneThread.pool(store, 1) };
}

/** No threads, private memory: what a page without shared memory has. */
export const oneThread: Environment = {
  kernels: (bytes) => wasmKernels(kernelMemory(bytes, false)),
  pool: async (store) => localPool(store),
  threads: 1,
};
