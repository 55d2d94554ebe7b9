/** A thread, as a pool sees it, and the pool, as a thread sees it: worker threads of Node and of pages are alike in this. */

import type { Assignment, Report, WorkerSetup } from "./protocol.js";

export interface Thread {
  post(assignment: Assignment): void;
  /** Hands on what the thread reports, and what it fails with, until the function that comes back is called. */
  hear(onReport: (report: Report) => void, onError: (error: unknown) => void): () => void;
  /** Whether the program must go on for the sake of the thread; absent where it does anyway. */
  hold?(isBusy: boolean): void;
  end(): Promise<unknown>;
}

export type StartThread = (setup: WorkerSetup) => Thread;

/** A thread that loads its program already, while nobody knows yet what it will work on. */
export interface BegunThread {
  /** Once more where it is to work on something else from now on. */
  start(setup: WorkerSetup): Thread;
  end(): Promise<unknown>;
}

/** The other end. */
export interface Port {
  readonly setup: WorkerSetup;
  report(message: Report, handedOver: ArrayBuffer[]): void;
  /** What a thread is told later: what to do, or that it works on something else from now on. */
  hear(onMessage: (message: Assignment | WorkerSetup) => void): void;
}
