/** `sparrow-bayes/node`: files and threads. */

import { existsSync } from "node:fs";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { SparrowError } from "./errors.js";
import { kernelMemory, wasmKernels } from "./kernels/wasm.js";
import type { MixedFit } from "./mixed/fit.js";
import { mixedTable } from "./mixed/mixed-table.js";
import type { MixedOptions } from "./mixed/options.js";
import type { CompareOptions } from "./options/compare.js";
import type { FitOptions } from "./options/fit.js";
import { checkImport, type ImportOptions } from "./options/import.js";
import { checkPredict, type PredictOptions } from "./options/predict.js";
import { compareTable } from "./peers/compare.js";
import type { Comparison } from "./peers/comparison.js";
import { type Predictions, predictTable } from "./prediction/predict.js";
import type { Predictor } from "./prediction/predictor.js";
import { readPredictor } from "./prediction/read-predictor.js";
import { spokenComparison, spokenMixed, spokenRecord, spokenRun } from "./report/spoken.js";
import type { FitResult } from "./selection/answer/result.js";
import { alwaysVariables, targetName } from "./selection/data/columns.js";
import { type OpenedStore, type ReadOptions, readImported } from "./selection/data/read.js";
import { targetOf } from "./selection/data/target.js";
import type { Environment } from "./selection/environment.js";
import { fitStore } from "./selection/fit.js";
import { runTable } from "./selection/fit-table.js";
import type { Run } from "./selection/run.js";
import { disk, openStoreFile, writeImported } from "./store/open/disk.js";
import { loadStore, readStoreFile, type StoreFile } from "./store/open/load.js";
import { onlyStore, storeReader } from "./store/open/reader.js";
import { residentLimit, type Surroundings } from "./store/open/room.js";
import { shuffledTable } from "./store/open/shuffled-table.js";
import { unpackingRoom } from "./store/open/unpacking.js";
import type { StoreRecord } from "./store/store.js";
import type { DataInMemory } from "./tables/in-memory.js";
import {
  type Data,
  type DataInFiles,
  isInFiles,
  locate,
  type OpenSettings,
  openLocated,
  open as openTable,
} from "./tables/open.js";
import type { Reader } from "./tables/reader.js";
import { readers as tableReaders } from "./tables/readers/register.js";
import { readerByName } from "./tables/source.js";
import type { Table } from "./tables/table.js";
import { asProperty, option, type Spelling, spelt } from "./wording.js";
import { threadPool } from "./workers/thread-pool.js";

/** Shared memory and worker threads: one copy of the data for all chains. */
export const threads: Environment = {
  kernels: (bytes) => wasmKernels(kernelMemory(bytes, true)),
  pool: (store, size) => threadPool(workerFile(), store, size),
  disk,
  threads: Math.min(8, availableParallelism()),
};

/** All that can be read. A store knows itself by its first bytes, so it is asked first. */
const readers: readonly Reader[] = [storeReader, ...tableReaders];

/** The table behind a path, a list of paths, a pattern, `-` (standard input) or a folder; or of data in memory. */
export function open(data: Data, settings: OpenSettings = {}): Promise<Table> {
  return openTable(data, { readers, ...settings });
}

/** The options for sources that know their target themselves, as LIBSVM files and stores do. */
export type ForFiles<Options extends { readonly target: string }> = Omit<Options, "target"> & {
  readonly target?: string | undefined;
};

/** Like `fit` of `sparrow-bayes`; takes the path of a file, a list or pattern of files, or a store as well. */
export async function fit(data: DataInMemory, options: FitOptions): Promise<FitResult>;
export async function fit(data: DataInFiles, options?: ForFiles<FitOptions>): Promise<FitResult>;
export async function fit(data: Data, options: ForFiles<FitOptions> = {}): Promise<FitResult> {
  return spokenRun(await runData(data, options), asProperty).result;
}

/**
 * A fit with its draws, its models and a record of the data: what `sparrow fit --out` writes. `spelling` is how
 * sentences in the result name options; here and below, as properties unless told.
 */
