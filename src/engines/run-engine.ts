/** A fit of data that stay where they are: sums are asked, a sample is read, and the pipeline is the one of `fit`. */

import { createHash } from "node:crypto";
import { SparrowError } from "../errors.js";
import { nameOf } from "../families/register.js";
import { checkOptions, type FitOptions, type Progress } from "../options/fit.js";
import { predictObserved } from "../prediction/predict.js";
import { someRows } from "../selection/answer/fitted.js";
import type { OpenedStore } from "../selection/data/read.js";
import { type Environment, withPool } from "../selection/environment.js";
import { fitStore } from "../selection/fit.js";
import { rowsPerBlock, runTable } from "../selection/fit-table.js";
import type { Run } from "../selection/run.js";
import { readingsOf } from "../store/layout/encoding.js";
import type { Surroundings } from "../store/open/room.js";
import type { StoreRecord } from "../store/store.js";
import { readingOf } from "../tables/reading-asked.js";
import { option } from "../wording.js";
import { type Journal, journaled } from "../workers/journal.js";
import { askedStore } from "./asked-store.js";
import { askedVariables } from "./asked-variables.js";
import type { Asker, AskerSettings } from "./asker.js";
import { askingPool } from "./asking-pool.js";
import type { Engine } from "./engine.js";
import { countRows, engineTable } from "./engine-table.js";
import { KnownSums } from "./known-sums.js";
import { type AskedData, everyRow, hashed, keyOf, readAsked } from "./reading/read.js";
import { picking, sampleOf, sampleSize } from "./sample.js";

export interface EngineSettings {
  readonly environment: Environment;
  /** Where results are kept, of a run that can be resumed. */
  readonly journal?: Journal | undefined;
  /** Whether every column is a candidate; decided from the size of the data unless told. */
  readonly direct?: boolean;
  /** Most rows to read, where that is not left to the memory. A table of no more rows is read whole. */
  readonly sampleRows?: number;
}

/** A table that fits is read like a file; all that is particular to engines begins where it does not. */
export async function runEngine(engine: Engine, options: FitOptions, settings: EngineSettings): Promise<Run> {
  checkOptions(options);
  const { environment, journal, direct, sampleRows } = settings;
  const { signal, seed = 1 } = options;
  const asker = everyRow(engine, { signal, onRead: telling(options) });
  const rows = await countRows(asker, "how many rows there are");
  const memory = options.memory ?? environment.disk?.memory ?? USUAL_MEMORY;
  const most = Math.min(sampleRows ?? rows, sampleSize(rows, engine.columns.length, memory));
  if (rows > most || rows === 0) return runAsked(engine, options, { ...settings, sampleRows: most }, asker);
  const order = hashed(engine, engine.key ?? keyOf(engine, [...engine.columns.keys()]), seed, "sample");
  const table = await engineTable(asker, { count: rows, order }, readingOf(options));
  const pool: Environment["pool"] = async (store, size) => {
    const threads = await environment.pool(store, size);
    return journal ? journaled(threads, journal) : threads;
  };
  const { engine: _, where: __, query: ___, ...read } = options;
  const run = await runTable(table, read, withPool(environment, pool), direct);
  return { ...run, questions: asker.sent };
}

/** Tells of every question what it is for, and how far it is. */
export function telling({
  onProgress,
}: {
  readonly onProgress?: ((progress: Progress) => void) | undefined;
}): AskerSettings["onRead"] {
  return ({ purpose }, number, { rows, bytes, total = 0 }) =>
    onProgress?.({
      stage: "ask",
      done: rows,
      total,
      part: `question ${number}: ${purpose}`,
      ...(bytes !== undefined && { bytes: { done: bytes } }),
    });
}

/** Where nobody knows how much there is. */
export const USUAL_MEMORY = 2e9;

