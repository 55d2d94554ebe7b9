/** What a plan reads, as a table, through DuckDB. */

import { availableParallelism } from "node:os";
import type { DuckDBConnection } from "@duckdb/node-api";
import { SparrowError } from "../../errors.js";
import { Levels } from "../levels.js";
import { checkWhole } from "../packed/intact.js";
import { totalSize } from "../paths.js";
import { readError } from "../read-errors.js";
import type { ReaderSettings } from "../reader.js";
import type { Chunk, ColumnKind, ColumnTable, TableColumn } from "../table.js";
import { database } from "./database.js";
import { NUMERIC, type PlannedColumn, type Planner } from "./plan.js";
import { sideBySide } from "./side-by-side.js";
import { identifier } from "./sql.js";
import { type StreamedChunk, streamed } from "./stream.js";

export async function duckdbTable(
  planner: Planner,
  paths: readonly string[],
  settings: ReaderSettings,
): Promise<ColumnTable> {
  const { name, keys = [] } = settings;
  const { connection, connect, close } = await database({ paths, memory: settings.memory });
  try {
    const {
      columns: found,
      from,
      rows,
      estimate,
      target,
      group,
    } = await planner(connection, paths, settings);
    const isKey = found.map((column) => keys.includes(column.name));
    const levels = found.map((column, i) => new Levels(name, column.name, isKey[i]));
    const columns = found.map((column, i) => tableColumn(column, isKey[i], levels[i]));
    if (rows === 0) throw new SparrowError(`${name} has a header but no rows of data.`, "data");
    return {
      by: "columns",
      name,
      columns,
      ...(rows !== undefined && { rows }),
      ...(target !== undefined && { target }),
      ...(group !== undefined && { group }),
      bytes: totalSize(paths),
      async *chunks(wanted): AsyncIterable<Chunk> {
        const read = async function* (connection: DuckDBConnection, some: readonly number[]) {
          const expressions = some.map((i) => expression(columns[i], found[i]));
          const texts = some.map((i) => (columns[i].kind === "text" ? levels[i] : undefined));
          let done = 0;
          for await (const chunk of streamed(connection, { expressions, from, name, rows })) {
            done += chunk.rows;
            // DuckDB reads ahead of what it hands over, so its own share is the second choice.
            const share = estimate ? Math.min(0.99, done / estimate) : connection.progress.percentage / 100;
            yield { ...numbersOf(chunk, texts), ...(rows === undefined && share > 0 && { share }) };
          }
        };
        const groups = rows === undefined ? [wanted] : columnGroups(wanted);
        const others = await Promise.all(groups.slice(1).map(connect));
        const stop = new AbortController();
        const whole = checkWhole(paths, stop.signal);
        whole.catch(() => {});
        try {
          yield* sideBySide(groups.map((group, i) => read(i === 0 ? connection : others[i - 1], group)));
          await whole;
        } catch (error) {
          // Rows that end too early mean little where the file does.
          await whole;
          throw readError(name, error);
        } finally {
          stop.abort();
          for (const other of others) other.closeSync();
        }
      },
      async notNumbers(some) {
        const real = some.filter((i) => /^(FLOAT|DOUBLE)$/.test(found[i].type));
        if (real.length === 0) return [];
        const tests = real.map((i) => `bool_or(isnan(${identifier(found[i].name)}))`).join(", ");
        const answer = await connection.runAndReadAll(`SELECT ${tests} FROM ${from}`);
        return real.filter((_, k) => answer.getRows()[0][k] === true);
      },
      close,
    };
  } catch (error) {
    close();
    if (!(error instanceof SparrowError)) await checkWhole(paths);
    throw readError(name, error);
  }
}

/** Columns that are worth a query of their own. */
const GROUP_COLUMNS = 100;
/** Node runs this many calls of a library at a time unless told otherwise. */
const MOST_GROUPS = 4;

/**
 * DuckDB reads a Parquet file with one thread for each of its row groups, and often there is one only. Columns are
 * stored apart, so several queries at once share the work.
 */
function columnGroups(columns: readonly number[]): number[][] {
  const count = Math.min(
    MOST_GROUPS,
    availableParallelism(),
    Math.max(1, Math.floor(columns.length / GROUP_COLUMNS)),
  );
  const size = Math.ceil(columns.length / count);
  return Array.from({ length: count }, (_, i) => columns.slice(i * size, (i + 1) * size));
}

function numbersOf({ data, rows }: StreamedChunk, texts: readonly (Levels | undefined)[]): Chunk {
  const columns = texts.map((levels, i) => {
    const vector = data.getColumnVector(i);
    if (!levels) return (vector as unknown as { items: Float64Array }).items;
    const codes = new Float64Array(rows);
    for (let row = 0; row < rows; row++) codes[row] = levels.code(vector.getItem(row) as string | null);
    return codes;
  });
  return { rows, columns };
}

const DATES = /^(DATE|TIMESTAMP.*)$/;

/** Of numbers these name things well enough; of others the digits count. */
const EXACT = /^(TINYINT|SMALLINT|INTEGER|UTINYINT|USMALLINT|UINTEGER|FLOAT|DOUBLE)$/;

function tableColumn({ name, type }: PlannedColumn, isKey: boolean, levels: Levels): TableColumn {
  const kind = kindOf(type);
  if (kind === undefined) {
    return {
      name,
      problem: type === "JSON" ? "values of different kinds" : `values of type ${type.toLowerCase()}`,
    };
  }
  if (kind === "text" || (isKey && !EXACT.test(type))) return { name, kind: "text", levels: levels.names };
  return { name, kind };
}

function kindOf(type: string): ColumnKind | undefined {
  if (NUMERIC.test(type)) return "number";
  if (type === "BOOLEAN") return "boolean";
  if (DATES.test(type)) return "date";
  return type === "VARCHAR" || type.startsWith("ENUM") || type === "UUID" ? "text" : undefined;
}

/** Missing values arrive as NaN: one comparison finds all there are. */
function expression({ name, kind }: TableColumn, { type, named }: PlannedColumn): string {
  const column = identifier(name);
  // Numbers may be names, but NaN is none.
  if (named) return `nullif(nullif(${column}, 'NaN'), 'nan')`;
  if (kind === "text") return `${column}::VARCHAR`;
  if (kind === "date") return `coalesce(epoch(${column}::TIMESTAMP) / 86400, 'nan'::DOUBLE)`;
  if (type === "FLOAT") return `coalesce(${column}, 'nan'::FLOAT)`;
  return `coalesce(${column}::DOUBLE, 'nan'::DOUBLE)`;
}
