/** Threads that begin when they are worth it: until then this thread works alone. */

import { Arena } from "../store/batch/arena.js";
import type { Store } from "../store/store.js";
import type { Job } from "./job.js";
import { pause } from "./pause.js";
import type { Pool, RunOptions, Saving } from "./pool.js";

/**
 * Milliseconds of work that this thread does alone: about as long as threads take to begin and to become as fast. Who has
 * less to do is done before they would be; who has more has lost no more than that.
 */
const ALONE = 100;
/** Milliseconds of work between two visits to the event loop. */
const SLICE = 30;

/** `threads` begins a pool of so many of them over the same store, whose scratch memory is ours until then. */
export function latePool(
  store: Store,
  size: number,
  threads: () => Promise<Pool>,
  now = () => performance.now(),
): Pool {
  const { memory } = store.kernels;
  let begun: Promise<Pool> | undefined;
  let worked = 0;
  const others = (): Promise<Pool> => {
    begun ??= threads();
    return begun;
  };

  /** The results of the first inputs: of those that could be had before others are worth it. */
  async function alone<I, O>(
    job: Job<I, O>,
    inputs: readonly I[],
    { signal, onProgress, saving }: RunOptions,
  ) {
    const results: O[] = [];
    let done = 0;
    let [visited, saved] = [now(), performance.now()];
    for (const [index, input] of inputs.entries()) {
      const place = { store, arena: new Arena(memory, store.end, memory.buffer.byteLength) };
      const from = now();
      // Others may have to begin with them, too: as they are now.
      const work = job.start(place, structuredClone(input), structuredClone(saving?.from[index]));
      const overdue = (): boolean => worked + now() - from > ALONE;
      while (!signal?.aborted && work.next()) {
        if (overdue()) return { results, done };
        if (now() - visited < SLICE) continue;
        onProgress?.(done + work.done);
        if (saving && work.save && performance.now() - saved > saving.interval) {
          saving.onState(index, work.save());
          saved = performance.now();
        }
        await pause();
        visited = now();
      }
      if (saving && signal?.aborted && work.save) saving.onState(index, work.save());
      worked += now() - from;
      done += work.done;
      results.push(work.result());
      if (!signal?.aborted) saving?.onResult(index, results[index]);
    }
    return { results, done };
  }

  return {
    size,
    async run<I, O>(job: Job<I, O>, inputs: readonly I[], options: RunOptions = {}) {
      // What has changed the data cannot be begun anew.
      if (begun || job.writes || worked > ALONE) return (await others()).run(job, inputs, options);
      const { results, done } = await alone(job, inputs, options);
      const first = results.length;
      if (first === inputs.length) return results;
      const { onProgress, saving, ...rest } = options;
      const left = await (await others()).run(job, inputs.slice(first), {
        ...rest,
        ...(onProgress && { onProgress: (steps: number) => onProgress(done + steps) }),
        ...(saving && { saving: from(saving, first) }),
      });
      return [...results, ...left];
    },
    close: async () => (await begun)?.close(),
  };
}

/** Of the inputs from the first on. */
function from({ from, interval, onState, onResult }: Saving, first: number): Saving {
  return {
    interval,
    from: from.slice(first),
    onState: (index, state) => onState(first + index, state),
    onResult: (index, result) => onResult(first + index, result),
  };
}
