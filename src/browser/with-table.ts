/** From what a page has, arrays or a file, to a table, however often it takes to find out how it is to be read. */

import type { DataInMemory } from "../tables/in-memory.js";
import { tableInMemory } from "../tables/in-memory.js";
import { pastSurprises } from "../tables/judge/late.js";
import type { ReaderSettings } from "../tables/reader.js";
import type { Table } from "../tables/table.js";
import { isOpened, type NamedBlob, type OpenedFile, openFile, tableOf } from "./opened-file.js";
import { fitting } from "./room.js";

/** Data of a page: a file that was opened, or one that was not yet, or arrays or records. */
export type DataInPage = DataInMemory | OpenedFile | NamedBlob;

export async function withTable<T>(
  data: DataInPage,
  settings: Omit<ReaderSettings, "name">,
  work: (table: Table) => Promise<T>,
): Promise<T> {
  const file = isBlob(data) ? await openFile(data) : isOpened(data) ? data : undefined;
  if (!file) return work(tableInMemory(data as DataInMemory, settings));
  return pastSurprises(settings, async (asked) => {
    const table = await tableOf(file, asked);
    try {
      return await work(fitting(table, asked.memory));
    } finally {
      table.close?.();
    }
  });
}

function isBlob(data: DataInPage): data is NamedBlob {
  return typeof Blob !== "undefined" && data instanceof Blob;
}
