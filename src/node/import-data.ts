import { renameSync } from "node:fs";
import { join } from "node:path";
import { writing } from "../errors.js";
import { type Claim, checkSpace, claiming } from "../files/claim.js";
import { kernelMemory, wasmKernels } from "../kernels/wasm.js";
import type { ForFiles } from "../options/fit.js";
import { checkImport, type ImportOptions } from "../options/import.js";
import { spokenRecord } from "../report/spoken.js";
import { targetName } from "../selection/data/columns.js";
import { importedBlock, readImported, readKept } from "../selection/data/read.js";
import { disk, writeImported } from "../store/open/disk.js";
import type { StoreRecord } from "../store/store.js";
import type { Data } from "../tables/open.js";
import { readingOf } from "../tables/reading-asked.js";
import type { Spelling } from "../wording.js";
import type { JournalFile } from "./journal-file.js";
import { openingOf, withTable } from "./open.js";

/** What the store says of itself is kept in it, so it has to be spelt before it is written. */
export async function importData(
  data: Data,
  path: string,
  options: ForFiles<ImportOptions>,
  spelling: Spelling,
): Promise<StoreRecord> {
  checkImport(options);
  return claiming(path, {}, (claimed) => importTo(claimed, data, options, spelling));
}

/** The same for a place that is taken already; a large store can be finished by another process. */
export async function importTo(
  claimed: Claim,
  data: Data,
  options: ForFiles<ImportOptions>,
  spelling: Spelling,
  journal?: JournalFile,
): Promise<StoreRecord> {
  checkImport(options);
  const { path } = claimed;
  const settings = { ...readingOf(options), ...openingOf(options) };
  return withTable(data, settings, async (table) => {
    const memory = options.memory ?? disk.memory;
    const rowsOf = (rows: number) => options.blockRows ?? importedBlock(rows);
    const target = targetName(table, options.target);
    const asked = { ...options, target };
    const reading =
      (await readKept(table, asked, rowsOf, { disk, kernels, memory })) ??
      (await readImported(table, asked, rowsOf, disk, memory));
    try {
      const record = spokenRecord(reading.imported.record, spelling);
      const imported = { ...reading.imported, record };
      const { bytes } = imported.blocks.layout;
      checkSpace(path, bytes);
      const kept = journal && bytes >= WORTH_KEEPING * journal.interval ? journal : undefined;
      kept?.begin();
      const growing = kept?.begun ? join(kept.folder, "store") : claimed.partial;
      const attempt = <T>(action: () => T) => writing(path, action);
      await writeImported(imported, growing, options, attempt, kept?.begun ? kept.loop() : undefined);
      if (growing !== claimed.partial) attempt(() => renameSync(growing, claimed.partial));
      claimed.publish();
      return record;
    } finally {
      reading.close();
    }
  });
}

const kernels = (bytes: number) => wasmKernels(kernelMemory(bytes, false));

/** Bytes for a millisecond of work that may be lost: smaller stores are written faster than that. */
const WORTH_KEEPING = 25_000;
