/** Worker threads of Node. Their first message is what they are born with, so that they can be begun before it is known. */

import { parentPort, Worker } from "node:worker_threads";
import type { Assignment, WorkerSetup } from "./protocol.js";
import type { BegunThread, Port, Thread } from "./thread.js";

/** `entry` is the program of a thread: it serves the register of jobs. */
export function beginNodeThread(entry: URL): BegunThread {
  // The program is whole as it is: loaders that the process was started with would only cost time in every thread.
  const worker = new Worker(entry, { execArgv: [] });
  // The program may end while a thread is idle.
  worker.unref();
  // What fails before anybody listens is kept for the first who does.
  let failed: { readonly error: unknown } | undefined;
  worker.on("error", (error) => {
    failed = { error };
  });
  const thread: Thread = {
    post: (assignment) => worker.postMessage(assignment),
    hear(onReport, onError) {
      if (failed) queueMicrotask(() => onError(failed?.error));
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
  return {
    start(setup) {
      worker.postMessage(setup);
      return thread;
    },
    end: thread.end,
  };
}

export function nodePort(): Promise<Port> {
  const port = parentPort!;
  return new Promise((resolve) => {
    let born = false;
    let obey: ((message: Assignment | WorkerSetup) => void) | undefined;
    port.on("message", (message: WorkerSetup | Assignment) => {
      if (born) {
        obey?.(message);
        return;
      }
      born = true;
      resolve({
        setup: message as WorkerSetup,
        report: (report, handedOver) => port.postMessage(report, handedOver),
        hear: (onMessage) => {
          obey = onMessage;
        },
      });
    });
  });
}
