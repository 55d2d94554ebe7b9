import { SparrowError } from "../../errors.js";
import type { TableColumn } from "../table.js";

/**
 * Numbers that name things must be those that were written: beyond 2⁵³ two of them become one without a trace. Readers
 * that can do so hand such names over as they are written; this is for all others.
 */
export function refuseRounded(
  table: string,
  { name, kind = "number" }: Pick<TableColumn, "name" | "kind">,
  value: number,
  instead = "write them as texts",
): void {
  if (kind !== "number" || Math.abs(value) <= Number.MAX_SAFE_INTEGER) return;
  throw new SparrowError(
    `${table}: column "${name}" holds ${value}, and beyond ${Number.MAX_SAFE_INTEGER} numbers that differ may be the same: ${instead}, so that every digit counts.`,
    "data",
  );
}
