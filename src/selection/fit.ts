/** The main job: from a table to the posterior over models. Runs anywhere; what differs is the environment. */

import { SparrowError } from "../errors.js";
import { targetOf } from "../families/target.js";
import type { Kernels } from "../kernels/interface.js";
import { checkOptions, type FitOptions, type Progress } from "../options/fit.js";
import { predictTable } from "../prediction/predict.js";
import type { Disk, Surroundings } from "../store/open/room.js";
import type { Store } from "../store/store.js";
import { holdOut } from "../tables/hold-out.js";
import type { Table } from "../tables/table.js";
import type { Pool } from "../workers/pool.js";
import type { RunDetails } from "./answer/details.js";
import type { FitResult } from "./answer/result.js";
import { columnNotes } from "./data/column-notes.js";
import { alwaysVariables } from "./data/columns.js";
import { readStore, refuseNotNumbers } from "./data/read.js";
import type { Screen } from "./data/screen.js";
import { screenStore } from "./data/screen-store.js";
import { fitDefault } from "./default.js";
import { withDropping } from "./missing/dropping.js";
import { type Holes, takeHoles } from "./missing/holes.js";
import { checkImputation } from "./missing/imputed.js";
import { fitPaper } from "./paper.js";
import type { ChainOutput, SearchPlan } from "./search/chain.js";
import { type RoundsPlan, type SearchInput, searchInRounds, searchJob } from "./search/rounds.js";
import type { Session } from "./session.js";
import { timeBudget } from "./time-budget.js";

/** What the surroundings provide: memory and threads. */
export interface Environment {
  kernels(bytes: number): Promise<Kernels>;
  pool(store: Store, size: number): Promise<Pool>;
  readonly disk?: Disk;
  readonly threads: number;
}

/** Scratch room per thread, in bytes; pages that are never touched cost nothing. */
const SCRATCH = 64 * 2 ** 20;

/** A fit with all that a run folder holds. */
export interface Run {
  readonly result: FitResult;
  readonly data: DataRecord;
  readonly details: RunDetails;
  /** How the search went, when there was one. */
  readonly search?: SearchTrace;
}

/** What the data were: enough to tell whether two runs saw the same. */
export interface DataRecord {
  readonly name: string;
  readonly rows: number;
  /** Names of the predictors, in the order of the data. */
  readonly columns: readonly string[];
  readonly checksum: string;
}

export interface SearchTrace {
  readonly iterations: number;
  readonly burnIn: number;
  readonly thin: number;
  /** Model size after every `thin` iterations, one list per chain. */
  readonly sizes: readonly (readonly number[])[];
}

export async function fitTable(
  table: Table,
  options: FitOptions,
  environment: Environment,
  /** Whether every column is a candidate; decided from the size of the data unless told. */
  direct?: boolean,
): Promise<FitResult> {
  return (await runTable(table, options, environment, direct)).result;
}

export async function runTable(
  table: Table,
  options: FitOptions,
  environment: Environment,
  direct?: boolean,
): Promise<Run> {
  checkOptions(options);
  if (options.holdout !== undefined) return runWithHoldout(table, options, environment);
  const blockRows = (rows: number) => rowsPerBatch(table.name, rows, options);
  const open = async (room: Surroundings): Promise<Store> => {
    if (options.missing !== undefined) return readStore(table, options, blockRows, room);
    const store = await readStore(table, { ...options, missing: "impute" }, blockRows, room);
    await refuseNotNumbers(table, store);
    return store;
  };
  const run = await runStore(open, options, environment, direct);
  if (!run.result.missing) return run;
  const result = await withDropping(run.result, options, (others) => fitTable(table, others, environment));
  return { ...run, result };
}

