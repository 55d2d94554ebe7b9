/** What Node provides: shared memory, worker threads, a disk. */

import { availableParallelism } from "node:os";
import { threadProgram } from "../files/program.js";
import { kernelMemory, wasmKernels } from "../kernels/wasm.js";
import { span } from "../profile.js";
import type { Environment } from "../selection/environment.js";
import { disk } from "../store/open/disk.js";
import type { Crew } from "../workers/crew.js";
import { type Journal, journaled } from "../workers/journal.js";
import { beginNodeThread } from "../workers/node-thread.js";
import { localPool } from "../workers/pool.js";
import type { StartThread } from "../workers/thread.js";
import { threadPool } from "../workers/thread-pool.js";

const begin = () => beginNodeThread(threadProgram("worker.js", import.meta.url));
const start: StartThread = (setup) => begin().start(setup);

/** One copy of the data for all chains. */
export const threads: Environment = {
  kernels: (bytes) => wasmKernels(kernelMemory(bytes, true)),
  pool: (store, size) => starting(() => threadPool(start, store, size)),
  begin(count) {
    const waiting = span("starting threads", () => Array.from({ length: count }, begin));
    return {
      hands: () => starting(() => threadPool((setup) => waiting[setup.index].start(setup), undefined, count)),
      pool: (store, size) =>
        starting(() => threadPool((setup) => (waiting.pop() ?? begin()).start(setup), store, size)),
      end: async () => void (await Promise.all(waiting.splice(0).map((thread) => thread.end()))),
    };
  },
  disk,
  threads: Math.min(8, availableParallelism()),
};

const starting = <T>(start: () => Promise<T>): Promise<T> => span("starting threads", start);

/** The same for a run that can be resumed. */
export function threadsKeeping(journal: Journal | undefined): Environment {
  if (journal === undefined) return threads;
  const keeping = <P extends Pick<Environment, "pool">>(from: P): P => ({
    ...from,
    pool: async (store, size) => journaled(await from.pool(store, size), journal),
  });
  return { ...keeping(threads), begin: (size) => keeping(threads.begin!(size)) };
}

/** Threads without a store: their jobs bring the data with them. */
export const crew: Crew = {
  threads: threads.threads,
  pool: (size) => threadPool(start, undefined, size),
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