export async function run(data: DataInMemory, options: FitOptions, spelling?: Spelling): Promise<Run>;
export async function run(
  data: DataInFiles,
  options?: ForFiles<FitOptions>,
  spelling?: Spelling,
): Promise<Run>;
export async function run(
  data: Data,
  options: ForFiles<FitOptions> = {},
  spelling: Spelling = asProperty,
): Promise<Run> {
  return spokenRun(await runData(data, options), spelling);
}

async function runData(data: Data, options: ForFiles<FitOptions>): Promise<Run> {
  const fitOf = (table: Table) =>
    runTable(table, { ...options, target: targetName(table, options.target) }, threads);
  refuseWithoutTarget(data, options);
  if (!isInFiles(data)) return using(await open(data), fitOf);
  const located = await locate(data, { readers, onReceived: receiving(options) });
  if (located.reader !== storeReader) return using(await openLocated(located, {}), fitOf);
  try {
    return await runStoreFile(onlyStore(located.paths), options);
  } finally {
    located.close();
  }
}

/** Several selection methods side by side on the same data: what `sparrow compare --json` prints. */
export async function compare(
  data: DataInMemory,
  options: CompareOptions,
  spelling?: Spelling,
): Promise<Comparison>;
export async function compare(
  data: DataInFiles,
  options?: ForFiles<CompareOptions>,
  spelling?: Spelling,
): Promise<Comparison>;
export async function compare(
  data: Data,
  options: ForFiles<CompareOptions> = {},
  spelling: Spelling = asProperty,
): Promise<Comparison> {
  refuseWithoutTarget(data, options);
  const held = () => process.memoryUsage().rss;
  const comparison = await using(await open(data, { memory: options.memory }), (table) =>
    compareTable(table, { ...options, target: targetName(table, options.target) }, threads, held),
  );
  return spokenComparison(comparison, spelling);
}

/** How effects differ between groups of rows: what `sparrow mixed --json` prints is its `result`. */
export async function mixed(
  data: Data,
  options: Partial<MixedOptions> = {},
  spelling: Spelling = asProperty,
): Promise<MixedFit> {
  const { group, memory, onMessage } = options;
  const heard = onMessage && ((message: string) => onMessage(spelt(message, spelling)));
  const settings = { keys: group === undefined ? [] : [group], memory, onReceived: receiving(options) };
  const fit = await using(await open(data, settings), (table) =>
    mixedTable(table, { ...options, onMessage: heard }),
  );
  return spokenMixed(fit, spelling);
}

/** Predicts new rows from a run folder, or from the predictor of a run, and scores them where the data hold the target. */
export async function predict(
  from: string | Predictor,
  data: Data,
  options: PredictOptions = {},
): Promise<Predictions> {
  checkPredict(options);
  const predictor = typeof from === "string" ? readPredictor(from) : from;
  return using(await open(data, { memory: options.memory }), (table) =>
    predictTable(predictor, table, options),
  );
}

/** Reads files once and writes them as a store, which `fit` opens at once. */
export async function importFiles(
  data: Data,
  path: string,
  options: ForFiles<ImportOptions> = {},
  spelling: Spelling = asProperty,
): Promise<StoreRecord> {
  checkImport(options);
  refuseWithoutTarget(data, options);
  return using(await open(data, { onReceived: receiving(options) }), async (table) => {
    const memory = options.memory ?? disk.memory;
    const rowsOf = (rows: number) =>
      options.blockRows ?? Math.max(1, Math.min(20_000, Math.max(500, Math.ceil(rows / 50))));
    const target = targetName(table, options.target);
    const reading = await readImported(table, { ...options, target }, rowsOf, disk, memory);
    try {
      const record = spokenRecord(reading.imported.record, spelling);
      writeImported({ ...reading.imported, record }, path, options);
      return record;
    } finally {
      reading.close();
    }
  });
}

/** Where the name of a file says that its kind knows no target, nothing need be read to miss it. */
function refuseWithoutTarget(data: Data, { target }: { readonly target?: string | undefined }): void {
  if (target !== undefined || !isInFiles(data)) return;
  const reader = readerByName(typeof data === "string" ? data : data[0], readers);
  if (reader && !reader.knowsTarget) targetName({}, undefined);
}

async function using<T>(table: Table, work: (table: Table) => Promise<T>): Promise<T> {
  try {
    return await work(table);
  } finally {
    table.close?.();
  }
}

