/** From a table to a store: in memory where it fits, in a file where it does not. */

import { columnRoles } from "./selection/columns.js";
import type { FitOptions } from "./selection/options.js";
import { checksummed, checksummedSparse } from "./sources/checksum.js";
import type { SparseTable, Table } from "./sources/table.js";
import { type Imported, layOut, readBlocks } from "./store/build.js";
import { type Disk, residentLimit, type Surroundings } from "./store/room.js";
import { readSparse } from "./store/sparse-reading.js";
import { memoryStage } from "./store/stage.js";
import type { Store } from "./store/store.js";

export type ReadOptions = Pick<
  FitOptions,
  | "target"
  | "columns"
  | "exclude"
  | "always"
  | "missing"
  | "family"
  | "seed"
  | "memory"
  | "signal"
  | "onProgress"
>;

export async function readStore(
  table: Table | SparseTable,
  options: ReadOptions,
  blockRows: (rows: number) => number,
  { disk, ...threads }: Surroundings,
): Promise<Store> {
  const memory = options.memory ?? disk?.memory ?? Number.POSITIVE_INFINITY;
  const reading = await readImported(table, options, blockRows, disk, memory);
  try {
    const { imported } = reading;
    const large = imported.blocks.layout.bytes > residentLimit(memory);
    if (disk && (reading.spilled || large)) return await disk.keep(imported, { ...threads, memory }, options);
    return await layOut(imported, threads.kernels, threads.scratch * threads.threads);
  } finally {
    reading.close();
  }
}

/** Reads everything. Whoever asks must close, once the blocks have been laid out. */
export async function readImported(
  table: Table | SparseTable,
  options: ReadOptions,
  blockRows: (rows: number) => number,
  disk: Disk | undefined,
  memory: number,
): Promise<{ imported: Imported; spilled: boolean; close(): void }> {
  const { seed = 1, family = "auto", missing, signal } = options;
  const onProgress = readingProgress(options, "columns" in table ? table.rows : undefined);
  if (!("columns" in table)) {
    const choose = (columns: Table["columns"]) => {
      const roles = columnRoles({ name: table.name, columns, chunks: () => [] }, options);
      return roles.predictors;
    };
    const watched = checksummedSparse(table);
    const imported = await readSparse({
      ...{ table: watched.table, choose, blockRows, seed, family, signal, onProgress },
    });
    return { imported: withChecksum(imported, watched.checksum()), spilled: false, close() {} };
  }
  const { predictors, target } = columnRoles(table, options);
  const limit = residentLimit(memory);
  const staged = predictors.length + 1;
  const stage = disk ? disk.stage(staged, seed, limit) : memoryStage(staged, seed);
  // A block must fit into memory several times over, whatever the number of columns.
  const most = Math.max(16, Math.floor(memory / 8 / (4 * staged)));
  const watched = checksummed(table);
  try {
    const imported = await readBlocks(
      {
        ...{ table: watched.table, predictors, target, seed, missing, family, signal, onProgress },
        blockRows: (rows) => Math.min(blockRows(rows), most),
      },
      stage,
    );
    return {
      imported: withChecksum(imported, watched.checksum()),
      spilled: "spilled" in stage && stage.spilled === true,
      close: () => stage.close(),
    };
  } catch (error) {
    stage.close();
    throw error;
  }
}

function withChecksum({ blocks, record }: Imported, checksum: string): Imported {
  return { blocks, record: { ...record, checksum } };
}

/** Where the number of rows is not known, the share of the input that has been read tells how far we are. */
function readingProgress({ onProgress }: ReadOptions, rows: number | undefined) {
  if (!onProgress) return undefined;
  return (done: number, share?: number) =>
    onProgress({ stage: "read", done, total: rows ?? (share ? Math.round(done / share) : 0) });
}
