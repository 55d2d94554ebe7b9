/**
 * From a table to the cross-products of each group in one aggregate query: the rows stay in DuckDB, which streams
 * the file; what comes out is as large as the groups are many.
 *
 * Threads add in any order, and sums of floating-point numbers depend on it in their last bits. So products are summed
 * as integers, in units of 2⁻⁶² of the largest that the columns allow: the same file gives the same numbers.
 */

import type { DuckDBConnection } from "@duckdb/node-api";
import { SparrowError } from "../../errors.js";
import { database } from "../../tables/duckdb/database.js";
import { readError } from "../../tables/read-errors.js";
import { type CrossProducts, emptyCrossProducts } from "../model/crossproducts.js";

export const INTERCEPT = "(intercept)";

export interface GroupedSettings {
  readonly target: string;
  readonly group: string;
  /** Columns of X after the intercept. */
  readonly columns: readonly string[];
  /** Memory that the database may use, such as "1GB"; beyond it, it works on disk. */
  readonly memory?: string;
}

export interface Grouped {
  readonly data: CrossProducts;
  readonly rows: number;
  /** What was left out, in sentences. */
  readonly warnings: readonly string[];
}

/** Runs `work` on a database of its own, in memory. */
export async function withDatabase<T>(
  memory: string | undefined,
  work: (connection: DuckDBConnection) => Promise<T>,
): Promise<T> {
  const { connection, close } = await database(memory ? { memory_limit: memory } : {});
  try {
    return await work(connection);
  } finally {
    close();
  }
}

/** Cross-products of [1, columns, target] by group, from a file of any kind that DuckDB reads. */
export function grouped(file: string, settings: GroupedSettings): Promise<Grouped> {
  return withDatabase(settings.memory, async (connection) => {
    const table = relation(file);
    const present = (await describe(connection, file, table)).map(([name]) => name);
    for (const name of [settings.target, settings.group, ...settings.columns]) {
      if (!present.includes(name)) {
        throw new SparrowError(`${file} has no column "${name}"; it has ${listed(present)}.`);
      }
    }
    const { warnings, largest } = await audit(connection, file, table, settings);
    const data = await aggregate(connection, table, { ...settings, largest });
    const rows = data.rows.reduce((sum, n) => sum + n, 0);
    if (rows === 0) {
      throw new SparrowError(
        `${file} has no row with a group, a target and every predictor: nothing to fit.`,
      );
    }
    return { data, rows, warnings };
  });
}

/** The columns of a file whose values are numbers as far as the database can see from a sample, and the others. */
export function columnKinds(file: string): Promise<{ numeric: string[]; other: string[] }> {
  return withDatabase(undefined, async (connection) => {
    const table = DELIMITED.test(file) ? `read_csv(${text(file)})` : text(file);
    const described = await describe(connection, file, table);
    // In a delimited file a boolean is the word yes or true, and everything is read as text.
    const numbers = DELIMITED.test(file) ? /INT|FLOAT|DOUBLE|DECIMAL/ : /INT|FLOAT|DOUBLE|DECIMAL|BOOLEAN/;
    const isNumber = ([, type]: readonly string[]): boolean => numbers.test(type);
    return {
      numeric: described.filter(isNumber).map(([name]) => name),
      other: described.filter((row) => !isNumber(row)).map(([name]) => name),
    };
  });
}

const DELIMITED = /\.(csv|tsv|txt|dat)(\.gz|\.zst)?$/i;

/** Everything as text from delimited files, so that one stray word is reported and not fatal in the middle. */
function relation(file: string): string {
  const missing = "['', 'NA', 'N/A', 'NULL', 'null', 'NaN', 'nan']";
  return DELIMITED.test(file)
    ? `read_csv(${text(file)}, all_varchar = true, header = true, nullstr = ${missing})`
    : text(file);
}

/** Names and types. */
async function describe(connection: DuckDBConnection, file: string, table: string): Promise<string[][]> {
  try {
    const query = `SELECT column_name, column_type FROM (DESCRIBE SELECT * FROM ${table})`;
    return (await connection.runAndReadAll(query)).getRows().map((row) => row.map(String));
  } catch (error) {
    throw readError(file, error);
  }
}

