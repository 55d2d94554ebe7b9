import type { DuckDBConnection } from "@duckdb/node-api";
import { SparrowError } from "../../errors.js";
import { mostAtOnce } from "../duckdb/by-groups.js";
import { type DuckDBSource, duckdbSource } from "../duckdb/duckdb-table.js";
import { type PlannedColumn, type Planner, typesOf } from "../duckdb/plan.js";
import { files } from "../duckdb/sql.js";
import { judgedTable } from "../judge/judged-table.js";
import { overCopies } from "../packed/over-copies.js";
import { unpackedCopies } from "../packed/unpacked-copies.js";
import { type ColumnIndex, columnIndex } from "../parquet/columns/column-index.js";
import { needsNoDuckDB, numbersTable } from "../parquet/columns/numbers-table.js";
import { type NarrowFiles, narrowFiles } from "../parquet/narrow-files.js";
import { totalSize } from "../paths.js";
import { refuseDuplicates } from "../read-errors.js";
import type { Reader, ReaderSettings } from "../reader.js";
import { kinds } from "./kinds.js";

export const parquet: Reader = {
  ...kinds.parquet,
  open: (paths, settings) =>
    unpackedCopies(paths, settings, async (plain) => {
      const index = columnIndex(plain);
      if (index && needsNoDuckDB(index, settings))
        return numbersTable(index, plain, settings, () => parquetSource(plain, settings, index));
      const { raw, explained } = await parquetSource(plain, settings, index);
      try {
        return await judgedTable(raw, { hints: settings, thorough: settings.thorough });
      } catch (error) {
        raw.close?.();
        throw await explained(error);
      }
    }),
};

/** Of very many columns, some are read from copies of some of them each. */
async function parquetSource(
  paths: readonly string[],
  settings: ReaderSettings,
  index: ColumnIndex | undefined,
): Promise<DuckDBSource> {
  const narrow = narrowFiles(paths, { beyond: mostAtOnce(settings.memory) });
  if (narrow) return narrowSource(narrow, paths, settings, index);
  const plan: Planner = async (...asked) => ({ ...(await planParquet(...asked)), index });
  return duckdbSource(plan, paths, settings);
}

export async function narrowSource(
  { groups, remove }: NarrowFiles,
  paths: readonly string[],
  settings: ReaderSettings,
  index?: ColumnIndex,
): Promise<DuckDBSource> {
  const plan: Planner = async (connection) => {
    const columns: PlannedColumn[] = [];
    for (const { names, paths: copies } of groups) {
      const from = readParquet(copies);
      const found = await typesOf(connection, from);
      columns.push(...found.map(({ name: own, type }, i) => ({ name: names[i], own, type, from })));
    }
    const from = readParquet(groups[0].paths);
    const counted = await connection.runAndReadAll(`SELECT count(*) FROM ${from}`);
    return { columns, from, rows: Number(counted.getRows()[0][0]), bytes: totalSize(paths), index };
  };
  const all = groups.flatMap(({ paths: copies }) => copies);
  try {
    const { raw, explained } = await duckdbSource(plan, all, settings);
    return { raw: await overCopies(remove, async () => raw), explained };
  } catch (error) {
    remove();
    throw error;
  }
}

export const planParquet: Planner = async (connection, paths, { name }) => {
  const from = readParquet(paths);
  const found = await typesOf(connection, from);
  const names = await ownNames(connection, paths[0]);
  refuseDuplicates(names, name);
  const columns = found.map(({ name: own, type }, i) => ({ name: names[i] ?? own, own, type }));
  await checkSame(connection, paths, names);
  const counted = await connection.runAndReadAll(`SELECT count(*) FROM ${from}`);
  return { columns, from, rows: Number(counted.getRows()[0][0]) };
};

/** As the file has them: DuckDB gives the second of two that differ only in case another name. */
async function ownNames(connection: DuckDBConnection, path: string): Promise<string[]> {
  const schema = await connection.runAndReadAll(
    `SELECT name, num_children FROM parquet_schema(${files([path])})`,
  );
  const parts = schema
    .getRows()
    .map(([name, children]) => ({ name: String(name), children: Number(children ?? 0) }));
  const names: string[] = [];
  for (let at = 1; at < parts.length; at = afterPart(parts, at)) names.push(parts[at].name);
  return names;
}

/** Where the part ends that begins here, with all that is in it. */
function afterPart(parts: readonly { readonly children: number }[], at: number): number {
  let next = at + 1;
  for (let child = 0; child < parts[at].children; child++) next = afterPart(parts, next);
  return next;
}

/** As SQL; settings of DuckDB's reader may be added. */
export function readParquet(paths: readonly string[], ...settings: readonly string[]): string {
  return `read_parquet(${[files(paths), "hive_partitioning=false", ...settings].join(", ")})`;
}

/** Columns that only some of the files have would be left out, or be missing, without a word. */
async function checkSame(
  connection: DuckDBConnection,
  paths: readonly string[],
  names: readonly string[],
): Promise<void> {
  const first = [...names].sort().join("\n");
  for (const path of paths.slice(1)) {
    if ([...(await ownNames(connection, path))].sort().join("\n") === first) continue;
    throw new SparrowError(
      `${path} does not have the same columns as ${paths[0]}; all files must.`,
      "format",
    );
  }
}
