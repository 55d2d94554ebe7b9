/**
 * Files with a separator. They are read once: only the first rows are looked at beforehand. Columns of plain numbers
 * are DuckDB's to read; the cells of all others come as they are written, and are judged like any cells.
 */

import type { DuckDBConnection } from "@duckdb/node-api";
import { SparrowError } from "../../errors.js";
import { columnHints, wantsWords } from "../judge/hints.js";
import { totalSize } from "../paths.js";
import { refuseDuplicates } from "../read-errors.js";
import { HEADER_LINES, type Header, headerOf, MISSING_CELLS } from "./csv-header.js";
import { type Dialect, dialectOf } from "./dialect.js";
import { NUMERIC, type PlannedColumn, type Planner, typesOf } from "./plan.js";
import { file, files, identifier, literal, types } from "./sql.js";

/** Rows that are looked at to tell the types of columns; fewer when there are many columns. */
const SAMPLE_VALUES = 2_000_000;
const NULLS = `nullstr=[${MISSING_CELLS.map(literal).join(", ")}]`;

/** `delimiters` are those that may be; the header tells which it is. */
export const delimited =
  (delimiters?: readonly string[]): Planner =>
  async (connection, paths, settings) => {
    const { name } = settings;
    const asked = dialectOf(settings, delimiters);
    const header = await readHeader(connection, paths[0], asked);
    const { delimiter, names, bytesPerRow, notes, skipped } = header;
    refuseDuplicates(names, name);
    await checkSame(connection, paths, names, { ...asked, delimiters: [delimiter] });
    // By position: DuckDB takes names for the same that differ only in case.
    const own = names.map((_, i) => `c${i}`);
    const dialect = `skip=${skipped}, header=${!asked.noHeader}, delim=${literal(delimiter)}, quote=${literal(asked.quote)}, escape=${literal(asked.quote)}, ${NULLS}, hive_partitioning=false`;
    const from = (whose: string, columns: readonly { name: string; type: string }[], more = "") =>
      `read_csv(${whose}, auto_detect=false, ${dialect}, columns=${types(columns)}${more})`;
    const texts = own.map((column) => ({ name: column, type: "VARCHAR" }));
    const sample = Math.max(1000, Math.min(20_480, Math.floor(SAMPLE_VALUES / names.length)));
    const found = await typesOf(
      connection,
      `read_csv(${file(paths[0])}, ${dialect}, names=[${own.map(literal).join(", ")}], sample_size=${sample})`,
    ).catch(async (error: unknown) => {
      // The guess of the types fails without saying where. Reading everything as text does say.
      const last = identifier(own[own.length - 1]);
      await connection.run(`SELECT count(${last}) FROM ${from(file(paths[0]), texts)}`);
      throw error;
    });
    if (found.length !== names.length) {
      throw new SparrowError(
        `${name}: the header has ${names.length} columns but the rows have ${found.length}; check the first lines.`,
        "format",
      );
    }
    const hints = columnHints(names, settings, name);
    const isPlain = found.map(({ type }, i) => {
      const { reading } = hints[i];
      return (
        NUMERIC.test(type) && !wantsWords(hints[i]) && (reading === undefined || reading.as === "number")
      );
    });
    if (
      settings.decimal === "," ||
      (delimiter !== "," && (await hasCommas(connection, from(file(paths[0]), texts), found)))
    ) {
      // Where commas are decimal, 1.234 may be a thousand.
      found.forEach(({ type }, i) => {
        if (!/INT$/.test(type)) isPlain[i] = false;
      });
    }
    if (settings.thorough) await findWords(connection, from(files(paths), texts), isPlain);
    const columns = names.map(
      (column, i): PlannedColumn => ({
        name: column,
        own: own[i],
        type: isPlain[i] ? "DOUBLE" : "VARCHAR",
        raw: !isPlain[i] ? "cells" : /INT$/.test(found[i].type) ? "integer" : "number",
      }),
    );
    // Long rows of numbers: the largest line that DuckDB takes by default is 2 MB, and wide tables go beyond.
    const limits = "max_line_size=67108864, buffer_size=134217728";
    const wide = names.length > 50_000 ? `, ${limits}` : "";
    const estimate = estimatedRows(paths, bytesPerRow);
    const read = columns.map(({ type }, i) => ({ name: own[i], type }));
    return {
      columns,
      delimiter,
      notes,
      ...(estimate !== undefined && { estimate }),
      from: from(files(paths), read, wide),
    };
  };

/** All files must have the columns of the first one. */
async function checkSame(
  connection: DuckDBConnection,
  paths: readonly string[],
  names: readonly string[],
  asked: Dialect,
): Promise<void> {
  for (const path of paths.slice(1)) {
    const other = await readHeader(connection, path, asked);
    if (other.names.join("\n") === names.join("\n")) continue;
    throw new SparrowError(
      `${path} does not have the same columns as ${paths[0]}; all files must.`,
      "format",
    );
  }
}

/** Rows in which decimal commas are looked for. */
const COMMA_ROWS = 2000;

/** Whether columns of text hold numbers with commas in them. */
async function hasCommas(
  connection: DuckDBConnection,
  from: string,
  found: readonly { readonly type: string }[],
): Promise<boolean> {
  const texts = found.flatMap(({ type }, i) => (type === "VARCHAR" ? [`c${i}`] : []));
  if (texts.length === 0) return false;
  const tests = texts.map(
    (column) => `coalesce(bool_or(regexp_matches(${column}, '^[^a-zA-Z0-9]*[0-9.]*,[0-9]')), false)`,
  );
  const answer = await connection.runAndReadAll(
    `SELECT ${tests.join(" OR ")} FROM (SELECT ${texts.join(", ")} FROM ${from} LIMIT ${COMMA_ROWS})`,
  );
  return answer.getRows()[0][0] === true;
}

/** Takes the columns out of `isPlain` that hold something else than numbers in any row. */
async function findWords(connection: DuckDBConnection, from: string, isPlain: boolean[]): Promise<void> {
  const numbers = [...isPlain.keys()].filter((i) => isPlain[i]);
  if (numbers.length === 0) return;
  const tests = numbers.map((i) => `bool_or(c${i} IS NOT NULL AND try_cast(c${i} AS DOUBLE) IS NULL)`);
  const answer = await connection.runAndReadAll(`SELECT ${tests.join(", ")} FROM ${from}`);
  numbers.forEach((i, k) => {
    if (answer.getRows()[0][k] === true) isPlain[i] = false;
  });
}

async function readHeader(connection: DuckDBConnection, path: string, asked: Dialect): Promise<Header> {
  // A separator that no text file holds gives whole lines, whatever the compression.
  const lines = await connection.runAndReadAll(
    `SELECT line FROM read_csv(${file(path)}, auto_detect=false, header=false, delim=chr(1), quote='', escape='', columns={'line': 'VARCHAR'}, max_line_size=67108864, buffer_size=134217728, hive_partitioning=false) LIMIT ${HEADER_LINES}`,
  );
  return headerOf(
    lines.getRows().map(([line]) => String(line ?? "")),
    path,
    asked,
  );
}

/** Packed files tell nothing. */
function estimatedRows(paths: readonly string[], bytesPerRow: number): number | undefined {
  if (bytesPerRow === 0 || paths.some((path) => /\.(gz|zst)$/i.test(path))) return undefined;
  return totalSize(paths) / bytesPerRow;
}
