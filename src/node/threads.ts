/** What Node provides: shared memory, worker threads, a disk. */

import { availableParallelism } from "node:os";
import { threadProgram } from "../files/program.js";
import { kernelMemory, wasmKernels } from "../kernels/wasm.js";
import { span } from "../profile.js";
import type { Environment } from "../selection/environment.js";
import { disk } from "../store/open/disk.js";
import type { Store } from "../store/store.js";
import type { Crew } from "../workers/crew.js";
import { type Journal, journaled } from "../workers/journal.js";
import { latePool } from "../workers/late-pool.js";
import { beginNodeThread } from "../workers/node-thread.js";
import { localPool, type Pool } from "../workers/pool.js";
import type { BegunThread, StartThread } from "../workers/thread.js";
import { threadPool } from "../workers/thread-pool.js";

const begin = () => beginNodeThread(threadProgram("worker.cjs", import.meta.url));
const start: StartThread = (setup) => begin().start(setup);

/** Numbers of a store on which threads are worth their start at once. */
const LARGE = 1e6;
/** Milliseconds of work after which a store is taken to be large that is not made by then. */
const PATIENCE = 40;

/** One copy of the data for all chains. */
export const threads: Environment = {
  kernels: (bytes) => wasmKernels(kernelMemory(bytes, true)),
  pool: (store, size) => poolOver(store, size),
  begin(count, numbers = 0) {
    let waiting: BegunThread[] | undefined;
    const beginAll = () => {
      clearTimeout(timer);
      waiting ??= span("starting threads", () => Array.from({ length: count }, begin));
      return waiting;
    };
    let hands: Promise<Pool<undefined>> | undefined;
    const ready = () => {
      const all = beginAll();
      hands ??= threadPool((setup) => all[setup.index].start(setup), undefined, count);
      return hands;
    };
    const from = worked();
    // Who only waits for a disk or a processor does not need others.
    const look = () => {
      if (worked() - from >= PATIENCE) beginAll();
      else timer.refresh();
    };
    const timer = setTimeout(look, PATIENCE);
    // What fails here fails once more for those who wait for it.
    if (numbers >= LARGE) ready().catch(() => {});
    return {
      hands: () => starting(ready),
      async pool(store, size) {
        clearTimeout(timer);
        const known = waiting;
        if (!known) return poolOver(store, size);
        // A thread is told of one place after the other.
        await starting(async () => hands);
        return starting(() => threadPool((setup) => (known.pop() ?? begin()).start(setup), store, size));
      },
      async end() {
        clearTimeout(timer);
        await Promise.all((waiting ?? []).splice(0).map((thread) => thread.end()));
      },
    };
  },
  disk,
  threads: Math.min(8, availableParallelism()),
};

/** Threads at once over many numbers; over few, once there turns out to be much to do with them. */
async function poolOver(store: Store, size: number): Promise<Pool> {
  const begun = () => starting(() => threadPool(start, store, size));
  const { rows, columns } = store.layout;
  return rows * columns < LARGE && store.handle.kind === "resident"
    ? latePool(store, size, begun, worked)
    : begun();
}

/** Milliseconds of the processor's time: where others want it, too, the clock tells little. */
function worked(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

const starting = <T>(start: () => Promise<T>): Promise<T> => span("starting threads", start);

/** The same for a run that can be resumed. */
export function threadsKeeping(journal: Journal | undefined): Environment {
  if (journal === undefined) return threads;
  const keeping = <P extends Pick<Environment, "pool">>(from: P): P => ({
    ...from,
    pool: async (store, size) => journaled(await from.pool(store, size), journal),
  });
  return { ...keeping(threads), begin: (size, numbers) => keeping(threads.begin!(size, numbers)) };
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
