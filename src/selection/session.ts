/** What a fit works with once the data are read and screened, whichever preset it follows. */

import { SparrowError } from "../errors.js";
import type { FitOptions, Progress } from "../options/fit.js";
import { type Part, span } from "../profile.js";
import type { Surroundings } from "../store/open/room.js";
import type { Pool, RunOptions } from "../workers/pool.js";
import { type ColumnNotes, columnNotes, NOTHING_ALIKE } from "./data/column-notes.js";
import { alwaysVariables } from "./data/columns.js";
import type { OpenedStore, Sample } from "./data/read.js";
import type { Screen } from "./data/screen.js";
import { screenStore } from "./data/screen-store.js";
import type { Environment } from "./environment.js";
import { type Holes, takeHoles } from "./missing/holes.js";
import { checkImputation } from "./missing/imputed.js";
import { type Copies, copiesOf } from "./rows/copies.js";
import type { PlanInputs } from "./search/plan.js";
import { type RoundsPlan, type Searched, searchInRounds, searchJob } from "./search/rounds.js";
import type { SearchPlan } from "./search/types.js";
import { type TimeBudget, timeBudget } from "./time-budget.js";

/** Seconds of wall clock. */
export type Timing = Partial<Record<Stage, number>>;
export type Stage = "read" | "screen" | "search" | "certify" | "polish";

/** `options.signal` aborts when the run has to stop, `screen` knows the spread of what was observed. */
export interface Session extends PlanInputs {
  readonly pool: Pool;
  /** The rows at hand, where the store can only be asked; undefined where it can be read. */
  readonly sample: Sample | undefined;
  /** Missing predictors, if there are any, and the screen with means in their place. */
  readonly holes: Holes | undefined;
  readonly filled: Screen;
  /** What to tell about columns that say the same. */
  readonly alike: ColumnNotes;
  /** Rows that are copies of others, where they are many. */
  readonly copies: Copies | undefined;
  readonly budget: TimeBudget;
  /** Whether it was the user who stopped the run, rather than the clock. */
  stoppedByUser(): boolean;
  readonly timing: Timing;
  timed<T>(stage: Stage, work: () => Promise<T>): Promise<T>;
  progress(stage: Progress["stage"]): RunOptions;
  search(plan: SearchPlan, chains: number, rounds: RoundsPlan, signal: AbortSignal): Promise<Searched>;
  close(): Promise<void>;
}

/** What a stage is called where it is told how long everything took. */
const PARTS: Record<Stage, Part> = {
  read: "reading",
  screen: "screen",
  search: "search",
  certify: "certify",
  polish: "polish",
};

/** Scratch room per thread, in bytes; pages that are never touched cost nothing. */
const SCRATCH = 64 * 2 ** 20;

/** `open` makes the store; it is told what the threads that will work on it need. */
export async function openSession(
  open: (surroundings: Surroundings) => Promise<OpenedStore>,
  options: FitOptions,
  { kernels, disk, ...environment }: Environment,
): Promise<Session> {
  const threads = options.threads ?? environment.threads;
  const { timing, timed } = stopwatch();
  // Where memory is scarce, threads wait until the reading is over.
  const begun = options.memory === undefined ? environment.begin?.(threads) : undefined;
  const { store, target, sample } = await timed("read", () =>
    open({ kernels, disk, threads, scratch: SCRATCH, hands: begun?.hands }),
  ).catch(async (error) => {
    await begun?.end();
    throw error;
  });
  const budget = timeBudget(options.seconds, options.signal);
  const pool = await (begun ?? environment).pool(store, threads);
  const close = async () => {
    budget.end();
    const ended = span("ending threads", () => pool.close());
    // Threads over a store in memory end by themselves; a file must not be closed under them.
    if (!store.close) return;
    await ended;
    store.close();
  };
  const watched = (stage: Progress["stage"], total: number, signal: AbortSignal, before = 0): RunOptions => ({
    signal,
    onProgress: options.onProgress && ((done) => options.onProgress?.({ stage, done: before + done, total })),
  });
  try {
    const { encoding, source } = store.record;
    const name = encoding.target.column;
    // Holes are filled next, and no longer alike.
    const copies = sample ? undefined : span("copies and dependencies", () => copiesOf(store));
    const impute = encoding.missing === "impute";
    const holes = impute ? await timed("screen", async () => takeHoles(store)) : undefined;
    watched("screen", 0, budget.signal).onProgress?.(0);
    const filled = await timed("screen", () => screenStore(store, pool));
    const screen = observedScreen(filled, holes);
    if (screen.sd[store.layout.columns] === 0) {
      throw new SparrowError(`${source}: the target "${name}" is constant; there is nothing to explain.`);
    }
    if (holes) checkImputation(source, options);
    return {
      options: { ...options, signal: budget.signal },
      store,
      pool,
      screen,
      filled,
      holes,
      sample,
      alike: sample ? NOTHING_ALIKE : span("copies and dependencies", () => columnNotes(store, screen)),
      copies,
      always: alwaysVariables(encoding, options.always ?? []),
      target,
      seed: options.seed ?? 1,
      budget,
      stoppedByUser: () => options.signal?.aborted === true,
      timing,
      timed,
      progress: (stage) => watched(stage, 0, budget.signal),
      search: (plan, chains, rounds, signal) =>
        timed("search", () =>
          searchInRounds(
            (inputs, before) =>
              pool.run(searchJob, inputs, watched("search", chains * plan.iterations, signal, before)),
            plan,
            chains,
            rounds,
          ),
        ),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Where means stand for missing values, the spread is that of the values that are there. */
function observedScreen(screen: Screen, holes: Holes | undefined): Screen {
  return holes
    ? { ...screen, sd: screen.sd.map((sd, j) => (holes.missing[j] > 0 ? holes.sd[j] : sd)) }
    : screen;
}

function stopwatch() {
  const timing: Timing = {};
  return {
    timing,
    async timed<T>(stage: Stage, work: () => Promise<T>): Promise<T> {
      const start = performance.now();
      const result = await span(PARTS[stage], work);
      timing[stage] = (timing[stage] ?? 0) + (performance.now() - start) / 1000;
      return result;
    },
  };
}
