/**
 * Parquet files of many columns, in parts that are skipped where they are there already:
 * `node --import tsx bench/engines/make-parquet.ts FOLDER ROWS COLUMNS [parts at most]`.
 */

import { existsSync, mkdirSync, renameSync } from "node:fs";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { columnsSql } from "./data.js";

const [folder, rowsText, columnsText, mostText = "1000"] = process.argv.slice(2);
const [rows, columns, most] = [rowsText, columnsText, mostText].map(Number);
const PART = 50_000;

mkdirSync(folder, { recursive: true });
const instance = await DuckDBInstance.create(":memory:", { memory_limit: "3GB", threads: "2" });
const connection = await instance.connect();
await connection.run("SET preserve_insertion_order = true");
await connection.run("CREATE MACRO single(x) AS x::FLOAT");
const list = columnsSql(columns, (j) => `hash(i * 8192 + ${j})`, "single").join(", ");
let made = 0;
for (let from = 0; from < rows && made < most; from += PART) {
  const path = join(folder, `part-${String(from / PART).padStart(4, "0")}.parquet`);
  if (existsSync(path)) continue;
  const to = Math.min(rows, from + PART);
  await connection.run(
    `COPY (SELECT ${list} FROM range(${from}, ${to}) AS t(i)) TO '${path}.part' (FORMAT parquet, COMPRESSION uncompressed, ROW_GROUP_SIZE 10240)`,
  );
  renameSync(`${path}.part`, path);
  made += 1;
  console.log(path);
}
connection.closeSync();
