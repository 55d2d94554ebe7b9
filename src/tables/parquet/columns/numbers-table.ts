/** Parquet files of nothing but numbers, which are opened without DuckDB: it is asked for rows only where somebody wants rows. */

import type { DuckDBSource } from "../../duckdb/duckdb-table.js";
import { columnHints, wantsWords } from "../../judge/hints.js";
import { judgedTable } from "../../judge/judged-table.js";
import type { RawChunk, RawTable } from "../../judge/raw-table.js";
import { totalSize } from "../../paths.js";
import type { ReaderSettings } from "../../reader.js";
import type { ColumnTable } from "../../table.js";
import type { ColumnIndex, IndexedColumn } from "./column-index.js";
import { ParquetColumns, roomFor } from "./read-column.js";

/** Every column of it can be read so. */
export interface NumbersIndex extends ColumnIndex {
  readonly columns: readonly IndexedColumn[];
}

/** Whether numbers are all that there is, and all that is asked for. */
export function needsNoDuckDB(index: ColumnIndex, settings: ReaderSettings): index is NumbersIndex {
  const { columns, rows } = index;
  if (rows === 0 || columns.some((column) => column === undefined)) return false;
  const names = columns.map((column) => column!.name);
  return !columnHints(names, settings, settings.name).some(wantsWords);
}

export function numbersTable(
  index: NumbersIndex,
  paths: readonly string[],
  settings: ReaderSettings,
  open: () => Promise<DuckDBSource>,
): Promise<ColumnTable> {
  const { rows, columns } = index;
  let opened: Promise<DuckDBSource> | undefined;
  const source = () => {
    opened ??= open();
    return opened;
  };
  const raw: RawTable = {
    name: settings.name,
    columns: columns.map(({ name, kind }) => ({
      name,
      type: kind === "float" || kind === "double" ? "number" : "integer",
    })),
    rows,
    bytes: totalSize(paths),
    index,
    async *chunks(wanted): AsyncIterable<RawChunk> {
      yield* (await source()).raw.chunks(wanted);
    },
    async *head(wanted, most): AsyncIterable<RawChunk> {
      const first = firstRows(index, wanted, Math.min(most, rows));
      if (first) yield first;
      else yield* (await source()).raw.head!(wanted, most);
    },
    notNumbers: async (some) => (await source()).raw.notNumbers!(some),
    close() {
      opened?.then(
        ({ raw }) => raw.close?.(),
        () => {},
      );
    },
  };
  return judgedTable(raw, { hints: settings, thorough: settings.thorough });
}

/** Undefined where the bytes make no sense, which is DuckDB's to say. */
function firstRows(index: ColumnIndex, wanted: readonly number[], rows: number): RawChunk | undefined {
  const reader = new ParquetColumns(index);
  try {
    const columns = wanted.map((c) => {
      const values = roomFor(index.columns[c]!.kind, rows);
      reader.read(c, values);
      return values;
    });
    return { rows, columns };
  } catch {
    return undefined;
  } finally {
    reader.close();
  }
}
