import type { DuckDBConnection } from "@duckdb/node-api";

/** A database in memory. DuckDB takes a fifth of a second to load, so only those who read or write tables wait. */
export async function database(
  options: Record<string, string> = {},
): Promise<{ readonly connection: DuckDBConnection; close(): void }> {
  const { DuckDBInstance } = await import("@duckdb/node-api");
  const instance = await DuckDBInstance.create(":memory:", options);
  const connection = await instance.connect();
  return {
    connection,
    close() {
      connection.closeSync();
      instance.closeSync();
    },
  };
}
