import { duckdbTable } from "../duckdb/duckdb-table.js";
import { type Planner, typesOf } from "../duckdb/plan.js";
import { files } from "../duckdb/sql.js";
import type { Reader } from "../reader.js";

export const parquet: Reader = {
  name: "parquet",
  endings: ["parquet", "pq"],
  matches: (source) => !source.isFolder && source.start().startsWith("PAR1"),
  open: (paths, settings) => duckdbTable(plan, paths, settings),
};

const plan: Planner = async (connection, paths) => {
  const from = `read_parquet(${files(paths)})`;
  const columns = await typesOf(connection, from);
  const counted = await connection.runAndReadAll(`SELECT count(*) FROM ${from}`);
  return { columns, from, rows: Number(counted.getRows()[0][0]) };
};
