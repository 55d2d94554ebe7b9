import { duckdbTable } from "../duckdb/duckdb-table.js";
import { NUMERIC, type Planner, typesOf } from "../duckdb/plan.js";
import { files, types } from "../duckdb/sql.js";
import type { Reader } from "../reader.js";

/** One object a line. */
export const jsonl: Reader = {
  name: "jsonl",
  endings: ["jsonl", "ndjson"],
  matches: (source) => !source.isFolder && /^\s*\{/.test(source.start()),
  open: (paths, settings) => duckdbTable(plan, paths, settings),
};

const plan: Planner = async (connection, paths, { keys = [] }) => {
  const lines = "format='newline_delimited', records=true";
  const found = await typesOf(
    connection,
    `read_json(${files(paths)}, ${lines}, sample_size=20480, map_inference_threshold=-1, field_appearance_threshold=0)`,
  );
  const columns = found.map(({ name, type }) => ({
    name,
    type: NUMERIC.test(type) && !keys.includes(name) ? "DOUBLE" : type,
  }));
  return { columns, from: `read_json(${files(paths)}, ${lines}, columns=${types(columns)})` };
};
