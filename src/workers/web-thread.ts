/** Worker threads of a page. Their first message is what they are born with. */

import type { Assignment, Report, WorkerSetup } from "./protocol.js";
import type { Port, StartThread } from "./thread.js";

export function webThreads(start: () => Worker): StartThread {
  return (setup) => {
    const worker = start();
    worker.postMessage(setup);
    return {
      post: (assignment) => worker.postMessage(assignment),
      hear(onReport, onError) {
        const message = ({ data }: MessageEvent<Report>) => onReport(data);
        const error = ({ message }: ErrorEvent) =>
          onError(new Error(`A thread of the page failed: ${message ?? "its program could not be loaded"}`));
        worker.addEventListener("message", message);
        worker.addEventListener("error", error);
        return () => {
          worker.removeEventListener("message", message);
          worker.removeEventListener("error", error);
        };
      },
      end: async () => worker.terminate(),
    };
  };
}

/** What the global object of a worker has, as far as it is needed here. */
interface WorkerScope {
  postMessage(message: Report, transfer: ArrayBuffer[]): void;
  addEventListener(type: "message", listener: (event: MessageEvent) => void, options?: object): void;
}

export function webPort(): Promise<Port> {
  const scope = globalThis as unknown as WorkerScope;
  return new Promise((resolve) => {
    const born = ({ data }: MessageEvent<WorkerSetup>) =>
      resolve({
        setup: data,
        report: (message, handedOver) => scope.postMessage(message, handedOver),
        hear: (onMessage) =>
          scope.addEventListener("message", ({ data }: MessageEvent<Assignment | WorkerSetup>) =>
            onMessage(data),
          ),
      });
    scope.addEventListener("message", born, { once: true });
  });
}
