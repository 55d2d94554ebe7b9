/** The main job: from a table to the posterior over models. Runs anywhere; what differs is the environment. */

import { SparrowError } from "./errors.js";
import type { Kernels } from "./kernels/interface.js";
import { defaultInclusion } from "./models/priors.js";
import { columnRoles } from "./selection/columns.js";
import { checkOptions, type FitOptions, type Progress } from "./selection/options.js";
import type { FitResult } from "./selection/result.js";
import { correlationWeights, type Screen, screenFrom } from "./selection/screen.js";
import type { BatchPlan, SearchPlan } from "./selection/search.js";
import { summarizeSearch } from "./selection/search-summary.js";
import type { Table } from "./sources/table.js";
import { buildStore } from "./store/build.js";
import { variablesOf } from "./store/encoding.js";
import type { Layout } from "./store/layout.js";
import { unscaled } from "./store/scaling.js";
import type { Store } from "./store/store.js";
import type { Job } from "./team/jobs.js";
import type { Team } from "./team/team.js";

/** What the surroundings provide: memory and threads. */
export interface Environment {
  kernels(bytes: number): Promise<Kernels>;
  team(store: Store, size: number): Promise<Team>;
  readonly threads: number;
}

/** Scratch room per thread, in bytes; pages that are never touched cost nothing. */
const SCRATCH = 64 * 2 ** 20;

/** Rows of a mini-batch unless told. */
const BATCH = 200;

export async function fitTable(
  table: Table,
  options: FitOptions,
  environment: Environment,
): Promise<FitResult> {
  checkOptions(options);
  const roles = columnRoles(table, options);
  const seed = options.seed ?? 1;
  const threads = options.threads ?? environment.threads;
  const timing: Record<string, number> = {};
  const timed = stopwatch(timing);

  const store = await timed("read", () =>
    buildStore({
      table,
      predictors: roles.predictors,
      target: roles.target,
      blockRows: options.batch ?? BATCH,
      missing: options.missing,
      seed,
      scratch: SCRATCH * threads,
      kernels: environment.kernels,
      signal: options.signal,
      onProgress: reading(options, table.rows),
    }),
  );
  const { columns } = store.layout;
  const batchRows = rowsPerBatch(table, store.layout, options);
  const team = await environment.team(store, threads);
  try {
    const always = variablesOf(store.record!.encoding, roles.always);
    const screen = await timed("screen", () => screenStore(store, team));
    if (screen.sd[columns] === 0) {
      throw new SparrowError(
        `${table.name}: the target "${options.target}" is constant; there is nothing to explain.`,
      );
    }
    const plan = paperPlan(options, store, screen, always, batchRows, seed);
    const chains = options.chains ?? 1;
    const jobs = Array.from({ length: chains }, (_, index) => ({ kind: "search", plan, index }) as const);
    const outputs = await timed("search", () =>
      team.run(jobs, {
        signal: options.signal,
        onProgress: stage(options, "search", chains * plan.iterations),
      }),
    );
    const names = [...store.names, "(Intercept)"];
    const partial = outputs.some((output) => output.iterations < plan.iterations);
    return {
      family: "gaussian",
      rows: store.layout.rows,
      columns,
      target: options.target,
      preset: options.preset ?? "auto",
      seed,
      notes: store.record!.notes,
      ...(partial && { partial: true as const }),
      ...summarizeSearch(outputs, names, () => 1),
      diagnostics: { warnings: [] },
      timing,
      settings: settingsOf(plan, chains, batchRows),
    };
  } finally {
    await team.close();
  }
}

/** Algorithm 1 with the paper's settings (section 4 and supplement S4.1), each of which can be overridden. */
function paperPlan(
  options: FitOptions,
  store: Store,
  screen: Screen,
  always: readonly number[],
  batchRows: number,
  seed: number,
): SearchPlan {
  const iterations = options.iterations ?? 5000;
  const weights = correlationWeights(screen, options.intercept === "none" ? 0 : Math.exp(-1));
  const noiseVariance = options.noiseVariance ?? 1;
  return {
    seed,
    iterations,
    burnIn: options.burnIn ?? Math.floor(0.4 * iterations),
    thin: 10,
    batch: batchPlan(options, store.layout, batchRows),
    models: options.models ?? 10,
    moves: options.moves ?? 1,
    stepSize: options.stepSize ?? 1e-6,
    temperature: options.temperature ?? 1,
    noiseVariance: noiseVariance === "unknown" ? 1 : noiseVariance,
    inclusion: options.priorInclusion ?? defaultInclusion(weights.length),
    slabVariance: options.slabVariance ?? 25,
    spikeVariance: 0.025,
    maxSize: options.maxSize ?? 50,
    weights,
    always,
    scaling: unscaled(store.shift),
  };
}

async function screenStore(store: Store, team: Team): Promise<Screen> {
  const columns = store.layout.columns + 1;
  const pieces = Math.min(team.size, columns);
  const jobs = Array.from({ length: pieces }, (_, i): Job & { kind: "screen" } => ({
    kind: "screen",
    first: Math.floor((i * columns) / pieces),
    last: Math.floor(((i + 1) * columns) / pieces),
  }));
  return screenFrom(await team.run(jobs), store.layout.rows);
}

function rowsPerBatch(table: Table, { rows }: Layout, { batch }: FitOptions): number {
  if (batch === undefined) return Math.min(BATCH, rows);
  if (batch > rows) {
    throw new SparrowError(
      `--batch ${batch} is more than the ${rows} rows of ${table.name}; make it smaller or leave it out.`,
    );
  }
  return batch;
}

function batchPlan(options: FitOptions, layout: Layout, rows: number): BatchPlan {
  const { sampling = "blocks" } = options;
  if (sampling !== "blocks") return { by: "rows", rows, replacement: sampling === "rows-with-replacement" };
  return { by: "blocks", blocks: Math.max(1, Math.round((rows * layout.blocks) / layout.rows)) };
}

function settingsOf(plan: SearchPlan, chains: number, batch: number): Record<string, unknown> {
  const { iterations, burnIn, models, moves, stepSize, temperature } = plan;
  const { noiseVariance, inclusion: priorInclusion, slabVariance, spikeVariance, maxSize } = plan;
  return {
    ...{ chains, iterations, burnIn, batch, models, moves, stepSize, temperature },
    ...{ noiseVariance, priorInclusion, slabVariance, spikeVariance, maxSize },
  };
}

/** Where the number of rows is not known, progress is the share of the input that has been read. */
function reading(options: FitOptions, total: number | undefined) {
  const { onProgress } = options;
  return (
    onProgress &&
    ((done: number, share?: number) =>
      onProgress({ stage: "read", done, total: total ?? (share ? Math.round(done / share) : 0) }))
  );
}

function stage(
  options: FitOptions,
  name: Progress["stage"],
  total: number,
): ((done: number) => void) | undefined {
  const { onProgress } = options;
  return onProgress && ((done) => onProgress({ stage: name, done, total }));
}

function stopwatch(timing: Record<string, number>) {
  return async <T>(name: string, work: () => Promise<T>): Promise<T> => {
    const start = performance.now();
    const result = await work();
    timing[name] = (performance.now() - start) / 1000;
    return result;
  };
}
