/**
 * Text files with a separator: through DuckDB, or by our own reader where there are very many columns, where a small file
 * leaves no doubt, or where DuckDB is baffled.
 */

import type { Header } from "../duckdb/csv-header.js";
import { delimited } from "../duckdb/delimited.js";
import { dialectOf } from "../duckdb/dialect.js";
import { duckdbTable } from "../duckdb/duckdb-table.js";
import { fileOnDisk } from "../packed/on-disk.js";
import { Baffled, noRows } from "../read-errors.js";
import type { ReaderSettings } from "../reader.js";
import type { ColumnTable } from "../table.js";
import { beyondDoubt } from "../wide/beyond-doubt.js";
import { firstLines } from "../wide/first-lines.js";
import { TooWide } from "../wide/too-wide.js";
import { wideTable } from "../wide/wide-table.js";

/** Columns from which on our own reader takes less memory and time than DuckDB: a third and half, of 5,000 by 2,000. */
const WIDE = 2000;

export async function delimitedTable(
  paths: readonly string[],
  settings: ReaderSettings,
  delimiters?: readonly string[],
): Promise<ColumnTable> {
  const dialect = dialectOf(settings, delimiters);
  // What is wrong with a file is for its reader to say.
  const first = { ...fileOnDisk(paths[0]), name: paths.length === 1 ? settings.name : paths[0] };
  const header = await firstLines(first, dialect).catch((error: unknown) => {
    if (error instanceof TooWide) throw error;
    return undefined;
  });
  const isOurs =
    header !== undefined && isByte(header.delimiter) && (dialect.quote === "" || isByte(dialect.quote));
  const ours = (header: Header) => wideTable(paths.map(fileOnDisk), settings, dialect, header);
  if (isOurs && header.names.length > WIDE) return ours(header);
  if (isOurs && paths.length === 1) {
    const plain = await beyondDoubt(fileOnDisk(paths[0]), { dialect, header, settings }).catch(
      () => undefined,
    );
    if (plain) return wideTable([plain], settings, dialect, header);
  }
  const above = (header?.skipped ?? 0) + (dialect.noHeader ? 0 : 1);
  try {
    const table = await duckdbTable(delimited(delimiters), paths, settings, above);
    if (header?.hasRows === false) await refuseNoRows(table);
    return table;
  } catch (error) {
    // Mixed ends of lines, say: our own reader takes them, or tells what is wrong.
    if (isOurs && error instanceof Baffled) return ours(header);
    throw error;
  }
}

/** Where nothing follows the header on the first lines, nothing may follow at all. */
async function refuseNoRows(table: ColumnTable): Promise<void> {
  for await (const { rows } of table.chunks([0])) if (rows > 0) return;
  table.close?.();
  throw noRows(table.name);
}

const isByte = (character: string): boolean => character.charCodeAt(0) < 128;
