/** Who does the jobs: this thread alone, or several over the one shared copy of the data. */

import { Arena } from "../store/batch/arena.js";
import type { Store } from "../store/store.js";
import type { Job, Workplace } from "./job.js";

/** `P` is what jobs find there: `Workplace` over a store, nothing where they bring their own data. */
export interface Pool<P = Workplace> {
  readonly size: number;
  /** The results come in the order of the inputs. */
  run<I, O>(job: Job<I, O, P>, inputs: readonly I[], options?: RunOptions): Promise<O[]>;
  close(): Promise<void>;
}

export interface RunOptions {
  /** Stops the jobs; their results so far are returned. */
  readonly signal?: AbortSignal | undefined;
  /** Called now and then with the steps done by all jobs together. */
  readonly onProgress?: ((done: number) => void) | undefined;
}

/** Milliseconds of work between two visits to the event loop. */
const SLICE = 30;

/** Runs jobs one after the other in this thread, in slices, so that a page stays alive and Ctrl-C is heard. */
export function localPool(): Pool<undefined>;
export function localPool(store: Store): Pool;
export function localPool(store?: Store): Pool | Pool<undefined> {
  if (store === undefined) return oneAfterTheOther(() => undefined);
  const { memory } = store.kernels;
  return oneAfterTheOther(() => ({
    store,
    arena: new Arena(memory, store.end, memory.buffer.byteLength),
  }));
}

function oneAfterTheOther<P>(place: () => P): Pool<P> {
  // Many short jobs make a long one: the clock runs through all of them.
  let pause = performance.now() + SLICE;
  return {
    size: 1,
    async run<I, O>(job: Job<I, O, P>, inputs: readonly I[], { signal, onProgress }: RunOptions = {}) {
      const results: O[] = [];
      let before = 0;
      for (const input of inputs) {
        const work = job.start(place(), input);
        while (!signal?.aborted && work.next()) {
          if (performance.now() < pause) continue;
          onProgress?.(before + work.done);
          await new Promise((resume) => setTimeout(resume, 0));
          pause = performance.now() + SLICE;
        }
        before += work.done;
        results.push(work.result());
      }
      return results;
    },
    close: async () => {},
  };
}
