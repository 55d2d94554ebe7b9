/** Who does the jobs: this thread alone, or a pool of workers over the one shared copy of the data. */

import { Arena } from "../store/batch/arena.js";
import type { Store } from "../store/store.js";
import { type Job, type ResultOf, startJob } from "./jobs.js";

export interface RunOptions {
  /** Stops the jobs; their results so far are returned. */
  readonly signal?: AbortSignal | undefined;
  /** Called now and then with the steps done by all jobs together. */
  readonly onProgress?: ((done: number) => void) | undefined;
}

export interface Team {
  readonly size: number;
  run<J extends Job>(jobs: readonly J[], options?: RunOptions): Promise<ResultOf<J>[]>;
  close(): Promise<void>;
}

/** Milliseconds of work between two visits to the event loop. */
const SLICE = 30;

/** Runs jobs one after the other in this thread, in slices, so that a page stays alive and Ctrl-C is heard. */
export function localTeam(store: Store): Team {
  const memory = store.kernels.memory;
  const scratch = () => new Arena(memory, store.end, memory.buffer.byteLength);
  // Many short jobs make a long one: the clock runs through all of them.
  let pause = performance.now() + SLICE;
  return {
    size: 1,
    async run<J extends Job>(jobs: readonly J[], { signal, onProgress }: RunOptions = {}) {
      const results: ResultOf<J>[] = [];
      let before = 0;
      for (const job of jobs) {
        const work = startJob(store, scratch(), job);
        while (!signal?.aborted && work.next()) {
          if (performance.now() < pause) continue;
          onProgress?.(before + work.done);
          await new Promise((resume) => setTimeout(resume, 0));
          pause = performance.now() + SLICE;
        }
        before += work.done;
        results.push(work.result() as ResultOf<J>);
      }
      return results;
    },
    close: async () => {},
  };
}
