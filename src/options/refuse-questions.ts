import { SparrowError } from "../errors.js";
import { option } from "../wording.js";
import type { FitOptions } from "./fit.js";

/** Rows that are read are not asked. */
export function refuseQuestions(options: Pick<FitOptions, "engine" | "where" | "query">): void {
  const given = (["engine", "where", "query"] as const).find((name) => options[name] !== undefined);
  if (given === undefined) return;
  throw new SparrowError(
    `${option(given)} is for data that are asked where they lie: Parquet files with ${option("engine", "duckdb")}, or a table in ClickHouse.`,
    "option",
  );
}
