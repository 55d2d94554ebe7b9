/**
 * Reading ahead for stores on disk. A thread of its own reads what will be asked for soon, and throws it away: what
 * it leaves behind is in the system's cache, where the chain finds it. So nothing depends on it but time. It starts
 * when reads turn out to wait for a slow disk, and gets no work while they do not. Behind a disk made to answer after
 * 2 ms a search took 14.9 s instead of 27.4 s; with a disk that answers within 0.2 ms, on two busy cores, it gained
 * nothing, which is why the threshold lies above.
 */

import { Worker } from "node:worker_threads";
import { threadProgram } from "../../files/program.js";

export interface ReadAhead {
  /** How long a read took. */
  took(milliseconds: number, bytes: number): void;
  /** Whether reads wait for the disk. */
  readonly useful: boolean;
  /** A part of the file that will be asked for. */
  want(at: number, size: number): void;
  /** Requests that nobody has taken up yet. */
  readonly waiting: number;
  close(): void;
}

export interface ReadAheadSetup {
  readonly path: string;
  readonly queue: SharedArrayBuffer;
}

/** Requests that can wait; more are forgotten. */
export const QUEUE = 256;
/** In the shared memory: requests made and requests taken up, then the requests as pairs of float64. */
export const MADE = 0;
export const TAKEN = 1;
export const PAIRS = 16;

/** A read that took more than this many milliseconds, and this many for every megabyte, waited for a slow disk. */
const CALL = 0.25;
const MEGABYTE = 1;
/** The share of recent reads that waited for the disk, from which on reading ahead is worth it. */
const OFTEN = 0.1;
const RECENT = 1 / 64;

export function readAhead(path: string): ReadAhead {
  const queue = new SharedArrayBuffer(PAIRS + 16 * QUEUE);
  const counters = new Int32Array(queue, 0, 2);
  const pairs = new Float64Array(queue, PAIRS);
  let slow = 0;
  let worker: Worker | undefined;
  const waiting = () => counters[MADE] - Atomics.load(counters, TAKEN);
  return {
    took(milliseconds, bytes) {
      const waited = milliseconds > CALL + (MEGABYTE * bytes) / 1e6;
      slow += RECENT * ((waited ? 1 : 0) - slow);
    },
    get useful() {
      return slow > OFTEN;
    },
    want(at, size) {
      if (!worker) {
        worker = new Worker(threadProgram("store/open/read-ahead-worker.js", import.meta.url), {
          workerData: { path, queue } satisfies ReadAheadSetup,
        });
        // What it does is never needed.
        worker.on("error", () => {});
        worker.unref();
      }
      const made = counters[MADE];
      if (waiting() >= QUEUE) return;
      pairs[2 * (made % QUEUE)] = at;
      pairs[2 * (made % QUEUE) + 1] = size;
      Atomics.store(counters, MADE, made + 1);
      Atomics.notify(counters, MADE);
    },
    get waiting() {
      return waiting();
    },
    close() {
      worker?.terminate();
    },
  };
}
