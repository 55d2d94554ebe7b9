/** From a table to where every peer method starts. */

import type { Environment } from "./fit.js";
import { gramSource } from "./peers/gram-source.js";
import { FOLDS, type Prepared } from "./peers/prepared.js";
import { type ReadOptions, readStore, refuseHoles } from "./read.js";
import type { SparseTable, Table } from "./sources/table.js";

export interface PrepareOptions extends ReadOptions {
  readonly threads?: number;
}

const SCRATCH = 64 * 2 ** 20;
/** Rows in a block, unless that leaves fewer blocks than cross-validation needs. */
const BLOCK_ROWS = 200;

export async function prepare(
  table: Table | SparseTable,
  options: PrepareOptions,
  environment: Environment,
): Promise<Prepared> {
  const { seed = 1, threads = environment.threads, signal } = options;
  const { kernels, disk } = environment;
  const blockRows = (rows: number) => Math.min(BLOCK_ROWS, Math.max(1, Math.floor(rows / FOLDS)));
  refuseHoles(options);
  const store = await readStore(table, options, blockRows, { kernels, disk, threads, scratch: SCRATCH });
  const team = await environment.team(store, threads);
  const close = async () => {
    await team.close();
    store.close?.();
  };
  try {
    return { store, team, gram: await gramSource(store, team), seed, signal, close };
  } catch (error) {
    await close();
    throw error;
  }
}
