/** What a page provides: memory, and threads over one copy of the data where it may share memory. */

import { kernelMemory, wasmKernels } from "../kernels/wasm.js";
import type { Environment } from "../selection/environment.js";
import type { Crew } from "../workers/crew.js";
import { localPool } from "../workers/pool.js";
import type { StartThread } from "../workers/thread.js";
import { threadPool } from "../workers/thread-pool.js";
import { webThreads } from "../workers/web-thread.js";

/** The program of a thread: where it is, or how it is started. */
export type ThreadProgram = URL | string | (() => Worker);

/** More threads than these gain little, as in Node. */
const MOST = 8;

/** Whether memory can be shared between threads: the page must be served with the headers of cross-origin isolation. */
export function canShare(): boolean {
  return globalThis.crossOriginIsolated === true && typeof SharedArrayBuffer !== "undefined";
}

/** Threads that a run has unless told: all processors where memory can be shared, otherwise this one. */
export function threadsToHave(): number {
  return canShare() ? Math.min(MOST, globalThis.navigator?.hardwareConcurrency ?? 1) : 1;
}

export function environmentOf(program: ThreadProgram | undefined): Environment {
  const start = startOf(program);
  const threads = threadsToHave();
  return {
    threads,
    kernels: (bytes) => wasmKernels(kernelMemory(bytes, canShare())),
    pool: async (store, size) => (size > 1 && canShare() ? threadPool(start, store, size) : localPool(store)),
  };
}

export function crewOf(program: ThreadProgram | undefined): Crew {
  const start = startOf(program);
  return {
    threads: threadsToHave(),
    pool: async (size) => (size > 1 && canShare() ? threadPool(start, undefined, size) : localPool()),
  };
}

function startOf(program: ThreadProgram | undefined): StartThread {
  if (typeof program === "function") return webThreads(program);
  if (program !== undefined) return webThreads(() => new Worker(program, { type: "module" }));
  // Bundlers know this form, and put the program of a thread beside the page.
  return webThreads(() => new Worker(new URL("../browser-worker.js", import.meta.url), { type: "module" }));
}
