/** `sparrow-bayes/node`: files and threads. */

import { existsSync, statSync } from "node:fs";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { type ClusterOptions, type ClusterResult, clusters as clustersBy } from "./clustering/clusters.js";
import {
  type CompareComponentsOptions,
  type ComponentScore,
  compareComponents as compareComponentsBy,
} from "./clustering/compare-components.js";
import type { Crew } from "./clustering/crew.js";
import {
  type HiddenStatesOptions,
  type HiddenStatesResult,
  hiddenStates as hiddenStatesBy,
} from "./clustering/hidden-states.js";
import { SparrowError } from "./errors.js";
import { kernelMemory, wasmKernels } from "./kernels/wasm.js";
import type { FitOptions } from "./options/fit.js";
import { type CompareOptions, compareTable } from "./peers/compare.js";
import type { Comparison } from "./peers/comparison.js";
import type { FitResult } from "./selection/answer/result.js";
import { alwaysVariables } from "./selection/data/columns.js";
import { type ReadOptions, readImported, refuseHoles } from "./selection/data/read.js";
import type { Environment } from "./selection/environment.js";
import { fitStore } from "./selection/fit.js";
import { runTable } from "./selection/fit-table.js";
import type { Run } from "./selection/run.js";
import { storeTable } from "./store/open/as-table.js";
import { disk, openStoreFile, writeImported } from "./store/open/kept.js";
import { loadStore, readStoreFile, type StoreFile } from "./store/open/load.js";
import { residentLimit } from "./store/open/room.js";
import { type StoreRecord, unpackingRoom } from "./store/store.js";
import { type Format, fileTable, formatOf } from "./tables/open.js";
import { type ArrayColumn, arrayTable } from "./tables/readers/arrays.js";
import type { SparseTable, Table } from "./tables/table.js";
import type { Rows } from "./types.js";
import { threadPool } from "./workers/thread-pool.js";

/** Shared memory and worker threads: one copy of the data for all chains. */
export const threads: Environment = {
  kernels: (bytes) => wasmKernels(kernelMemory(bytes, true)),
  pool: (store, size) => threadPool(workerFile(), store, size),
  disk,
  threads: Math.min(8, availableParallelism()),
};

/** Threads without a store: their jobs bring the data with them. */
const crew: Crew = {
  threads: threads.threads,
  pool: (size) => threadPool(workerFile(), undefined, size),
};

/** Like `fit` of `sparrow-bayes`; takes the path of a file, a list or pattern of files, or a store as well. */
export async function fit(
  data: string | Readonly<Record<string, ArrayColumn>>,
  options: FitOptions,
): Promise<FitResult> {
  return (await run(data, options)).result;
}

/** A fit with its draws, its models and a record of the data: what `sparrow fit --out` writes. */
export async function run(
  data: string | Readonly<Record<string, ArrayColumn>>,
  options: FitOptions,
): Promise<Run> {
  if (typeof data === "string" && isOf(data, "store")) return runStoreFile(data, options);
  const table = await tableOf(data, options);
  try {
    return await runTable(table, forTable(table, options), threads);
  } finally {
    table.close?.();
  }
}

/** Several selection methods side by side on the same data: what `sparrow compare --json` prints. */
export async function compare(
  data: string | Readonly<Record<string, ArrayColumn>>,
  options: CompareOptions,
): Promise<Comparison> {
  const table = await tableOf(data, {});
  try {
    const memory = () => process.memoryUsage().rss;
    return await compareTable(table, forTable(table, { memory, ...options }), threads);
  } finally {
    table.close?.();
  }
}

/** Like `clusters` of `sparrow-bayes`, each chain in a thread of its own. */
export function clusters(values: Rows["values"], options: ClusterOptions): Promise<ClusterResult> {
  return clustersBy(values, options, crew);
}

/** Like `compareComponents` of `sparrow-bayes`, each chain in a thread of its own. */
export function compareComponents(
  values: Rows["values"],
  options: CompareComponentsOptions,
): Promise<ComponentScore[]> {
  return compareComponentsBy(values, options, crew);
}

/** Like `hiddenStates` of `sparrow-bayes`, each chain in a thread of its own. */
export function hiddenStates(
  values: Rows["values"] | readonly Rows["values"][],
  options: HiddenStatesOptions,
): Promise<HiddenStatesResult> {
  return hiddenStatesBy(values, options, crew);
}

