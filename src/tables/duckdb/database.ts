import { join, resolve } from "node:path";
import type { DuckDBConnection } from "@duckdb/node-api";
import { type TemporaryFolder, temporaryFolder } from "../../files/temporary.js";
import { span } from "../../profile.js";
import { duckdb } from "./package.js";
import { literal } from "./sql.js";

export interface DatabaseOptions {
  /** The only files that it may read or write; without them it may look for files, but fetch nothing. */
  readonly paths?: readonly string[];
  /** Bytes that everything may take up; DuckDB is given a share of them. */
  readonly memory?: number | undefined;
  /** How much of that is for the database; the rest is for whoever reads. */
  readonly share?: number;
}

/**
 * A database in memory, which can do nothing but what it is opened for: it loads and installs no extensions, opens no
 * other files, and nothing that it reads can change that. DuckDB takes a fifth of a second to load, so only those who
 * read or write tables wait.
 */
export async function database({ paths, memory, share = SHARE }: DatabaseOptions = {}): Promise<{
  readonly connection: DuckDBConnection;
  /** Another connection, for a query that runs at the same time. */
  connect(): Promise<DuckDBConnection>;
  close(): void;
}> {
  const { DuckDBInstance } = await span("loading DuckDB", duckdb);
  const folder = folderToSpill();
  const instance = await DuckDBInstance.create(":memory:", {
    autoinstall_known_extensions: "false",
    autoload_known_extensions: "false",
    allow_community_extensions: "false",
    allow_persistent_secrets: "false",
    // Files are read once: what was read need not be kept.
    enable_external_file_cache: "false",
    temp_directory: folder ? join(folder.path, "duckdb") : "",
    ...limits(memory, share),
  });
  const connection = await instance.connect();
  // Without the first two DuckDB does not count how far it is.
  await connection.run(
    `SET enable_progress_bar = true; SET enable_progress_bar_print = false;
     ${paths ? `SET allowed_paths = [${allowed(paths)}]; SET enable_external_access = false;` : ""}
     SET lock_configuration = true`,
  );
  return {
    connection,
    connect: () => instance.connect(),
    close() {
      connection.closeSync();
      instance.closeSync();
      folder?.remove();
    },
  };
}

/** As they are, and as they are spelt for readers that would expand patterns in them. */
function allowed(paths: readonly string[]): string {
  return paths
    .flatMap((path) => [path, resolve(path), path.replace(/[[*?]/g, "[$&]")])
    .map(literal)
    .join(", ");
}

/** Where there is no room for temporary files, what fits into memory is read all the same. */
function folderToSpill(): TemporaryFolder | undefined {
  try {
    return temporaryFolder();
  } catch {
    return undefined;
  }
}

/** With less than this DuckDB cannot hold the 128 MiB in which it looks for the header of a file. */
const LEAST = 256e6;
const SHARE = 0.25;

/** Settings that keep DuckDB within its share; beyond it, it works in the folder of temporary files. */
function limits(memory: number | undefined, share: number): Record<string, string> {
  return memory === undefined
    ? {}
    : { memory_limit: `${Math.floor(Math.max(share * memory, LEAST) / 1e6)}MB` };
}
