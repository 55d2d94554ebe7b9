/** From a table to where every peer method starts. */

import { type ReadOptions, readStore, refuseHoles } from "../selection/data/read.js";
import type { Environment } from "../selection/environment.js";
import type { Table } from "../tables/table.js";
import { restingPool } from "../workers/resting.js";
import { gramSource } from "./gram-source.js";
import { FOLDS, type Prepared } from "./prepared.js";

export interface PrepareOptions extends ReadOptions {
  readonly threads?: number;
  /** Bytes that products of columns may take up. */
  readonly products?: number;
}

const SCRATCH = 64 * 2 ** 20;
/** Rows in a block, unless that leaves fewer blocks than cross-validation needs. */
const BLOCK_ROWS = 200;

export async function prepare(
  table: Table,
  options: PrepareOptions,
  environment: Environment,
): Promise<Prepared> {
  const { seed = 1, threads = environment.threads, signal, products: most } = options;
  const { kernels, disk } = environment;
  const blockRows = (rows: number) => Math.min(BLOCK_ROWS, Math.max(1, Math.floor(rows / FOLDS)));
  refuseHoles(options);
  const room = { kernels, disk, threads, scratch: SCRATCH };
  const { store, target } = await readStore(table, options, blockRows, room);
  const pool = await restingPool(() => environment.pool(store, threads));
  const close = async () => {
    await pool.close();
    store.close?.();
  };
  try {
    return {
      store,
      target,
      seed,
      signal,
      close,
      rows: { store, pool },
      gram: await gramSource(store, pool, { most }),
      folded: () => gramSource(store, pool, { folds: Math.min(FOLDS, store.layout.blocks), most }),
      journal: pool.journal,
      rest: () => pool.rest(),
    };
  } catch (error) {
    await close();
    throw error;
  }
}
