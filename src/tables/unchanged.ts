import { SparrowError } from "../errors.js";
import type { ApartTable } from "./parquet/columns/apart.js";
import { statsOf } from "./paths.js";
import type { Table } from "./table.js";

/**
 * The table that is opened, which fails where its files were written to since: rows may be missing, or be new. Opening
 * counts, because some files are copied or read as a whole then.
 */
export async function unchanged<T extends Table>(
  name: string,
  paths: readonly string[],
  open: () => Promise<T>,
): Promise<T> {
  const before = marks(paths);
  const check = (): void => {
    if (marks(paths) === before) return;
    throw new SparrowError(
      `${name} changed while it was being read; read it again when it is whole.`,
      "file",
    );
  };
  // Rows that make no sense may be halves of two.
  const blame = (error: unknown): never => {
    if (error instanceof SparrowError && ["format", "data"].includes(error.code)) check();
    throw error;
  };
  const table = await open().catch(blame);
  const chunks = table.chunks.bind(table) as (columns: readonly number[]) => AsyncIterable<never>;
  const apart = table.by === "columns" && (table as ApartTable).apart;
  return {
    ...table,
    ...(apart && {
      apart(columns: readonly number[]) {
        const found = apart(columns);
        return found && { ...found, check };
      },
    }),
    async *chunks(columns: readonly number[]) {
      try {
        yield* chunks(columns);
      } catch (error) {
        blame(error);
      }
      check();
    },
  };
}

/** What changes when a file does. */
function marks(paths: readonly string[]): string {
  return paths
    .map((path) => {
      const { size, mtimeMs, ino } = statsOf(path) ?? {};
      return `${size} ${mtimeMs} ${ino}`;
    })
    .join("\n");
}
