/** What Node provides: shared memory, worker threads, a disk. */

import { existsSync } from "node:fs";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { kernelMemory, wasmKernels } from "../kernels/wasm.js";
import type { Environment } from "../selection/environment.js";
import { disk } from "../store/open/disk.js";
import type { Crew } from "../workers/crew.js";
import { type Journal, journaled } from "../workers/journal.js";
import { localPool } from "../workers/pool.js";
import { threadPool } from "../workers/thread-pool.js";

/** One copy of the data for all chains. */
export const threads: Environment = {
  kernels: (bytes) => wasmKernels(kernelMemory(bytes, true)),
  pool: (store, size) => threadPool(workerFile(), store, size),
  disk,
  threads: Math.min(8, availableParallelism()),
};

/** The same for a run that can be resumed. */
export function threadsKeeping(journal: Journal | undefined): Environment {
  if (journal === undefined) return threads;
  return { ...threads, pool: async (store, size) => journaled(await threads.pool(store, size), journal) };
}

/** Threads without a store: their jobs bring the data with them. */
export const crew: Crew = {
  threads: threads.threads,
  pool: (size) => threadPool(workerFile(), undefined, size),
};

export function crewKeeping(journal: Journal | undefined): Crew {
  if (journal === undefined) return crew;
  return {
    ...crew,
    journal,
    pool: async (size) => journaled(await crew.pool(size), journal),
    alone: () => journaled(localPool(), journal),
  };
}

/** The compiled program of a thread or, when this file runs uncompiled under the tests, the one in dist/. */
function workerFile(): URL {
  const beside = new URL("../worker.js", import.meta.url);
  return existsSync(fileURLToPath(beside)) ? beside : new URL("../../dist/worker.js", import.meta.url);
}
