/** Data by path, list, pattern or from memory; stores among them. */

import { isClickHouseAddress } from "../engines/clickhouse/address.js";
import type { FitOptions, Progress } from "../options/fit.js";
import { storeReader } from "../store/open/reader.js";
import { tableInMemory } from "../tables/in-memory.js";
import {
  type Data,
  isInFiles,
  locate,
  type OpenOptions,
  open as openTable,
  reading,
  using,
} from "../tables/open.js";
import type { Reader, ReaderSettings } from "../tables/reader.js";
import { readers as tableReaders } from "../tables/readers/register.js";
import type { Table } from "../tables/table.js";

/** All that can be read. A store knows itself by its first bytes, so it is asked first. */
export const readers: readonly Reader[] = [storeReader, ...tableReaders];

/** The table behind a path, a list of paths, a pattern, `-` (standard input) or a folder; or of data in memory. */
export function open(data: Data, options: OpenOptions = {}): Promise<Table> {
  return openTable(data, { readers, ...options });
}

/** Does something with the table of the data, however often it takes to find out how they are to be read. */
export async function withTable<T>(
  data: Data,
  { onReceived, ...settings }: Omit<ReaderSettings, "name"> & Pick<OpenOptions, "onReceived">,
  work: (table: Table) => Promise<T>,
): Promise<T> {
  if (!isInFiles(data)) return using(tableInMemory(data, settings), work);
  return reading(await locate(data, { readers, onReceived, signal: settings.signal }), settings, work);
}

/** What opening a table takes of the options of a run. */
export interface OpeningOptions {
  readonly memory?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: Progress) => void) | undefined;
}

/** Memory, what stops it, and who hears of the bytes that have come through standard input. */
export function openingOf({ memory, signal, onProgress }: OpeningOptions) {
  const onReceived = (done: number) => onProgress?.({ stage: "receive", done, total: 0, bytes: { done } });
  return { memory, signal, onReceived };
}

/** Those who read files do not wait for what asks databases. */
export function isAsked(data: Data, { engine }: Pick<FitOptions, "engine">): boolean {
  return isClickHouseAddress(data) || engine !== undefined;
}
