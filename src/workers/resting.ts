/** A pool whose threads end while nobody needs them: each of them holds 10 MB and what it last worked on. */

import type { Pool } from "./pool.js";

export interface RestingPool<P> extends Pool<P> {
  /** Ends the threads; the next job starts new ones. */
  rest(): Promise<void>;
}

export async function restingPool<P>(open: () => Promise<Pool<P>>): Promise<RestingPool<P>> {
  let pool: Pool<P> | undefined = await open();
  const rest = async (): Promise<void> => {
    const ended = pool;
    pool = undefined;
    await ended?.close();
  };
  return {
    ...pool,
    async run(job, inputs, options) {
      pool ??= await open();
      return pool.run(job, inputs, options);
    },
    rest,
    close: rest,
  };
}
