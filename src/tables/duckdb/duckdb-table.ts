/** What a plan reads, as a table, through DuckDB. */

import { availableParallelism } from "node:os";
import type { DuckDBConnection } from "@duckdb/node-api";
import { SparrowError } from "../../errors.js";
import { columnHints, wantsWords } from "../judge/hints.js";
import { judgedTable } from "../judge/judged-table.js";
import type { RawChunk, RawColumn, RawTable, RawType } from "../judge/raw-table.js";
import { checkWhole } from "../packed/intact.js";
import { totalSize } from "../paths.js";
import { noRows, readError } from "../read-errors.js";
import type { ReaderSettings } from "../reader.js";
import type { ColumnTable } from "../table.js";
import { byGroups, columnsBySource, mostAtOnce } from "./by-groups.js";
import { database } from "./database.js";
import { NUMERIC, type Plan, type PlannedColumn, type Planner } from "./plan.js";
import { sideBySide } from "./side-by-side.js";
import { identifier } from "./sql.js";
import { type StreamedChunk, streamed } from "./stream.js";

export async function duckdbTable(
  planner: Planner,
  paths: readonly string[],
  settings: ReaderSettings,
  /** Lines above the first row, where there are lines. */
  above = 1,
): Promise<ColumnTable> {
  const { raw, explained } = await duckdbSource(planner, paths, settings, above);
  try {
    return await judgedTable(raw, { hints: settings, thorough: settings.thorough });
  } catch (error) {
    raw.close?.();
    throw await explained(error);
  }
}

export interface DuckDBSource {
  readonly raw: RawTable;
  /** What an error means that comes of looking at it. */
  explained(error: unknown): Promise<Error>;
}

/** The same before anybody has judged it. */
export async function duckdbSource(
  planner: Planner,
  paths: readonly string[],
  settings: ReaderSettings,
  above = 1,
): Promise<DuckDBSource> {
  const { connection, connect, close } = await database({ paths, memory: settings.memory });
  let plan: Plan | undefined;
  const failed = (error: unknown) =>
    readError(settings.name, error, {
      called: (own) => plan?.columns.find((column) => column.own === own)?.name ?? own,
      above,
    });
  const explained = async (error: unknown) => {
    // Of a packed file that was cut anything may be wrong.
    if (!(error instanceof SparrowError) || error.code === "format") await checkWhole(paths);
    return failed(error);
  };
  try {
    plan = await planner(connection, paths, settings);
    if (plan.rows === 0) throw noRows(settings.name);
    return { raw: rawTable(plan, paths, settings, { connection, connect, close, failed }), explained };
  } catch (error) {
    close();
    throw await explained(error);
  }
}

interface Access {
  readonly connection: DuckDBConnection;
  connect(): Promise<DuckDBConnection>;
  close(): void;
  failed(error: unknown): Error;
}

function rawTable(plan: Plan, paths: readonly string[], settings: ReaderSettings, access: Access): RawTable {
  const { from, rows, estimate, target, group, delimiter, notes } = plan;
  const { name } = settings;
  const { connection, connect, close, failed } = access;
  const names = plan.columns.map((column) => column.name);
  const hints = columnHints(names, settings, name);
  const columns = plan.columns.map((column, i) => rawColumn(column, wantsWords(hints[i])));
  const expressions = (some: readonly number[]) =>
    some.map((i) => expression(columns[i].type, plan.columns[i]));
  const rawChunk = (chunk: StreamedChunk, some: readonly number[]) =>
    valuesOf(
      chunk,
      some.map((i) => columns[i].type),
    );
  /** Rows are counted where columns lie apart, so that some of them are less work than all. */
  const isGrouped = (some: readonly number[]) =>
    rows !== undefined && (some.length > mostAtOnce(settings.memory) || plan.columns[0].from !== undefined);
  const sourceOf = (column: number) => plan.columns[column].from;
  const grouped = (wanted: readonly number[], count: number) =>
    byGroups({
      rows: count,
      columns: wanted,
      sourceOf,
      room: Math.max(LEAST_ROOM, SHARE * (settings.memory ?? MOST_ROOM / SHARE)),
      async *read(some, first, portion) {
        const part = `${sourceOf(some[0]) ?? from} LIMIT ${portion} OFFSET ${first}`;
        const asked = { expressions: expressions(some), from: part, name, rows: portion };
        // A connection that is closed gives up what its results hold.
        const own = await connect();
        try {
          for await (const chunk of streamed(own, asked)) yield rawChunk(chunk, some);
        } finally {
          own.closeSync();
        }
      },
    });
  return {
    name,
    columns,
    bytes: plan.bytes ?? totalSize(paths),
    delimiter,
    notes,
    ...(rows !== undefined && { rows }),
    ...(target !== undefined && { target }),
    ...(group !== undefined && { group }),
    async *head(some, most) {
      if (isGrouped(some)) {
        yield* grouped(some, Math.min(most, rows!));
        return;
      }
      const list = expressions(some).join(", ");
      const result = await connection.run(`SELECT ${list} FROM ${from} LIMIT ${most}`);
      for (const data of await result.fetchAllChunks()) {
        if (data.rowCount > 0) yield rawChunk({ data, rows: data.rowCount }, some);
      }
    },
    async *chunks(wanted): AsyncIterable<RawChunk> {
      const read = async function* (connection: DuckDBConnection, some: readonly number[]) {
        let done = 0;
        for await (const chunk of streamed(connection, {
          expressions: expressions(some),
          from,
          name,
          rows,
        })) {
          done += chunk.rows;
          // DuckDB reads ahead of what it hands over, so its own share is the second choice.
          const share = estimate ? Math.min(0.99, done / estimate) : connection.progress.percentage / 100;
          yield { ...rawChunk(chunk, some), ...(rows === undefined && share > 0 && { share }) };
        }
      };
      const groups = rows === undefined || isGrouped(wanted) ? [wanted] : columnGroups(wanted);
      const others = await Promise.all(groups.slice(1).map(connect));
      const stop = new AbortController();
      const whole = checkWhole(paths, stop.signal);
      whole.catch(() => {});
      try {
        if (isGrouped(wanted)) yield* grouped(wanted, rows!);
        else yield* sideBySide(groups.map((group, i) => read(i === 0 ? connection : others[i - 1], group)));
        await whole;
      } catch (error) {
        // Rows that end too early mean little where the file does.
        await whole;
        throw failed(error);
      } finally {
        stop.abort();
        for (const other of others) other.closeSync();
      }
    },
    notNumbers: (some) => notNumbers(connection, plan, some),
    index: plan.index,
    close,
  };
}

