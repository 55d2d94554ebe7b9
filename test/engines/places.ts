/** The same table in every place that can be asked. */

import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { type Cluster, startCluster } from "../../scripts/cluster.js";
import { clickHouseDialect, clickHouseEngine } from "../../src/engines/clickhouse/clickhouse.js";
import { duckdbEngine } from "../../src/engines/duckdb.js";
import type { Engine } from "../../src/engines/engine.js";
import { temporaryFolder } from "../../src/files/temporary.js";
import { kernelMemory, wasmKernels } from "../../src/kernels/wasm.js";
import type { Environment } from "../../src/selection/environment.js";
import { arrayTable } from "../../src/tables/readers/arrays.js";
import { writeTable } from "../../src/tables/write.js";
import { localPool } from "../../src/workers/pool.js";
import type { Columns } from "./data.js";

export const here: Environment = {
  kernels: (bytes) => wasmKernels(kernelMemory(bytes, false)),
  pool: async (store) => localPool(store),
  threads: 1,
};

export const folder = temporaryFolder();

export async function parquetOf(columns: Columns, name: string): Promise<string> {
  const path = join(folder.path, `${name}.parquet`);
  if (existsSync(path)) rmSync(path);
  await writeTable(arrayTable(columns), path, {});
  return path;
}

export async function inDuckDB(columns: Columns, name: string): Promise<Engine> {
  const path = await parquetOf(columns, name);
  return duckdbEngine([path], { name });
}

let cluster: Promise<Cluster> | undefined;

/** One for all tests of a file. */
export function theCluster(): Promise<Cluster> {
  cluster ??= startCluster();
  return cluster;
}

export async function endCluster(): Promise<void> {
  await (await cluster)?.stop();
  cluster = undefined;
}

/** Statements that make a table of rows; `own` says which. */
export function valuesSql(
  columns: Columns,
  table: string,
  own: (row: number) => boolean = () => true,
): string[] {
  const { identifier, literal } = clickHouseDialect;
  const names = Object.keys(columns);
  const types = names.map((column) => {
    const values = columns[column];
    const type = values.some((value) => typeof value === "string") ? "String" : "Float64";
    return `${identifier(column)} ${values.includes(null) ? `Nullable(${type})` : type}`;
  });
  const value = (cell: number | string | null): string =>
    cell === null
      ? "NULL"
      : typeof cell === "string"
        ? literal(cell)
        : Number.isNaN(cell)
          ? "nan"
          : String(cell);
  const rows = Array.from(columns[names[0]].keys()).filter(own);
  const list = rows.map((i) => `(${names.map((column) => value(columns[column][i])).join(", ")})`);
  return [
    `CREATE TABLE ${table} (${types.join(", ")}) ENGINE = MergeTree ORDER BY tuple()`,
    ...(list.length > 0 ? [`INSERT INTO ${table} VALUES ${list.join(", ")}`] : []),
  ];
}

/** Rows go to the three servers in turn, and a table of tables lies over them. */
export async function onCluster(columns: Columns, name: string): Promise<string> {
  const { run, servers } = await theCluster();
  for (let s = 0; s < servers.length; s++)
    for (const sql of valuesSql(columns, `part_${name}`, (i) => i % servers.length === s)) await run(s, sql);
  await run(0, `CREATE TABLE ${name} AS part_${name} ENGINE = Distributed(three, default, part_${name})`);
  return `clickhouse://reader@127.0.0.1:${servers[0].port}/default/${name}`;
}

export async function inClickHouse(columns: Columns, name: string): Promise<Engine> {
  return clickHouseEngine(await onCluster(columns, name), { password: "sparrow" });
}
