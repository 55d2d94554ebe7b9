/** A thread of the pool: opens the shared store once, then does one job after the other. */

import { parentPort, workerData } from "node:worker_threads";
import { wasmKernels } from "../kernels/wasm.js";
import { Arena } from "../store/batch/arena.js";
import { openInThread } from "../store/open/in-thread.js";
import type { AnyJob } from "./job.js";
import { ABORT, type Assignment, PROGRESS, problemOf, type Report, type WorkerSetup } from "./protocol.js";

/** Steps between two looks at the shared flags. */
const LOOK = 16;

export async function serve(jobs: readonly AnyJob[]): Promise<void> {
  const { handle, scratch, control, index } = workerData as WorkerSetup;
  const store = openInThread(handle, await wasmKernels(handle.memory), scratch.start);
  const flags = new Int32Array(control);
  const named = new Map(jobs.map((job) => [job.name, job]));
  const port = parentPort!;
  const report = (message: Report): void => port.postMessage(message);

  port.on("message", ({ id, job, input }: Assignment) => {
    try {
      const arena = new Arena(handle.memory, store.end, scratch.end);
      const work = named.get(job)!.start({ store, arena }, input);
      for (let step = 1; work.next(); step++) {
        if (step % LOOK !== 0) continue;
        Atomics.store(flags, PROGRESS + index, work.done);
        if (Atomics.load(flags, ABORT) === 1) break;
      }
      Atomics.store(flags, PROGRESS + index, 0);
      report({ id, done: work.done, result: work.result() });
    } catch (error) {
      report({ id, problem: problemOf(error) });
    }
  });
  report({ ready: true });
}
