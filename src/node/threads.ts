/** What Node provides: shared memory, worker threads, a disk. */

import { availableParallelism } from "node:os";
import { threadProgram } from "../files/program.js";
import { kernelMemory, wasmKernels } from "../kernels/wasm.js";
import type { Environment } from "../selection/environment.js";
import { disk } from "../store/open/disk.js";
import type { Crew } from "../workers/crew.js";
import { type Journal, journaled } from "../workers/journal.js";
import { nodeThreads } from "../workers/node-thread.js";
import { localPool } from "../workers/pool.js";
import { threadPool } from "../workers/thread-pool.js";

const start = () => nodeThreads(threadProgram("worker.js", import.meta.url));

/** One copy of the data for all chains. */
export const threads: Environment = {
  kernels: (bytes) => wasmKernels(kernelMemory(bytes, true)),
  pool: (store, size) => threadPool(start(), store, size),
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
  pool: (size) => threadPool(start(), undefined, size),
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
