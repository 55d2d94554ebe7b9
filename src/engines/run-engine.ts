/** A fit of data that stay where they are: sums are asked, a sample is read, and the pipeline is the one of `fit`. */

import { createHash } from "node:crypto";
import { SparrowError } from "../errors.js";
import { nameOf } from "../families/register.js";
import { checkOptions, type FitOptions } from "../options/fit.js";
import { predictObserved } from "../prediction/predict.js";
import { someRows } from "../selection/answer/fitted.js";
import type { OpenedStore } from "../selection/data/read.js";
import type { Environment } from "../selection/environment.js";
import { fitStore } from "../selection/fit.js";
import { rowsPerBlock } from "../selection/fit-table.js";
import type { Run } from "../selection/run.js";
import { readingsOf } from "../store/layout/encoding.js";
import type { Surroundings } from "../store/open/room.js";
import type { StoreRecord } from "../store/store.js";
import { readingOf } from "../tables/reading-asked.js";
import { option } from "../wording.js";
import { type Journal, journaled } from "../workers/journal.js";
import { askedStore } from "./asked-store.js";
import { askedVariables } from "./asked-variables.js";
import type { Sent } from "./asker.js";
import { askingPool } from "./asking-pool.js";
import type { Engine } from "./engine.js";
import { heldOutTable } from "./held-out.js";
import { type AskedData, readAsked } from "./reading/read.js";
import { sampleOf, sampleSize } from "./sample.js";

export interface EngineSettings {
  readonly environment: Environment;
  /** Where results are kept, of a run that can be resumed. */
  readonly journal?: Journal | undefined;
  /** Whether every column is a candidate; decided from the size of the data unless told. */
  readonly direct?: boolean;
  /** Most rows to read, where that is not left to the memory. */
  readonly sampleRows?: number;
}

export interface EngineRun extends Run {
  /** Every query, in its order. */
  readonly sent: readonly Sent[];
}

export async function runEngine(
  engine: Engine,
  options: FitOptions,
  { environment, journal, direct, sampleRows }: EngineSettings,
): Promise<EngineRun> {
  checkOptions(options);
  refuseUnanswerable(engine.name, options);
  const { holdout, ...fitted } = options;
  let data: AskedData | undefined;
  const open = async (room: Surroundings): Promise<OpenedStore> => {
    options.onProgress?.({ stage: "read", done: 0, total: 0 });
    data = await readAsked(engine, options, { signal: options.signal });
    const { rows, names, shift, entries, encoded } = data;
    const memory = options.memory ?? environment.disk?.memory ?? 2e9;
    const family = nameOf(encoded.target.family);
    const { seed = 1, signal } = options;
    const sample = await sampleOf(
      data,
      {
        seed,
        family,
        signal,
        rows: Math.min(sampleRows ?? rows, sampleSize(rows, names.length, memory)),
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
    {
      ...environment,
      async pool(store, size) {
        const { asker, expressions, shift } = data!;
        const asked = { asker, variables: askedVariables(expressions, shift), store };
        const pool = askingPool(asked, await environment.pool(opened.sample!.store, size));
        return journal ? journaled(pool, journal) : pool;
      },
    },
    direct,
  );
  const { asker } = data!;
  const told = withNote(run, asker.sent.length, opened.sample!.store.layout.rows);
  if (holdout === undefined || !data!.heldOut) return { ...told, sent: asker.sent };
  return { ...(await scored(told, data!, options)), sent: asker.sent };
}

/** Predictions of the rows that were set aside. */
async function scored(run: Run, data: AskedData, options: FitOptions): Promise<Run> {
  const { holdout, seed = 1, signal } = options;
  const { encoding } = data.encoded;
  const hints = { ...readingOf(options), ...readingsOf(encoding) };
  const test = await heldOutTable({ ...data, heldOut: data.heldOut! }, hints, seed);
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
function recordOf(engine: Engine, { rows, names, encoded, notes, ends }: AskedData, seed: number): Omit<StoreRecord, "family"> {
  const told = JSON.stringify([rows, names, encoded.encoding, [...ends].map(String)]);
  return {
    source: engine.name,
    encoding: encoded.encoding,
    seed,
    checksum: createHash("sha256").update(told).digest("hex").slice(0, 16),
    notes,
  };
}
