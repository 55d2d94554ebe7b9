/** Data by path, list, pattern or from memory; stores among them. */

import type { Progress } from "../options/fit.js";
import { targetName } from "../selection/data/columns.js";
import { storeReader } from "../store/open/reader.js";
import { type Data, isInFiles, type OpenOptions, open as openTable } from "../tables/open.js";
import type { Reader } from "../tables/reader.js";
import { readers as tableReaders } from "../tables/readers/register.js";
import { readerByName } from "../tables/source.js";
import type { Table } from "../tables/table.js";

/** All that can be read. A store knows itself by its first bytes, so it is asked first. */
export const readers: readonly Reader[] = [storeReader, ...tableReaders];

/** The table behind a path, a list of paths, a pattern, `-` (standard input) or a folder; or of data in memory. */
export function open(data: Data, options: OpenOptions = {}): Promise<Table> {
  return openTable(data, { readers, ...options });
}

/** The options for sources that know their target themselves, as LIBSVM files and stores do. */
export type ForFiles<Options extends { readonly target: string }> = Omit<Options, "target"> & {
  /** The column to explain; only sources that know it themselves can do without. */
  readonly target?: string | undefined;
};

/** Where the name of a file says that its kind knows no target, nothing need be read to miss it. */
export function refuseWithoutTarget(data: Data, { target }: { readonly target?: string | undefined }): void {
  if (target !== undefined || !isInFiles(data)) return;
  const reader = readerByName(typeof data === "string" ? data : data[0], readers);
  if (reader && !reader.knowsTarget) targetName({}, undefined);
}

export async function using<T>(table: Table, work: (table: Table) => Promise<T>): Promise<T> {
  try {
    return await work(table);
  } finally {
    table.close?.();
  }
}

/** Tells of the bytes that have come through standard input. */
export function receiving({
  onProgress,
}: {
  readonly onProgress?: ((progress: Progress) => void) | undefined;
}): (done: number) => void {
  return (done) => onProgress?.({ stage: "receive", done, total: 0, bytes: { done } });
}
