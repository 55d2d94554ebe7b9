import type { Progress } from "../../options/fit.js";
import type { Table } from "../../tables/table.js";

/** Where the number of rows is not known, the share of the input that has been read tells how far we are. */
export function readingProgress(
  { onProgress }: { readonly onProgress?: ((progress: Progress) => void) | undefined },
  table: Table,
) {
  if (!onProgress) return undefined;
  const rows = table.by === "columns" ? table.rows : undefined;
  return (done: number, read?: number) => {
    const share = rows ? done / rows : read;
    const total = rows ?? (share ? Math.round(done / share) : 0);
    const bytes = table.bytes && share && { done: Math.round(share * table.bytes), total: table.bytes };
    onProgress({ stage: "read", done, total, ...(bytes && { bytes }) });
  };
}