function receiving({ onProgress }: Pick<ReadOptions, "onProgress">): (done: number) => void {
  return (done) => onProgress?.({ stage: "receive", done, total: 0, bytes: { done } });
}

/** What is decided when the store is made cannot be asked of it later. */
const DECIDED = ["columns", "exclude", "missing"] as const;

async function runStoreFile(path: string, options: ForFiles<FitOptions>): Promise<Run> {
  for (const name of DECIDED) {
    if (options[name] !== undefined) {
      throw new SparrowError(
        `${option(name)} is decided by sparrow import, not by a fit of the store ${path}.`,
        "option",
      );
    }
  }
  const memory = options.memory ?? disk.memory;
  const source = readStoreFile(path);
  const target = source.description.record.encoding.target.column;
  if (options.target !== undefined && options.target !== target) {
    throw new SparrowError(
      `The target of the store ${path} is "${target}", not "${options.target}".`,
      "column",
    );
  }
  const asked = { ...options, memory, target };
  if (options.holdout !== undefined) return runStoreWithHoldout(source, asked);
  const open = async (room: Surroundings): Promise<OpenedStore> => {
    const store = await openStoreFile(path, { ...room, memory });
    return { store, target: targetOf(store, options.family ?? "auto") };
  };
  return fitStore(open, { ...options, target }, threads);
}

/** More columns than this are not spelt out to hold rows out. */
const HOLDOUT_COLUMNS = 20_000;

/** Blocks cannot be taken apart, so the rows of the store are read as a table. */
async function runStoreWithHoldout(
  source: StoreFile,
  options: FitOptions & { readonly memory: number },
): Promise<Run> {
  const { path, bytes, description } = source;
  const { encoding, notes, checksum, source: name } = description.record;
  const { columns, stride } = description.layout;
  if (bytes > residentLimit(options.memory) || columns > HOLDOUT_COLUMNS) {
    throw new SparrowError(
      `The store ${path} is too large for ${option("holdout")}; use it with the data themselves, or give more ${option("memory")}.`,
      "option",
    );
  }
  const kernels = (size: number) => wasmKernels(kernelMemory(size, false));
  const store = await loadStore(source, kernels, unpackingRoom(stride));
  const always = alwaysVariables(encoding, options.always ?? []).map((j) => description.names[j]);
  const run = await runTable(
    shuffledTable(store, path, options.target),
    { ...options, always, missing: "error" },
    threads,
  );
  return {
    ...run,
    result: { ...run.result, notes: [...notes, ...(run.result.notes ?? [])] },
    data: { ...run.data, name, checksum },
    details: { ...run.details, predictor: () => ({ ...run.details.predictor(), encoding }) },
  };
}

/** The compiled program of a thread or, when this file runs uncompiled under the tests, the one in dist/. */
function workerFile(): URL {
  const beside = new URL("./worker.js", import.meta.url);
  return existsSync(fileURLToPath(beside)) ? beside : new URL("../dist/worker.js", import.meta.url);
}

export { type ErrorCode, SparrowError } from "./errors.js";
export type { MixedFit, MixedResult } from "./mixed/fit.js";
export type { MixedOptions } from "./mixed/options.js";
export { COMPARE_METHODS } from "./options/choices.js";
export type { CompareOptions } from "./options/compare.js";
export type { FitOptions, Progress } from "./options/fit.js";
export type { ImportOptions } from "./options/import.js";
export type { PredictOptions } from "./options/predict.js";
export type { Comparison, MethodResult } from "./peers/comparison.js";
export { type Predictions, predictTable } from "./prediction/predict.js";
export type { Predictor } from "./prediction/predictor.js";
export { comparisonHtml } from "./report/page/comparison.js";
export { comparisonText } from "./report/text/comparison.js";
export type { FitResult, VariableSummary } from "./selection/answer/result.js";
export type { DataRecord, Run, SearchTrace } from "./selection/run.js";
export type { DataInMemory } from "./tables/in-memory.js";
export type { Data, DataInFiles, OpenSettings } from "./tables/open.js";
export type { Reader } from "./tables/reader.js";
export type { ColumnTable, EntryTable, Table } from "./tables/table.js";
export { asProperty, type OptionValue, type Spelling } from "./wording.js";