/** `open` makes the store; it is told what the threads that will work on it need. */
export async function runStore(
  open: (surroundings: Surroundings) => Promise<Store>,
  options: FitOptions,
  environment: Environment,
  direct?: boolean,
): Promise<Run> {
  checkOptions(options);
  const seed = options.seed ?? 1;
  const preset = options.preset ?? "auto";
  const threads = options.threads ?? environment.threads;
  const timing: Record<string, number> = {};
  const timed = stopwatch(timing);
  const progress = (stage: Progress["stage"], total: number, signal: AbortSignal, before = 0) => ({
    signal,
    onProgress:
      options.onProgress && ((done: number) => options.onProgress!({ stage, done: before + done, total })),
  });

  const { kernels, disk } = environment;
  const store = await timed("read", () => open({ kernels, disk, threads, scratch: SCRATCH }));
  const budget = timeBudget(options.seconds, options.signal);
  const stoppedByUser = () => options.signal?.aborted === true;
  const pool = await environment.pool(store, threads);
  try {
    const impute = store.record.encoding.missing === "impute";
    const holes = impute ? await timed("screen", async () => takeHoles(store)) : undefined;
    progress("screen", 0, budget.signal).onProgress?.(0);
    const filled = await timed("screen", () => screenStore(store, pool));
    const screen = observedScreen(filled, holes);
    const { columns, rows } = store.layout;
    const { encoding, source, checksum } = store.record;
    const name = encoding.target.column;
    if (screen.sd[columns] === 0) {
      throw new SparrowError(`${source}: the target "${name}" is constant; there is nothing to explain.`);
    }
    if (holes) checkImputation(source, options);
    const alike = columnNotes(store, screen);
    const batchRows = rowsPerBatch(source, rows, options);
    const always = alwaysVariables(encoding, options.always ?? []);
    const target = targetOf(store, options.family ?? "auto", name);
    const search = (plan: SearchPlan, chains: number, rounds: RoundsPlan, signal: AbortSignal) => {
      const run = (jobs: readonly SearchInput[], before: number): Promise<ChainOutput[]> =>
        pool.run(searchJob, jobs, progress("search", chains * plan.iterations, signal, before));
      return timed("search", () => searchInRounds(run, plan, chains, rounds));
    };
    const session: Session = {
      options: { ...options, signal: budget.signal },
      ...{ store, pool, screen, filled, holes, target, always, batchRows, seed, budget, stoppedByUser },
      ...{ timed, search, progress: (stage) => progress(stage, 0, budget.signal) },
    };
    const outcome = await (preset === "paper" ? fitPaper(session) : fitDefault(session, direct));
    const { answer, details, searched } = outcome;
    const notes = [
      ...[...store.record.notes, ...alike.notes, ...target.warnings],
      ...[...outcome.notes, ...alike.likely(answer.variables)],
    ];
    return {
      result: {
        ...{ family: target.family, rows, columns, target: name, preset, seed, notes },
        ...(outcome.partial && { partial: true }),
        ...answer,
        timing,
        settings: outcome.settings,
      },
      data: { name: source, rows, columns: store.names, checksum },
      details: { ...details, predictor: () => ({ ...details.predictor(), encoding }) },
      ...(searched && { search: searchTrace(searched.chains, searched.plan) }),
    };
  } finally {
    budget.end();
    await pool.close();
    store.close?.();
  }
}

/** Sets rows aside, fits the others, and scores the predictions for what was set aside. */
async function runWithHoldout(
  table: Table,
  { holdout = 0, ...options }: FitOptions,
  environment: Environment,
): Promise<Run> {
  const { train, test } = holdOut(table, holdout, options.seed ?? 1);
  const run = await runTable(train, options, environment);
  const { scores, rows } = await predictTable(run.details.predictor(), test, { signal: options.signal });
  const settings = { ...run.result.settings, holdout };
  return { ...run, result: { ...run.result, holdout: { rows, ...scores! }, settings } };
}

function searchTrace(outputs: readonly ChainOutput[], { iterations, burnIn, thin }: SearchPlan): SearchTrace {
  return { iterations, burnIn, thin, sizes: outputs.map(({ sizes }) => [...sizes]) };
}

/** Where means stand for missing values, the spread is that of the values that are there. */
function observedScreen(screen: Screen, holes: Holes | undefined): Screen {
  return holes
    ? { ...screen, sd: screen.sd.map((sd, j) => (holes.missing[j] > 0 ? holes.sd[j] : sd)) }
    : screen;
}

/** n: the paper's 200, or in the default mode enough rows that the noise of a model step stays bounded. */
function rowsPerBatch(source: string, rows: number, { batch, preset, family }: FitOptions): number {
  if (batch === undefined) {
    const paper = family === "binomial" || family === "poisson" ? 300 : 200;
    const wanted = preset === "paper" ? paper : Math.max(500, Math.ceil(rows / 50));
    return Math.min(wanted, rows, 5000);
  }
  if (batch > rows) {
    throw new SparrowError(
      `--batch ${batch} is more than the ${rows} rows of ${source}; make it smaller or leave it out.`,
    );
  }
  return batch;
}

function stopwatch(timing: Record<string, number>) {
  return async <T>(name: string, work: () => Promise<T>): Promise<T> => {
    const start = performance.now();
    const result = await work();
    timing[name] = (timing[name] ?? 0) + (performance.now() - start) / 1000;
    return result;
  };
}
