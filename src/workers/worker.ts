/** A thread of the pool: opens the shared store once, then does one job after the other. */

import { parentPort, workerData } from "node:worker_threads";
import { wasmKernels } from "../kernels/wasm.js";
import { Arena } from "../store/batch/arena.js";
import { openStore } from "../store/open/in-thread.js";
import { startJob } from "./jobs.js";
import { ABORT, type Assignment, PROGRESS, problemOf, type Report, type WorkerSetup } from "./protocol.js";

const { handle, scratch, control, index } = workerData as WorkerSetup;
const store = openStore(handle, await wasmKernels(handle.memory), scratch.start);
const flags = new Int32Array(control);

/** Steps between two looks at the shared flags. */
const LOOK = 16;

parentPort!.on("message", ({ id, job }: Assignment) => {
  try {
    const work = startJob(store, new Arena(handle.memory, store.end, scratch.end), job);
    for (let step = 1; work.next(); step++) {
      if (step % LOOK !== 0) continue;
      Atomics.store(flags, PROGRESS + index, work.done);
      if (Atomics.load(flags, ABORT) === 1) break;
    }
    Atomics.store(flags, PROGRESS + index, 0);
    parentPort!.postMessage({ id, done: work.done, result: work.result() } satisfies Report);
  } catch (error) {
    parentPort!.postMessage({ id, problem: problemOf(error) } satisfies Report);
  }
});
parentPort!.postMessage({ ready: true } satisfies Report);
