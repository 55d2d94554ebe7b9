/** Files with a header and a separator. They are read once: only the first rows are looked at beforehand. */

import type { DuckDBConnection } from "@duckdb/node-api";
import { SparrowError } from "../../errors.js";
import { totalSize } from "../paths.js";
import { refuseDuplicates } from "../read-errors.js";
import { csvHeader } from "./csv-header.js";
import { NUMERIC, type PlannedColumn, type Planner, typesOf } from "./plan.js";
import { files, identifier, literal, types } from "./sql.js";

/** Rows that are looked at to tell the types of columns; fewer when there are many columns. */
const SAMPLE_VALUES = 2_000_000;
const NULLS = "nullstr=['', 'NA', 'N/A', 'NULL', 'null']";

/** `delimiters` are those that may be; the header tells which it is. */
export const delimited =
  (delimiters?: readonly string[]): Planner =>
  async (connection, paths, { name, keys = [] }) => {
    const header = await readHeader(connection, paths[0], delimiters);
    const { delimiter, names, bytesPerRow } = header;
    refuseDuplicates(names, name);
    for (const path of paths.slice(1)) {
      const other = await readHeader(connection, path, [delimiter]);
      if (other.names.join("\n") !== names.join("\n")) {
        throw new SparrowError(
          `${path} does not have the same columns as ${paths[0]}; all files must.`,
          "format",
        );
      }
    }
    const dialect = `header=true, delim=${literal(delimiter)}, quote='"', escape='"', ${NULLS}`;
    const sample = Math.max(1000, Math.min(20_480, Math.floor(SAMPLE_VALUES / names.length)));
    const found = await typesOf(
      connection,
      `read_csv(${literal(paths[0])}, ${dialect}, sample_size=${sample})`,
    ).catch(async (error: unknown) => {
      // The guess of the types fails without saying where. Reading everything as text does say.
      const texts = types(names.map((column) => ({ name: column, type: "VARCHAR" })));
      const last = identifier(names[names.length - 1]);
      await connection.run(
        `SELECT count(${last}) FROM read_csv(${literal(paths[0])}, auto_detect=false, ${dialect}, columns=${texts})`,
      );
      throw error;
    });
    if (found.length !== names.length) {
      throw new SparrowError(
        `${name}: the header has ${names.length} columns but the rows have ${found.length}; check the first lines.`,
        "format",
      );
    }
    const columns = names.map((column, i): PlannedColumn => {
      // As it is written: 007 is not 7.
      if (keys.includes(column)) return { name: column, type: "VARCHAR", named: true };
      return { name: column, type: NUMERIC.test(found[i].type) ? "DOUBLE" : found[i].type };
    });
    // Long rows of numbers: the largest line that DuckDB takes by default is 2 MB, and wide tables go beyond.
    const limits = "max_line_size=67108864, buffer_size=134217728";
    const wide = names.length > 50_000 ? `, ${limits}` : "";
    const estimate = estimatedRows(paths, bytesPerRow);
    return {
      columns,
      ...(estimate !== undefined && { estimate }),
      from: `read_csv(${files(paths)}, auto_detect=false, ${dialect}, columns=${types(columns)}${wide})`,
    };
  };

/** Lines that a header may take up: names can hold line breaks. */
const HEADER_LINES = 16;

async function readHeader(connection: DuckDBConnection, path: string, delimiters?: readonly string[]) {
  // A separator that no text file holds gives whole lines, whatever the compression.
  const lines = await connection.runAndReadAll(
    `SELECT line FROM read_csv(${literal(path)}, auto_detect=false, header=false, delim=chr(1), quote='', escape='', columns={'line': 'VARCHAR'}, max_line_size=67108864, buffer_size=134217728) LIMIT ${HEADER_LINES}`,
  );
  const text = lines.getRows().map(([line]) => String(line ?? ""));
  if (text.length === 0) throw new SparrowError(`${path} is empty.`, "format");
  const { delimiter, names } = csvHeader(text.join("\n"), delimiters);
  const bytes = text.slice(1).reduce((sum, line) => sum + Buffer.byteLength(line) + 1, 0);
  return {
    delimiter,
    names: names.map((name, i) => (name === "" ? `column${i + 1}` : name)),
    bytesPerRow: text.length > 1 ? bytes / (text.length - 1) : 0,
  };
}

/** Packed files tell nothing. */
function estimatedRows(paths: readonly string[], bytesPerRow: number): number | undefined {
  if (bytesPerRow === 0 || paths.some((path) => /\.(gz|zst)$/i.test(path))) return undefined;
  return totalSize(paths) / bytesPerRow;
}
