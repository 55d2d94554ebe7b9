/** What Node provides: shared memory, worker threads, a disk. */

import { existsSync } from "node:fs";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { kernelMemory, wasmKernels } from "../kernels/wasm.js";
import type { Environment } from "../selection/environment.js";
import { disk } from "../store/open/disk.js";
import type { Crew } from "../workers/crew.js";
import { threadPool } from "../workers/thread-pool.js";

/** One copy of the data for all chains. */
export const threads: Environment = {
  kernels: (bytes) => wasmKernels(kernelMemory(bytes, true)),
  pool: (store, size) => threadPool(workerFile(), store, size),
  disk,
  threads: Math.min(8, availableParallelism()),
};

/** Threads without a store: their jobs bring the data with them. */
export const crew: Crew = {
  threads: threads.threads,
  pool: (size) => threadPool(workerFile(), undefined, size),
};

/** The compiled program of a thread or, when this file runs uncompiled under the tests, the one in dist/. */
function workerFile(): URL {
  const beside = new URL("../worker.js", import.meta.url);
  return existsSync(fileURLToPath(beside)) ? beside : new URL("../../dist/worker.js", import.meta.url);
}