/** Those of some columns that hold NaN, which is not the same as missing. */
async function notNumbers(
  connection: DuckDBConnection,
  plan: Plan,
  some: readonly number[],
): Promise<number[]> {
  const real = some.filter((i) => /^(FLOAT|DOUBLE)$/.test(plan.columns[i].type));
  const found: number[] = [];
  for (const places of columnsBySource(real, (i) => plan.columns[i].from)) {
    const part = places.map((place) => real[place]);
    const tests = part.map((i) => `bool_or(isnan(${ownName(plan.columns[i])}))`).join(", ");
    const asked = `SELECT ${tests} FROM ${plan.columns[part[0]].from ?? plan.from}`;
    const [answer] = (await connection.runAndReadAll(asked)).getRows();
    found.push(...part.filter((_, k) => answer[k] === true));
  }
  return found;
}

/** Of the memory, for rows of very many columns that wait for their last ones. */
const SHARE = 0.125;
const [LEAST_ROOM, MOST_ROOM] = [32e6, 256e6];

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

function valuesOf({ data, rows }: StreamedChunk, types: readonly RawType[]): RawChunk {
  const columns = types.map((type, i) => {
    const vector = data.getColumnVector(i);
    if (type !== "cells" && type !== "words") return (vector as unknown as { items: Float64Array }).items;
    return Array.from({ length: rows }, (_, row) => vector.getItem(row) as string | null);
  });
  return { rows, columns };
}

const DATES = /^(DATE|TIMESTAMP.*)$/;
const WHOLE = /INT(EGER)?$/;
/** Of numbers these name things well enough; of others the digits count. */
const EXACT = /^(TINYINT|SMALLINT|INTEGER|UTINYINT|USMALLINT|UINTEGER|FLOAT|DOUBLE)$/;

export function rawColumn({ name, type, raw }: PlannedColumn, isWords: boolean): RawColumn {
  const own = raw ?? typeOf(type);
  if (own === undefined) {
    return { name, type: "words", problem: `values of type ${type.toLowerCase()}` };
  }
  return { name, type: isWords && NUMERIC.test(type) && !EXACT.test(type) ? "words" : own };
}

function typeOf(type: string): RawType | undefined {
  if (NUMERIC.test(type)) return WHOLE.test(type) ? "integer" : "number";
  if (type === "BOOLEAN") return "boolean";
  if (type === "TIME") return "number";
  if (DATES.test(type)) return "date";
  if (type === "VARCHAR") return "cells";
  return type.startsWith("ENUM") || type === "UUID" ? "words" : undefined;
}

export function ownName({ name, own = name }: PlannedColumn): string {
  return identifier(own);
}

/** Missing values arrive as NaN: one comparison finds all there are. Nothing here depends on where the machine is. */
function expression(raw: RawType, planned: PlannedColumn): string {
  const { type } = planned;
  const column = ownName(planned);
  if (raw === "cells" || raw === "words") return type === "VARCHAR" ? column : `${column}::VARCHAR`;
  if (raw === "date") {
    const moment = type === "TIMESTAMP WITH TIME ZONE" ? column : `${column}::TIMESTAMP`;
    return `coalesce(epoch(${moment}) / 86400, 'nan'::DOUBLE)`;
  }
  if (type === "TIME") return `coalesce(epoch(${column}) / 3600, 'nan'::DOUBLE)`;
  if (type === "FLOAT") return `coalesce(${column}, 'nan'::FLOAT)`;
  return `coalesce(${column}::DOUBLE, 'nan'::DOUBLE)`;
}
