import { DRAW_INDEX, type DrawTable } from "../draws/posterior-draws.js";
import { SparrowError } from "../errors.js";
import type { StoredRun } from "../report/stored-run.js";
import { csvLines } from "../report/text/csv.js";
import { needed } from "../tables/needed.js";

/** The draws of a run as the bytes of a file; as Parquet they are those of `draws.parquet` in a run folder. */
export async function drawsFile(
  { draws }: Pick<StoredRun, "draws">,
  format: "arrow" | "parquet" | "csv",
): Promise<Uint8Array> {
  if (!draws) throw new SparrowError("This run has no draws.", "data");
  const { names, columns } = draws;
  const isWhole = (name: string) => (DRAW_INDEX as readonly string[]).includes(name);
  if (format === "csv") return new TextEncoder().encode(csvText(draws));
  if (format === "parquet") {
    const { parquetBytes } = await import("../tables/parquet/write-parquet.js");
    return parquetBytes(names.map((name, c) => ({ name, values: columns[c], isWhole: isWhole(name) })));
  }
  const { Table, tableToIPC, vectorFromArray } = await needed(() => import("apache-arrow"));
  const vectors = names.map((name, c) => [
    name,
    vectorFromArray(isWhole(name) ? Int32Array.from(columns[c]) : columns[c]),
  ]);
  return tableToIPC(new Table(Object.fromEntries(vectors)), "file");
}

function csvText({ names, columns }: DrawTable): string {
  const named = Object.fromEntries(names.map((name, c) => [name, columns[c]]));
  return [...csvLines(named, columns[0].length)].join("");
}
