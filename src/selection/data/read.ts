/** From a table to a store: in memory where it fits, in a file where it does not. */

import { SparrowError } from "../../errors.js";
import { familyNamed, familyNames } from "../../families/register.js";
import type { Target } from "../../families/target.js";
import type { FitOptions } from "../../options/fit.js";
import { span } from "../../profile.js";
import type { ReadApart } from "../../store/build/apart/read-apart.js";
import { type ColumnStage, columnRows } from "../../store/build/column-rows.js";
import { entryRows } from "../../store/build/entry-rows.js";
import { layOut } from "../../store/build/lay-out.js";
import { placedStage } from "../../store/build/placed/placed-stage.js";
import { type ColumnSettings, readColumns } from "../../store/build/read-columns.js";
import { readEntries } from "../../store/build/read-entries.js";
import type { BlockRows, Imported } from "../../store/build/read-table.js";
import { memoryStage, type RowLayout } from "../../store/build/row-stage.js";
import { type Layout, layout } from "../../store/layout/layout.js";
import { type ApartRoom, type Disk, residentLimit, type Surroundings } from "../../store/open/room.js";
import type { Store } from "../../store/store.js";
import { checksummed, checksummedSparse } from "../../tables/checksum.js";
import { asideSentences, namesText } from "../../tables/judge/remarks.js";
import { columnsApart } from "../../tables/parquet/columns/apart.js";
import type { ColumnTable, EntryTable, Table } from "../../tables/table.js";
import { option } from "../../wording.js";
import { columnRoles } from "./columns.js";
import { readingProgress } from "./reading-progress.js";
import type { Screen } from "./screen.js";

export type ReadOptions = Pick<
  FitOptions,
  | "target"
  | "columns"
  | "exclude"
  | "always"
  | "missing"
  | "family"
  | "seed"
  | "memory"
  | "signal"
  | "onProgress"
>;

/** Holes that stay in the data are for those who can draw them: `fit`. */
export function refuseHoles({ missing }: Pick<ReadOptions, "missing">): void {
  if (missing !== "impute") return;
  throw new SparrowError(
    `${option("missing", "impute")} is for sparrow fit on the data themselves; use drop or mean here.`,
    "option",
  );
}

/** Holes are filled unless told otherwise; a NaN that a file can tell from a hole may be a failed computation. */
export async function refuseNotNumbers(table: Table, store: Store): Promise<void> {
  const { columns, missing } = store.record.encoding;
  if (missing !== "impute" || table.by === "entries" || !table.notNumbers) return;
  const used = new Set(columns.map(({ column }) => column));
  const positions = Array.from(table.columns.keys()).filter((c) => used.has(table.columns[c].name));
  const found = await table.notNumbers(positions);
  if (found.length === 0) return;
  store.close?.();
  const names = namesText(found.map((c) => table.columns[c].name));
  throw new SparrowError(
    `${table.name} holds NaN in ${names}; if that means a missing value, use ${option("missing", "impute")}, drop or mean, otherwise repair the data or leave the columns out with ${option("exclude")}.`,
    "data",
  );
}

/** A store, and what its target was judged to be. */
export interface OpenedStore {
  readonly store: Store;
  readonly target: Target;
  /** Some of the rows, where the store itself can be asked for sums but not be read. */
  readonly sample?: Sample;
}

/** Rows at hand, with their own screen: where a search walks, and what is shown of single rows. */
export interface Sample {
  readonly store: Store;
  readonly target: Target;
  readonly screen: Screen;
}

export async function readStore(
  table: Table,
  options: ReadOptions,
  blockRows: BlockRows,
  surroundings: Surroundings,
): Promise<OpenedStore> {
  const { disk, hands: _, ...threads } = surroundings;
  const memory = options.memory ?? disk?.memory ?? Number.POSITIVE_INFINITY;
  const scratch = threads.scratch * threads.threads;
  const plan = placedLayout(table, options, blockRows, memory);
  const apart = plan && (await readStraight(table, options, blockRows, plan, { ...surroundings, memory }));
  if (apart) return apart;
  const fits = plan && plan.bytes <= residentLimit(memory);
  const placed = fits ? await placedStage(plan, options.seed ?? 1, surroundings) : undefined;
  const reading = await readImported(table, options, blockRows, disk, memory, placed);
  try {
    const { imported } = reading;
    const { target, blocks } = imported;
    const adopted = await span("reading: shuffling", async () => placed?.adopt(imported));
    if (adopted) return { store: adopted, target };
    if (disk && (reading.spilled || blocks.layout.bytes > residentLimit(memory))) {
      return { store: await disk.keep(imported, { ...threads, memory }, options), target };
    }
    const store = await span("reading: shuffling", () => layOut(imported, threads.kernels, scratch));
    return { store, target };
  } finally {
    reading.close();
  }
}

/** Columns that lie apart, each read at once; undefined where rows have to come one after the other. */
async function readStraight(
  table: Table,
  options: ReadOptions,
  blockRows: BlockRows,
  plan: Layout,
  { disk, memory, ...room }: Surroundings & { readonly memory: number },
): Promise<OpenedStore | undefined> {
  if (!disk) return undefined;
  const { kernels } = room;
  const scratch = room.scratch * room.threads;
  const isLarge = plan.bytes > residentLimit(memory);
  const place = { ...room, disk, scratch, isLarge, memory };
  const read = await importedApart(table, options, blockRows, plan, place);
  if (!read) return undefined;
  const { imported, adopt, close } = read;
  try {
    const store = isLarge
      ? await disk.keep(imported, { ...room, memory }, options)
      : (adopt(imported) ?? (await layOut(imported, kernels, scratch)));
    return { store, target: imported.target };
  } finally {
    close();
  }
}