/** Reads files once and writes them as a store, which `fit` opens at once. */
export async function importFiles(
  source: string,
  path: string,
  options: ImportOptions,
): Promise<StoreRecord> {
  refuseHoles(options);
  const table = await tableOf(source, options);
  try {
    const memory = options.memory ?? disk.memory;
    const rowsOf = (rows: number) =>
      options.blockRows ?? Math.max(1, Math.min(20_000, Math.max(500, Math.ceil(rows / 50))));
    const reading = await readImported(table, forTable(table, options), rowsOf, disk, memory);
    try {
      writeImported(reading.imported, path, options);
      return reading.imported.record;
    } finally {
      reading.close();
    }
  } finally {
    table.close?.();
  }
}

export interface ImportOptions extends ReadOptions {
  /** Rows of a block, of which mini-batches are made: the smallest mini-batch there can be. */
  readonly blockRows?: number;
}

/** What is decided when the store is made cannot be asked of it later. */
const DECIDED = ["columns", "exclude", "missing"] as const;

async function runStoreFile(path: string, options: FitOptions): Promise<Run> {
  for (const name of DECIDED) {
    if (options[name] !== undefined) {
      throw new SparrowError(
        `--${name} is decided by sparrow import, not by a fit of the store ${path}.`,
        "option",
      );
    }
  }
  const memory = options.memory ?? disk.memory;
  const source = readStoreFile(path);
  const target = source.description.record.encoding.target.column;
  if (options.target !== "" && options.target !== target) {
    throw new SparrowError(`The target of the store ${path} is "${target}", not "${options.target}".`);
  }
  if (options.holdout !== undefined) return runStoreWithHoldout(source, { ...options, memory, target });
  return fitStore((room) => openStoreFile(path, { ...room, memory }), options, threads);
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
      `The store ${path} is too large for --holdout; use it with the data themselves, or give more --memory.`,
      "option",
    );
  }
  const kernels = (size: number) => wasmKernels(kernelMemory(size, false));
  const store = await loadStore(source, kernels, unpackingRoom(stride));
  const always = alwaysVariables(encoding, options.always ?? []).map((j) => description.names[j]);
  const run = await runTable(
    storeTable(store, path, options.target),
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

function tableOf(
  data: string | Readonly<Record<string, ArrayColumn>>,
  { onProgress }: Pick<ReadOptions, "onProgress">,
): Promise<Table | SparseTable> | Table {
  if (typeof data !== "string") return arrayTable(data);
  return fileTable(data, process.stdin, (done) =>
    onProgress?.({ stage: "receive", done, total: 0, bytes: { done } }),
  );
}

/** In LIBSVM files the target has a name of its own. */
function forTable<T extends { readonly target: string }>(table: Table | SparseTable, options: T): T {
  return options.target === "" && !("columns" in table) ? { ...options, target: table.target } : options;
}

/** Whether the target need not be named. */
export function namesItsTarget(source: string): boolean {
  return isOf(source, "store") || isOf(source, "libsvm");
}

/** The compiled program of a thread or, when this file runs uncompiled under the tests, the one in dist/. */
function workerFile(): URL {
  const beside = new URL("./worker.js", import.meta.url);
  return existsSync(fileURLToPath(beside)) ? beside : new URL("../dist/worker.js", import.meta.url);
}

function isOf(path: string, format: Format): boolean {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats?.isFile() === true && stats.size > 0 && formatOf(path) === format;
}

export type {
  Cluster,
  ClusterOptions,
  ClusterResult,
  PredictiveScore,
} from "./clustering/clusters.js";
export type { CompareComponentsOptions, ComponentScore } from "./clustering/compare-components.js";
export type {
  EmissionOptions,
  HiddenState,
  HiddenStatesOptions,
  HiddenStatesResult,
} from "./clustering/hidden-states.js";
export type { Judgement, SampleDiagnostics } from "./clustering/judgement.js";
export type { Estimate } from "./clustering/sampled.js";
export type { CategoricalBlock, GaussianBlock } from "./clustering/summary.js";
export { SparrowError } from "./errors.js";
export { mixed } from "./mixed/file.js";
export type { MixedFit, MixedResult } from "./mixed/fit.js";
export type { MixedOptions } from "./mixed/options.js";
export type { FitOptions, Progress } from "./options/fit.js";
export { COMPARE_METHODS, type CompareOptions, compareTable } from "./peers/compare.js";
export type { Comparison, MethodResult } from "./peers/comparison.js";
export { type Predictions, predictTable } from "./prediction/predict.js";
export type { Predictor } from "./prediction/predictor.js";
export { comparisonHtml } from "./report/page/comparison.js";
export { comparisonText } from "./report/text/comparison.js";
export type { FitResult, VariableSummary } from "./selection/answer/result.js";
export { fitTable, runTable } from "./selection/fit-table.js";
export type { DataRecord, Run, SearchTrace } from "./selection/run.js";
export { fileTable } from "./tables/open.js";
