import { SparrowError } from "../errors.js";
import { statsOf } from "./paths.js";
import type { Table } from "./table.js";

/** The same table, which fails where its files were written to while they were read: rows may be missing, or be new. */
export function unchanged<T extends Table>(paths: readonly string[], table: T): T {
  const before = marks(paths);
  const chunks = table.chunks.bind(table) as (columns: readonly number[]) => AsyncIterable<never>;
  return {
    ...table,
    async *chunks(columns: readonly number[]) {
      yield* chunks(columns);
      if (marks(paths) === before) return;
      throw new SparrowError(
        `${table.name} changed while it was being read; read it again when it is whole.`,
        "file",
      );
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
