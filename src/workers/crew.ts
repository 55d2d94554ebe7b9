/** Who runs the chains: the calling thread, or several where there are any. */

import type { Progress } from "../options/fit.js";
import type { Journal } from "./journal.js";
import { localPool, type Pool } from "./pool.js";

export interface Crew {
  /** As many as there are to be had. */
  readonly threads: number;
  pool(size: number): Promise<Pool<undefined>>;
  /** Where threads are not worth it; the calling thread unless told. */
  alone?(): Pool<undefined>;
  /** Where results are kept, of a run that can be resumed. */
  readonly journal?: Journal;
}

export const callingThread: Crew = { threads: 1, pool: async () => localPool() };

/** What `clusters` and `hiddenStates` may be told about how they run. */
export interface RunningOptions {
  /** Threads to use; as many as there are chains and processors unless told. The answer does not depend on it. */
  readonly threads?: number;
  /** Stops the run; the result so far is returned, marked as partial. */
  readonly signal?: AbortSignal | undefined;
  /** Called now and then with the iterations of all chains together, done and planned so far. */
  readonly onProgress?: ((progress: Progress) => void) | undefined;
}

/** In seconds. A thread takes some 50 ms to start, more on a busy machine: less work than this is done before. */
const WORTH_THREADS = 0.5;

/** `work` is the time that all chains together will take, about, in seconds. */
export async function withPool<T>(
  crew: Crew,
  { chains, threads, work }: { chains: number; threads: number | undefined; work: number },
  use: (pool: Pool<undefined>) => Promise<T>,
): Promise<T> {
  const size = Math.min(threads ?? crew.threads, chains);
  const pool = size > 1 && work >= WORTH_THREADS ? await crew.pool(size) : (crew.alone ?? localPool)();
  try {
    return await use(pool);
  } finally {
    await pool.close();
  }
}

/** Data that threads read: in shared memory, one copy for all of them. */
export function sharedWith<T extends Float32Array | Float64Array | Uint8Array | Int32Array>(
  pool: Pick<Pool, "size">,
  values: T,
): T {
  if (pool.size === 1) return values;
  const memory = new SharedArrayBuffer(values.byteLength);
  const copy = new (values.constructor as new (memory: SharedArrayBuffer) => T)(memory);
  copy.set(values);
  return copy;
}