async function runAsked(
  engine: Engine,
  options: FitOptions,
  { environment, journal, direct, sampleRows }: EngineSettings,
  first: Asker,
): Promise<Run> {
  refuseUnanswerable(engine.name, options);
  const { holdout, ...fitted } = options;
  let data: AskedData | undefined;
  const open = async (room: Surroundings): Promise<OpenedStore> => {
    options.onProgress?.({ stage: "read", done: 0, total: 0 });
    data = await readAsked(first, options);
    const { rows, names, shift, entries, encoded } = data;
    const family = nameOf(encoded.target.family);
    const { seed = 1, signal } = options;
    const sample = await sampleOf(
      data,
      {
        seed,
        family,
        signal,
        rows: Math.min(sampleRows!, rows),
        blockRows: (count, of) => rowsPerBlock(engine.name, count, of, options),
      },
      room,
    );
    const record = { ...recordOf(engine, data, seed), family };
    return {
      store: askedStore({ rows, names, shift, entries, record, sample: sample.store }),
      target: encoded.target,
      sample,
    };
  };
  const opened: { sample?: OpenedStore["sample"] } = {};
  const run = await fitStore(
    async (room) => {
      const found = await open(room);
      opened.sample = found.sample;
      return found;
    },
    fitted,
    withPool(environment, async (store, size) => {
      const { asker, expressions, shift, described } = data!;
      const known = new KnownSums(expressions.length - 1);
      const variables = askedVariables(expressions, shift);
      const asked = { asker, variables, store, known, described };
      const pool = askingPool(asked, await environment.pool(opened.sample!.store, size));
      return journal ? journaled(pool, journal) : pool;
    }),
    direct,
  );
  const told = withNote(run, first.sent.length, opened.sample!.store.layout.rows);
  const whole = holdout === undefined || !data!.heldOut ? told : await scored(told, data!, options);
  return { ...whole, questions: first.sent, planned: first.planned };
}

/** More rows make a score no better. */
export const SCORED = 100_000;

/** Predictions of the rows that were set aside. */
async function scored(run: Run, data: AskedData, options: FitOptions): Promise<Run> {
  const { holdout, seed = 1, signal } = options;
  const { encoding } = data.encoded;
  const hints = { ...readingOf(options), ...readingsOf(encoding) };
  const all = await countRows(data.heldOut!, "how many rows are held out");
  const { engine, conditions } = data.heldOut!.rows;
  const picked = picking(data, SCORED, all, seed);
  const asker = data.heldOut!.about({ engine, conditions: [...conditions, ...picked] });
  const count = await countRows(asker, "how many of them are scored");
  const order = hashed(engine, data.key, seed, "sample");
  const test = await engineTable(asker, { count, order }, hints);
  const { result, rows } = await predictObserved(run.details.predictor(), test, { signal });
  return {
    ...run,
    predicted: someRows("held out", rows?.observed ?? [], rows?.predicted ?? []),
    result: {
      ...run.result,
      holdout: { rows: result.rows, ...result.scores! },
      settings: { ...run.result.settings, holdout: holdout! },
    },
  };
}

function withNote(run: Run, questions: number, rows: number): Run {
  const note = `The data stayed where they are: ${questions} questions were asked about all rows, and ${rows} of them came here as a sample.`;
  return { ...run, result: { ...run.result, notes: [...(run.result.notes ?? []), note] } };
}

/** The mini-batches of the paper are drawn from all rows. */
function refuseUnanswerable(name: string, { preset }: FitOptions): void {
  if (preset !== "paper") return;
  throw new SparrowError(
    `${option("preset", "paper")} draws mini-batches from all rows, which ${name} is only asked about; leave it out, or import the data first.`,
    "option",
  );
}

/** What tells whether two runs asked the same: counts and ends are the same in whatever order rows are summed. */
export function recordOf(
  engine: Engine,
  { rows, names, encoded, notes, ends }: AskedData,
  seed: number,
): Omit<StoreRecord, "family"> {
  const told = JSON.stringify([rows, names, encoded.encoding, [...ends].map(String)]);
  return {
    source: engine.name,
    encoding: encoded.encoding,
    seed,
    checksum: createHash("sha256").update(told).digest("hex").slice(0, 16),
    notes,
    ...(encoded.treated && { treated: encoded.treated }),
  };
}
