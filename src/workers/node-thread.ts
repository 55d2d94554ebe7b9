/** Worker threads of Node. */

import { parentPort, Worker, workerData } from "node:worker_threads";
import type { WorkerSetup } from "./protocol.js";
import type { Port, StartThread } from "./thread.js";

/** `entry` is the program of a thread: it serves the register of jobs. */
export function nodeThreads(entry: URL): StartThread {
  return (setup) => {
    const worker = new Worker(entry, { workerData: setup });
    // The program may end while a thread is idle.
    worker.unref();
    return {
      post: (assignment) => worker.postMessage(assignment),
      hear(onReport, onError) {
        worker.on("message", onReport);
        worker.on("error", onError);
        return () => {
          worker.off("message", onReport);
          worker.off("error", onError);
        };
      },
      hold: (isBusy) => (isBusy ? worker.ref() : worker.unref()),
      end: () => worker.terminate(),
    };
  };
}

export function nodePort(): Port {
  const port = parentPort!;
  return {
    setup: workerData as WorkerSetup,
    report: (message, handedOver) => port.postMessage(message, handedOver),
    hear: (onAssignment) => port.on("message", onAssignment),
  };
}
