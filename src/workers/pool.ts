/** Who does the jobs: this thread alone, or several over the one shared copy of the data. */

import { Arena } from "../store/batch/arena.js";
import type { Store } from "../store/store.js";
import type { Job, Workplace } from "./job.js";
import type { Journal } from "./journal.js";
import { pause } from "./pause.js";

/** `P` is what jobs find there: `Workplace` over a store, nothing where they bring their own data. */
export interface Pool<P = Workplace> {
  readonly size: number;
  /** The results come in the order of the inputs. */
  run<I, O>(job: Job<I, O, P>, inputs: readonly I[], options?: RunOptions): Promise<O[]>;
  close(): Promise<void>;
  /** Where the results are kept, of a run that can be resumed. */
  readonly journal?: Journal;
}

export interface RunOptions {
  /** Stops the jobs; their results so far are returned. */
  readonly signal?: AbortSignal | undefined;
  /** Called now and then with the steps done by all jobs together. */
  readonly onProgress?: ((done: number) => void) | undefined;
  /** For a run that can be resumed. */
  readonly saving?: Saving | undefined;
  /**
   * Whether results are kept where a run can be resumed; they are unless told. Those who ask only for what nobody
   * asked for before them must say no: calls are known by their numbers, and theirs differ once a run is resumed.
   */
  readonly kept?: false;
}

export interface Saving {
  /** Milliseconds between two looks at where a job stands. */
  readonly interval: number;
  /** Where the jobs stood before, one entry each. */
  readonly from: readonly unknown[];
  onState(index: number, state: unknown): void;
  /** Called with what came to its own end, never with what was stopped. */
  onResult(index: number, result: unknown): void;
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
  let until = performance.now() + SLICE;
  return {
    size: 1,
    async run<I, O>(job: Job<I, O, P>, inputs: readonly I[], options: RunOptions = {}) {
      const { signal, onProgress, saving } = options;
      const results: O[] = [];
      let before = 0;
      let saved = performance.now();
      for (const [index, input] of inputs.entries()) {
        const work = job.start(place(), input, saving?.from[index]);
        while (!signal?.aborted && work.next()) {
          if (performance.now() < until) continue;
          onProgress?.(before + work.done);
          if (saving && work.save && performance.now() - saved > saving.interval) {
            saving.onState(index, work.save());
            saved = performance.now();
          }
          await pause();
          until = performance.now() + SLICE;
        }
        if (saving && signal?.aborted && work.save) saving.onState(index, work.save());
        before += work.done;
        const result = work.result();
        if (saving && !signal?.aborted) saving.onResult(index, result);
        results.push(result);
      }
      return results;
    },
    close: async () => {},
  };
}
