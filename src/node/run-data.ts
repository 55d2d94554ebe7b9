/** A fit of whatever can be read. A store is opened as it is; all other data are read into one first. */

import { SparrowError } from "../errors.js";
import { kernelMemory, wasmKernels } from "../kernels/wasm.js";
import type { FitOptions, ForFiles } from "../options/fit.js";
import { READING } from "../options/reading.js";
import { refuseQuestions } from "../options/refuse-questions.js";
import { span } from "../profile.js";
import { alwaysVariables, targetName } from "../selection/data/columns.js";
import type { OpenedStore } from "../selection/data/read.js";
import { targetOf } from "../selection/data/target.js";
import { type Environment, expecting } from "../selection/environment.js";
import { fitStore } from "../selection/fit.js";
import { runTable } from "../selection/fit-table.js";
import type { Run } from "../selection/run.js";
import { disk, openStoreFile } from "../store/open/disk.js";
import { loadStore, readStoreFile, type StoreFile } from "../store/open/load.js";
import { onlyStore, storeReader } from "../store/open/reader.js";
import { residentLimit, type Surroundings } from "../store/open/room.js";
import { shuffledTable } from "../store/open/shuffled-table.js";
import { unpackingRoom } from "../store/open/unpacking.js";
import { type Data, isInFiles, locate, reading } from "../tables/open.js";
import { readingOf } from "../tables/reading-asked.js";
import type { Table } from "../tables/table.js";
import { option } from "../wording.js";
import type { Journal } from "../workers/journal.js";
import { isAsked, openingOf, readers, withTable } from "./open.js";
import { threadsKeeping } from "./threads.js";

export async function runData(
  data: Data,
  options: ForFiles<FitOptions>,
  /** Where results are kept, of a run that can be resumed. */
  journal?: Journal,
  environment: Environment = threadsKeeping(journal),
): Promise<Run> {
  const run = await wholeRun(data, options, journal, environment);
  if (options.signal?.aborted !== true || run.result.partial) return run;
  // Whoever stops a run when its numbers are there has cut what is said beside them.
  const notes = [...(run.result.notes ?? []), "The run was stopped before all of its checks were made."];
  return { ...run, result: { ...run.result, partial: true, notes } };
}

async function wholeRun(
  data: Data,
  options: ForFiles<FitOptions>,
  journal: Journal | undefined,
  environment: Environment,
): Promise<Run> {
  if (isAsked(data, options)) return (await import("./asked-data.js")).runAskedData(data, options, journal);
  const fitOf = (table: Table) =>
    runTable(table, { ...options, target: targetName(table, options.target) }, environment);
  const { onReceived, ...opening } = openingOf(options);
  const asked = { ...readingOf(options), ...opening };
  if (!isInFiles(data)) return withTable(data, asked, fitOf);
  const located = await span("opening files", () =>
    locate(data, { readers, onReceived, signal: options.signal }),
  );
  // A store without some of its columns is read again, like any other table.
  const narrowed = options.exclude !== undefined || options.columns !== undefined;
  if (located.reader !== storeReader || narrowed) return reading(located, asked, fitOf);
  refuseQuestions(options);
  try {
    return await runStoreFile(onlyStore(located.paths), options, environment);
  } finally {
    located.close();
  }
}

/** What is decided when the store is made cannot be asked of it later. */
const DECIDED = ["missing", ...READING] as const;

async function runStoreFile(
  path: string,
  options: ForFiles<FitOptions>,
  environment: Environment,
): Promise<Run> {
  for (const name of DECIDED) {
    if (options[name] !== undefined) {
      throw new SparrowError(
        `${option(name)} is decided by sparrow import, not by a fit of the store ${path}.`,
        "option",
      );
    }
  }
  const memory = options.memory ?? disk.memory;
  const source = span("opening files", () => readStoreFile(path));
  const target = source.description.record.encoding.target.column;
  if (options.target !== undefined && options.target !== target) {
    throw new SparrowError(
      `The target of the store ${path} is "${target}", not "${options.target}".`,
      "column",
    );
  }
  const asked = { ...options, memory, target };
  if (options.holdout !== undefined) return runStoreWithHoldout(source, asked, environment);
  const open = async (room: Surroundings): Promise<OpenedStore> => {
    const store = await openStoreFile(path, { ...room, memory });
    return { store, target: targetOf(store, options.family ?? "auto") };
  };
  const { rows, columns } = source.description.layout;
  return fitStore(open, { ...options, target }, expecting(rows * columns, environment));
}

/** More columns than this are not spelt out to hold rows out. */
const HOLDOUT_COLUMNS = 20_000;

/** Blocks cannot be taken apart, so the rows of the store are read as a table. */
async function runStoreWithHoldout(
  source: StoreFile,
  options: FitOptions & { readonly memory: number },
  environment: Environment,
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
  const store = await loadStore(source, { kernels, scratch: unpackingRoom(stride) });
  const always = alwaysVariables(encoding, options.always ?? []).map((j) => description.names[j]);
  const run = await runTable(
    shuffledTable(store, path, options.target),
    { ...options, always, missing: "error" },
    environment,
  );
  return {
    ...run,
    result: { ...run.result, notes: [...notes, ...(run.result.notes ?? [])] },
    data: { ...run.data, name, checksum },
    details: { ...run.details, predictor: () => ({ ...run.details.predictor(), encoding }) },
  };
}
