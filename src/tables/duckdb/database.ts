import type { DuckDBConnection } from "@duckdb/node-api";

/** A database in memory. DuckDB takes a fifth of a second to load, so only those who read or write tables wait. */
export async function database(options: Record<string, string> = {}): Promise<{
  readonly connection: DuckDBConnection;
  /** Another connection, for a query that runs at the same time. */
  connect(): Promise<DuckDBConnection>;
  close(): void;
}> {
  const { DuckDBInstance } = await import("@duckdb/node-api");
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
