/** Asks a worker of this page. */

import { type Engine, EngineError, type Hearing } from "./engine.js";
import type { FromWorker, Kind, Questions, ToWorker } from "./protocol.js";

interface Waiting {
  readonly hearing: Hearing;
  resolve(answer: Questions[Kind]["answers"]): void;
  reject(error: Error): void;
}

export function workerEngine(program: URL): Engine {
  const waiting = new Map<number, Waiting>();
  let worker: Worker | undefined;
  let last = 0;

  const start = (): Worker => {
    const started = new Worker(program, { type: "module", name: "sparrow" });
    started.onmessage = ({ data }: MessageEvent<FromWorker>) => hear(data);
    // A worker that died (of memory, as a rule) answers nobody: all who wait are told.
    started.onerror = (event) => {
      event.preventDefault();
      worker = undefined;
      started.terminate();
      const message =
        event.message || "The computation ended unexpectedly; the data may be too large for this tab.";
      for (const { reject } of waiting.values()) reject(new EngineError({ message, kind: "unforeseen" }));
      waiting.clear();
    };
    return started;
  };

  const hear = (message: FromWorker): void => {
    const asker = waiting.get(message.id);
    if (!asker) return;
    if ("news" in message) {
      asker.hearing.onNews?.(message.news);
      return;
    }
    waiting.delete(message.id);
    if ("failure" in message) asker.reject(new EngineError(message.failure));
    else asker.resolve(message.answer);
  };

  return {
    ask<K extends Kind>(kind: K, asks: Questions[K]["asks"], hearing: Hearing = {}) {
      worker ??= start();
      const to = worker;
      last += 1;
      const id = last;
      return new Promise<Questions[K]["answers"]>((resolve, reject) => {
        waiting.set(id, { hearing, resolve: resolve as Waiting["resolve"], reject });
        hearing.signal?.addEventListener(
          "abort",
          () => to.postMessage({ id, kind: "stop" } satisfies ToWorker),
          {
            once: true,
          },
        );
        to.postMessage({ id, kind, asks } as ToWorker);
      });
    },
  };
}
