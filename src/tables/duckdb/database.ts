import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DuckDBConnection } from "@duckdb/node-api";
import { needed } from "../needed.js";

/** A database in memory. DuckDB takes a fifth of a second to load, so only those who read or write tables wait. */
export async function database(options: Record<string, string> = {}): Promise<{
  readonly connection: DuckDBConnection;
  /** Another connection, for a query that runs at the same time. */
  connect(): Promise<DuckDBConnection>;
  close(): void;
}> {
  const { DuckDBInstance } = await needed(() => import("@duckdb/node-api"));
  const instance = await DuckDBInstance.create(":memory:", options);
  const connection = await instance.connect();
  return {
    connection,
    connect: () => instance.connect(),
    close() {
      connection.closeSync();
      instance.closeSync();
    },
  };
}

/** With less than this DuckDB cannot hold the 128 MiB in which it looks for the header of a file. */
const LEAST = 256e6;

/** Settings that keep DuckDB within so many bytes; beyond them it works in the folder of temporary files. */
export function limits(memory: number | undefined): Record<string, string> {
  if (memory === undefined) return {};
  return {
    memory_limit: `${Math.floor(Math.max(memory, LEAST) / 1e6)}MB`,
    temp_directory: join(tmpdir(), `sparrow-duckdb-${process.pid}`),
  };
}
