/** Threads over one shared store: one copy of the data, however many chains. */

import type { Store } from "../store/store.js";
import type { Job, Workplace } from "./job.js";
import type { Pool, RunOptions } from "./pool.js";
import { ABORT, errorOf, PROGRESS, type Report, type Scratch } from "./protocol.js";
import type { StartThread, Thread } from "./thread.js";

/** Milliseconds between two progress reports. */
const POLL = 100;

/** Without a store, jobs bring their own data. */
export function threadPool(start: StartThread, store: undefined, size: number): Promise<Pool<undefined>>;
export function threadPool(start: StartThread, store: Store, size: number): Promise<Pool>;
export async function threadPool(
  start: StartThread,
  store: Store | undefined,
  size: number,
): Promise<Pool<Workplace | undefined>> {
  const control = new SharedArrayBuffer(4 * (PROGRESS + size));
  const flags = new Int32Array(control);
  const workers = Array.from({ length: size }, (_, index) => {
    const place = store && { handle: store.handle, scratch: scratchOf(store, index, size) };
    return start({ place, control, index });
  });
  await Promise.all(workers.map((worker) => nextReport(worker)));

  return {
    size,
    async run<I, O>(
      job: Job<I, O, Workplace | undefined>,
      inputs: readonly I[],
      { signal, onProgress, saving }: RunOptions = {},
    ) {
      const results: O[] = new Array(inputs.length);
      let next = 0;
      let finished = 0;
      const total = () => flags.subarray(PROGRESS).reduce((sum, count) => sum + count, finished);
      const abort = () => Atomics.store(flags, ABORT, 1);
      Atomics.store(flags, ABORT, signal?.aborted ? 1 : 0);
      signal?.addEventListener("abort", abort, { once: true });
      // Between the end of a job and its report its steps are counted nowhere: progress never goes back.
      let told = 0;
      const tell = () => {
        told = Math.max(told, total());
        onProgress?.(told);
      };
      const timer = onProgress && setInterval(tell, POLL);
      for (const worker of workers) worker.hold?.(true);
      try {
        const ended = await Promise.allSettled(
          workers.map(async (worker) => {
            while (next < inputs.length) {
              const id = next++;
              const from = saving && { from: saving.from[id], interval: saving.interval };
              worker.post({ id, job: job.name, input: inputs[id], saving: from });
              const report = await nextReport(worker, saving?.onState);
              if ("problem" in report) {
                // The others are heard to their ends: their results are nothing to whoever runs next.
                next = inputs.length;
                abort();
                throw errorOf(report.problem);
              }
              if (!("result" in report)) continue;
              results[report.id] = report.result as O;
              if (Atomics.load(flags, ABORT) === 0) saving?.onResult(report.id, report.result);
              finished += report.done;
            }
          }),
        );
        for (const end of ended) if (end.status === "rejected") throw end.reason;
      } finally {
        clearInterval(timer);
        signal?.removeEventListener("abort", abort);
        for (const worker of workers) worker.hold?.(false);
      }
      return results;
    },
    async close() {
      await Promise.all(workers.map((worker) => worker.end()));
    },
  };
}

/** The memory behind the store, shared out evenly. */
function scratchOf(store: Store, index: number, size: number): Scratch {
  const start = store.end;
  const share = 64 * Math.floor((store.kernels.memory.buffer.byteLength - start) / size / 64);
  return { start: 64 * Math.ceil((start + index * share) / 64), end: start + (index + 1) * share };
}

/** States that come on the way are handed on. */
function nextReport(worker: Thread, onState?: (id: number, state: unknown) => void): Promise<Report> {
  return new Promise((resolve, reject) => {
    const settle = worker.hear(
      (report) => {
        if ("state" in report) {
          onState?.(report.id, report.state);
          return;
        }
        settle();
        resolve(report);
      },
      (error) => {
        settle();
        reject(error);
      },
    );
  });
}