/** The same for those who keep it: columns wait in a file, in their final order. Whoever asks must close. */
export async function readKept(
  table: Table,
  options: ReadOptions,
  blockRows: BlockRows,
  room: { readonly disk: Disk; readonly kernels: Surroundings["kernels"]; readonly memory: number },
): Promise<{ imported: Imported; close(): void } | undefined> {
  const plan = placedLayout(table, options, blockRows, room.memory);
  return plan && importedApart(table, options, blockRows, plan, { ...room, scratch: 0, isLarge: true });
}

async function importedApart(
  table: Table,
  options: ReadOptions,
  blockRows: BlockRows,
  plan: Layout,
  { disk, memory, ...room }: ApartRoom & { readonly disk: Disk; readonly memory: number },
): Promise<Pick<ReadApart, "imported" | "adopt" | "close"> | undefined> {
  if (table.by === "entries") return undefined;
  const { predictors, target } = columnRoles(table, options);
  const columns = columnsApart(table, [...predictors, target]);
  if (columns?.index.rows !== plan.rows) return undefined;
  const settings = columnSettings(table, options, blockRows, memory);
  const read = await disk.apart(settings, columns, plan, room);
  return read && { ...read, imported: withChecksum(told(read.imported, table, options), read.checksum) };
}

/** Reads everything. Whoever asks must close, once the blocks have been laid out. */
export async function readImported(
  table: Table,
  options: ReadOptions,
  blockRows: BlockRows,
  disk: Disk | undefined,
  memory: number,
  given?: ColumnStage,
): Promise<{ imported: Imported; spilled: boolean; close(): void }> {
  const { seed = 1, family = "auto", signal } = options;
  const onProgress = readingProgress(options, table);
  const stageOf = <Chunk, Part>(rows: RowLayout<Chunk, Part>) =>
    disk ? disk.stage(rows, seed, residentLimit(memory)) : memoryStage(rows, seed);
  if (table.by === "entries") {
    const stage = stageOf(entryRows);
    const watched = checksummedSparse(table);
    return staged(stage, async () => {
      const choose = (columns: ColumnTable["columns"]) => entryPredictors(table, columns, options);
      const settings = { table: watched.table, choose, blockRows, seed, family, signal, onProgress };
      return withChecksum(await readEntries(settings, stage), watched.checksum());
    });
  }
  const settings = columnSettings(table, options, blockRows, memory);
  const stage = given ?? stageOf(columnRows(settings.predictors.length + 1));
  const watched = checksummed(table);
  return staged(stage, async () => {
    const imported = await readColumns({ ...settings, table: watched.table }, stage);
    return withChecksum(told(imported, table, options), watched.checksum());
  });
}

function columnSettings(
  table: ColumnTable,
  options: ReadOptions,
  blockRows: BlockRows,
  memory: number,
): ColumnSettings {
  const { predictors, target } = columnRoles(table, options);
  const { seed = 1, family = "auto", missing, signal } = options;
  const onProgress = readingProgress(options, table);
  return {
    table,
    predictors,
    target,
    seed,
    missing,
    family,
    signal,
    onProgress,
    blockRows: (rows, family) => boundedBlock(blockRows(rows, family), predictors.length + 1, memory),
  };
}

/** With what is to be said of the table and its columns. */
function told(imported: Imported, table: ColumnTable, options: ReadOptions): Imported {
  const { predictors, target, aside } = columnRoles(table, options);
  const { record } = imported;
  const notes = [
    ...asideSentences(aside.map((c) => table.columns[c])),
    ...(table.remarks?.([...predictors, target]) ?? []),
  ];
  return { ...imported, record: { ...record, notes: [...notes, ...record.notes] } };
}

/** Columns are known only when every row has been seen; the target is the label whatever the columns are. */
function entryPredictors(
  { name, target }: EntryTable,
  columns: ColumnTable["columns"],
  options: ReadOptions,
): readonly number[] {
  const roles = columnRoles({ name, columns }, options);
  if (options.target === target) return roles.predictors;
  throw new SparrowError(`The target of ${name} is "${target}", not "${options.target}".`, "column");
}

/** What was read through a stage, which is closed at once if reading fails. */
async function staged(
  stage: { readonly spilled: boolean; close(): void },
  read: () => Promise<Imported>,
): Promise<{ imported: Imported; spilled: boolean; close(): void }> {
  try {
    const imported = await read();
    return { imported, spilled: stage.spilled, close: () => stage.close() };
  } catch (error) {
    stage.close();
    throw error;
  }
}

/** Rows of a block of a store that is to be kept. */
export const importedBlock = (rows: number): number =>
  Math.max(1, Math.min(20_000, Math.max(500, Math.ceil(rows / 50))));

/** A block must fit into memory several times over, whatever the number of columns. */
export function boundedBlock(rows: number, columns: number, memory: number): number {
  return Math.min(rows, Math.max(16, Math.floor(memory / 8 / (4 * columns))));
}

/** Where numbers go whose rows are counted: they are read straight into their places. */
function placedLayout(
  table: Table,
  options: ReadOptions,
  blockRows: BlockRows,
  memory: number,
): Layout | undefined {
  if (table.by === "entries" || !table.rows) return undefined;
  const { predictors, target } = columnRoles(table, options);
  if ([...predictors, target].some((c) => table.columns[c].kind === "text")) return undefined;
  // Blocks may turn out to be of another size, once the target has been judged: then nothing is gained.
  const { family = "auto" } = options;
  const likely = familyNamed(family === "auto" ? familyNames[0] : family);
  const rows = boundedBlock(blockRows(table.rows, likely), predictors.length + 1, memory);
  return layout(table.rows, predictors.length, rows);
}

function withChecksum(imported: Imported, checksum: string): Imported {
  return { ...imported, record: { ...imported.record, checksum } };
}
