/**
 * CSV, TSV, JSON lines and Parquet files as tables, through DuckDB. Names and paths are data: always quoted, never
 * executed. A CSV file is read once: only its first rows are looked at beforehand.
 */

import { availableParallelism } from "node:os";
import type { DuckDBConnection } from "@duckdb/node-api";
import { SparrowError } from "../../errors.js";
import { csvHeader } from "../duckdb/csv-header.js";
import { database } from "../duckdb/database.js";
import { sideBySide } from "../duckdb/side-by-side.js";
import { type StreamedChunk, streamed } from "../duckdb/stream.js";
import { Levels } from "../levels.js";
import type { Format } from "../open.js";
import { checkWhole } from "../packed/intact.js";
import { totalSize } from "../paths.js";
import { readError, refuseDuplicates } from "../read-errors.js";
import type { Chunk, ColumnKind, ColumnTable, TableColumn } from "../table.js";

/** A file's columns, and the SQL expression that reads it. */
interface Plan {
  readonly columns: readonly { readonly name: string; readonly type: string }[];
  readonly from: string;
  readonly rows?: number;
  /** A guess at the rows from the length of the first ones. */
  readonly estimate?: number;
}

export type DuckDBFormat = Exclude<Format, "libsvm" | "arrow" | "store">;

/** One table from files of one format with the same columns; `name` is for messages. */
export async function duckdbTable(
  paths: readonly string[],
  format: DuckDBFormat,
  name = paths.join(", "),
): Promise<ColumnTable> {
  const { connection, connect, close } = await database({ autoinstall_known_extensions: "false" });
  try {
    // Without these DuckDB does not count how far it is.
    await connection.run("SET enable_progress_bar = true; SET enable_progress_bar_print = false");
    const { columns: found, from, rows, estimate } = await plans[format](connection, paths, name);
    const levels = found.map((column) => new Levels(name, column.name));
    const columns = found.map((column, i) => tableColumn(column.name, column.type, levels[i]));
    if (rows === 0) throw new SparrowError(`${name} has a header but no rows of data.`);
    return {
      by: "columns",
      name,
      columns,
      ...(rows !== undefined && { rows }),
      bytes: totalSize(paths),
      async *chunks(wanted): AsyncIterable<Chunk> {
        const read = async function* (connection: DuckDBConnection, some: readonly number[]) {
          const expressions = some.map((i) => expression(columns[i], found[i].type));
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

/** Rows that are looked at to tell the types of columns; fewer when there are many columns. */
const SAMPLE_VALUES = 2_000_000;
const NULLS = "nullstr=['', 'NA', 'N/A', 'NULL', 'null']";

type Planner = (connection: DuckDBConnection, paths: readonly string[], name: string) => Promise<Plan>;

const delimited =
  (delimiters?: readonly string[]): Planner =>
  async (connection, paths, name) => {
    const header = await readHeader(connection, paths[0], delimiters);
    const { delimiter, names, bytesPerRow } = header;
    refuseDuplicates(names, name);
    for (const path of paths.slice(1)) {
      const other = await readHeader(connection, path, [delimiter]);
      if (other.names.join("\n") !== names.join("\n")) {
        throw new SparrowError(`${path} does not have the same columns as ${paths[0]}; all files must.`);
      }
    }
    const dialect = `header=true, delim=${literal(delimiter)}, quote='"', escape='"', ${NULLS}`;
    const sample = Math.max(1000, Math.min(20_480, Math.floor(SAMPLE_VALUES / names.length)));
    const types = await typesOf(
      connection,
      `read_csv(${literal(paths[0])}, ${dialect}, sample_size=${sample})`,
    ).catch(async (error: unknown) => {
      // The guess of the types fails without saying where. Reading everything as text does say.
      const texts = names.map((column) => `${literal(column)}: 'VARCHAR'`).join(", ");
      const last = identifier(names[names.length - 1]);
      await connection.run(
        `SELECT count(${last}) FROM read_csv(${literal(paths[0])}, auto_detect=false, ${dialect}, columns={${texts}})`,
      );
      throw error;
    });
    if (types.length !== names.length) {
      throw new SparrowError(
        `${name}: the header has ${names.length} columns but the rows have ${types.length}; check the first lines.`,
      );
    }
    const columns = names.map((column, i) => ({
      name: column,
      type: NUMERIC.test(types[i].type) ? "DOUBLE" : types[i].type,
    }));
    const list = columns.map((column) => `${literal(column.name)}: ${literal(column.type)}`).join(", ");
    // Long rows of numbers: the largest line that DuckDB takes by default is 2 MB, and wide tables go beyond.
    const limits = "max_line_size=67108864, buffer_size=134217728";
    const wide = names.length > 50_000 ? `, ${limits}` : "";
    const estimate = estimatedRows(paths, bytesPerRow);
    return {
      columns,
      ...(estimate !== undefined && { estimate }),
      from: `read_csv(${files(paths)}, auto_detect=false, ${dialect}, columns={${list}}${wide})`,
    };
  };

const plans: Record<DuckDBFormat, Planner> = {
  csv: delimited(),
  tsv: delimited(["\t"]),
  async jsonl(connection, paths) {
    const found = await typesOf(
      connection,
      `read_json(${files(paths)}, format='newline_delimited', records=true, sample_size=20480, map_inference_threshold=-1, field_appearance_threshold=0)`,
    );
    const columns = found.map(({ name, type }) => ({ name, type: NUMERIC.test(type) ? "DOUBLE" : type }));
    const list = columns.map((column) => `${literal(column.name)}: ${literal(column.type)}`).join(", ");
    return {
      columns,
      from: `read_json(${files(paths)}, format='newline_delimited', records=true, columns={${list}})`,
    };
  },
  async parquet(connection, paths) {
    const from = `read_parquet(${files(paths)})`;
    const columns = await typesOf(connection, from);
    const counted = await connection.runAndReadAll(`SELECT count(*) FROM ${from}`);
    return { columns, from, rows: Number(counted.getRows()[0][0]) };
  },
};

async function typesOf(connection: DuckDBConnection, from: string) {
  const described = await connection.runAndReadAll(`DESCRIBE SELECT * FROM ${from}`);
  return described.getRows().map(([name, type]) => ({ name: String(name), type: String(type) }));
}

/** Lines that a header may take up: names can hold line breaks. */
const HEADER_LINES = 16;

async function readHeader(connection: DuckDBConnection, path: string, delimiters?: readonly string[]) {
  // A separator that no text file holds gives whole lines, whatever the compression.
  const lines = await connection.runAndReadAll(
    `SELECT line FROM read_csv(${literal(path)}, auto_detect=false, header=false, delim=chr(1), quote='', escape='', columns={'line': 'VARCHAR'}, max_line_size=67108864, buffer_size=134217728) LIMIT ${HEADER_LINES}`,
  );
  const text = lines.getRows().map(([line]) => String(line ?? ""));
  if (text.length === 0) throw new SparrowError(`${path} is empty.`);
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

function numbersOf({ data, rows }: StreamedChunk, texts: readonly (Levels | undefined)[]): Chunk {
  const columns = texts.map((levels, i) => {
    const vector = data.getColumnVector(i);
    if (!levels) return (vector as unknown as { items: Float64Array }).items;
    const codes = new Float32Array(rows);
    for (let row = 0; row < codes.length; row++)
      codes[row] = levels.code(vector.getItem(row) as string | null);
    return codes;
  });
  return { rows, columns };
}

function files(paths: readonly string[]): string {
  return `[${paths.map(literal).join(", ")}]`;
}

export function literal(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

export function identifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

const NUMERIC =
  /^(TINYINT|SMALLINT|INTEGER|BIGINT|HUGEINT|UTINYINT|USMALLINT|UINTEGER|UBIGINT|UHUGEINT|FLOAT|DOUBLE|DECIMAL.*)$/;
const DATES = /^(DATE|TIMESTAMP.*)$/;

function tableColumn(name: string, type: string, levels: Levels): TableColumn {
  const kind: ColumnKind | undefined = NUMERIC.test(type)
    ? "number"
    : type === "BOOLEAN"
      ? "boolean"
      : DATES.test(type)
        ? "date"
        : type === "VARCHAR" || type.startsWith("ENUM") || type === "UUID"
          ? "text"
          : undefined;
  if (kind === undefined) {
    return {
      name,
      problem: type === "JSON" ? "values of different kinds" : `values of type ${type.toLowerCase()}`,
    };
  }
  return { name, kind, ...(kind === "text" && { levels: levels.names }) };
}

/** Missing values arrive as NaN: one comparison finds all there are. */
function expression({ name, kind }: TableColumn, type: string): string {
  const column = identifier(name);
  if (kind === "text") return `${column}::VARCHAR`;
  if (kind === "date") return `coalesce(epoch(${column}::TIMESTAMP) / 86400, 'nan'::DOUBLE)`;
  if (type === "FLOAT") return `coalesce(${column}, 'nan'::FLOAT)`;
  return `coalesce(${column}::DOUBLE, 'nan'::DOUBLE)`;
}