/** Counts what is missing, refuses text where numbers are needed, and finds the largest size in each column. */
async function audit(
  connection: DuckDBConnection,
  file: string,
  table: string,
  { target, group, columns }: GroupedSettings,
): Promise<{ warnings: string[]; largest: number[] }> {
  const numeric = [...columns, target];
  const counts = numeric.flatMap((name) => [
    `count(*) FILTER (${column(name)} IS NULL OR NOT isfinite(${number(name)}))`,
    `count(*) FILTER (${column(name)} IS NOT NULL AND ${number(name)} IS NULL)`,
    `max(abs(${number(name)})) FILTER (isfinite(${number(name)}))`,
  ]);
  const query = `SELECT count(*), count(*) FILTER (${column(group)} IS NULL), ${counts.join(", ")} FROM ${table}`;
  const [row] = (await connection.runAndReadAll(query)).getRows();
  const [rows, unlabelled, ...found] = row.map(Number);
  const warnings: string[] = [];
  if (unlabelled > 0) {
    if (unlabelled === rows)
      throw new SparrowError(`Column "${group}" of ${file} is empty: name another --group.`);
    warnings.push(`${unlabelled} of ${rows} rows have no value in "${group}" and were left out.`);
  }
  for (const [j, name] of numeric.entries()) {
    const [missing, words] = [found[3 * j], found[3 * j + 1]];
    if (words > 0) {
      const search = `SELECT place, value FROM (SELECT row_number() OVER () AS place, ${column(name)} AS value, ${number(name)} AS n FROM ${table}) WHERE value IS NOT NULL AND n IS NULL LIMIT 1`;
      const [[at, value]] = (await connection.runAndReadAll(search)).getRows();
      throw new SparrowError(
        `Column "${name}" of ${file} holds text in ${words} of ${rows} rows, first "${value}" in data row ${at}: correct it, or leave the column out.`,
      );
    }
    if (missing > 0)
      warnings.push(`${missing} of ${rows} rows have no number in "${name}" and were left out.`);
  }
  return { warnings, largest: numeric.map((_, j) => found[3 * j + 2]) };
}

/** `table` may be any relation with the group, the columns and the target by name. */
export async function aggregate(
  connection: DuckDBConnection,
  table: string,
  settings: GroupedSettings & {
    /** A bound on the sizes of the columns and, last, of the target. */
    readonly largest: readonly number[];
  },
): Promise<CrossProducts> {
  const { target, group, columns } = settings;
  const numeric = [...columns, target];
  const cast = numeric.map((name, j) => `${number(name)} AS c${j}`);
  const complete = numeric.map((_, j) => `isfinite(c${j})`);
  const exponent = settings.largest.map((size) => (size > 0 ? Math.floor(Math.log2(size)) + 1 : 0));
  const exactSum = (product: string, bits: number): string => {
    const units = (power: number): string => `${(2 ** power).toExponential(17)}::DOUBLE`;
    return `sum((${product} * ${units(62 - bits)})::BIGINT)::DOUBLE * ${units(bits - 62)}`;
  };
  // Row by row of the packed triangle of [1, columns, target]; its first element is the count.
  const sums = numeric.flatMap((_, j) => [
    exactSum(`c${j}`, exponent[j]),
    ...Array.from({ length: j + 1 }, (__, k) => exactSum(`c${j} * c${k}`, exponent[j] + exponent[k])),
  ]);
  const result = await connection.stream(
    `SELECT g, count(*)::DOUBLE, ${sums.join(", ")}
     FROM (SELECT ${column(group)}::VARCHAR AS g, ${cast.join(", ")} FROM ${table})
     WHERE g IS NOT NULL AND ${complete.join(" AND ")}
     GROUP BY g ORDER BY g`,
  );
  const groups: string[] = [];
  const chunks: number[][] = [];
  for (;;) {
    const chunk = await result.fetchChunk();
    if (!chunk || chunk.rowCount === 0) break;
    const [labels, ...numbers] = chunk.getColumns() as [string[], ...number[][]];
    for (const label of labels) groups.push(label);
    for (const [j, values] of numbers.entries()) {
      chunks[j] ??= [];
      for (const value of values) chunks[j].push(value);
    }
  }
  const data = emptyCrossProducts([INTERCEPT, ...columns], target, groups);
  for (const [j, values] of chunks.entries()) {
    for (const [i, value] of values.entries()) data.values[i * data.stride + j] = value;
  }
  data.rows.set(chunks[0] ?? []);
  return data;
}

export const text = (value: string): string => `'${value.replaceAll("'", "''")}'`;
const column = (name: string): string => `"${name.replaceAll('"', '""')}"`;
const number = (name: string): string => `TRY_CAST(${column(name)} AS DOUBLE)`;
const listed = (names: readonly string[]): string =>
  names.length > 12 ? `${names.slice(0, 12).join(", ")} and ${names.length - 12} more` : names.join(", ");
