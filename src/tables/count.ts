import type { ColumnTable } from "./table.js";

/** Rows of a table; where it does not know them itself, it is read for them. */
export async function countRows(table: ColumnTable): Promise<number> {
  if (table.rows !== undefined) return table.rows;
  let rows = 0;
  for await (const chunk of table.chunks([0])) rows += chunk.rows;
  return rows;
}
