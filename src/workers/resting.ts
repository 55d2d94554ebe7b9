/** A pool whose threads end while nobody needs them: each of them holds 10 MB and what it last worked on. */

import type { Pool } from "./pool.js";

export interface RestingPool<P> extends Pool<P> {
  /** Ends the threads; the next job starts new ones. */
  rest(): Promise<void>;
}

export async function restingPool<P>(open: () => Promise<Pool<P>>): Promise<RestingPool<P>> {
  // A promise, so that two jobs that come at once wake one pool.
  let pool: Promise<Pool<P>> | undefined = open();
  const first = await pool;
  const rest = async (): Promise<void> => {
    const ended = pool;
    pool = undefined;
    await (await ended)?.close();
  };
  return {
    ...first,
    async run(job, inputs, options) {
      pool ??= open();
      return (await pool).run(job, inputs, options);
    },
    rest,
    close: rest,
  };
}
