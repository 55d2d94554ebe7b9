/** The main job: from a table to the posterior over models. Runs anywhere; what differs is the environment. */

import { SparrowError } from "./errors.js";
import type { Kernels } from "./kernels/interface.js";
import { fitAuto } from "./selection/auto.js";
import { columnRoles } from "./selection/columns.js";
import { checkOptions, type FitOptions, type Progress } from "./selection/options.js";
import { autoPlan, paperPlan, planSettings } from "./selection/plans.js";
import type { FitResult } from "./selection/result.js";
import { type Screen, screenFrom } from "./selection/screen.js";
import type { ChainOutput, SearchPlan } from "./selection/search.js";
import { summarizeSearch } from "./selection/search-summary.js";
import type { Table } from "./sources/table.js";
import { buildStore } from "./store/build.js";
import { scaled } from "./store/scaling.js";
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

/** Below this many products (rows × columns²) every column is a candidate and no search is needed. */
const DIRECT_WORK = 2e9;
const DIRECT_COLUMNS = 300;

export async function fitTable(
  table: Table,
  options: FitOptions,
  environment: Environment,
): Promise<FitResult> {
  checkOptions(options);
  const roles = columnRoles(table, options);
  if (table.rows < 3)
    throw new SparrowError(`${table.name} has ${table.rows} rows of data; at least 3 are needed.`);
  const seed = options.seed ?? 1;
  const preset = options.preset ?? "auto";
  const batchRows = rowsPerBatch(table, options);
  const threads = options.threads ?? environment.threads;
  const timing: Record<string, number> = {};
  const timed = stopwatch(timing);
  const progress = (stage: Progress["stage"], total: number) => ({
    signal: options.signal,
    onProgress: options.onProgress && ((done: number) => options.onProgress!({ stage, done, total })),
  });

  const store = await timed("read", () =>
    buildStore({
      table,
      predictors: roles.predictors,
      target: roles.target,
      blockRows: batchRows,
      seed,
      scratch: SCRATCH * threads,
      kernels: environment.kernels,
      ...progress("read", table.rows),
    }),
  );
  const team = await environment.team(store, threads);
  try {
    const screen = await timed("screen", () => screenStore(store, team));
    const { columns, rows } = store.layout;
    if (screen.sd[columns] === 0) {
      throw new SparrowError(
        `${table.name}: the target "${options.target}" is constant; there is nothing to explain.`,
      );
    }
    const inputs = { options, store, screen, always: roles.always, batchRows, seed };
    const search = (plan: SearchPlan, chains: number): Promise<ChainOutput[]> => {
      const jobs = Array.from({ length: chains }, (_, index) => ({ kind: "search", plan, index }) as const);
      return timed("search", () => team.run(jobs, progress("search", chains * plan.iterations)));
    };
    const common = { family: "gaussian", rows, columns, target: options.target, preset, seed } as const;

    if (preset === "paper") {
      const plan = paperPlan(inputs);
      const chains = options.chains ?? 1;
      const outputs = await search(plan, chains);
      return {
        ...common,
        ...stoppedEarly(outputs, plan),
        ...summarizeSearch(outputs, [...store.names, "(Intercept)"], () => 1),
        diagnostics: { warnings: [] },
        timing,
        settings: planSettings(plan, chains, batchRows),
      };
    }

    const centred = options.intercept !== "none";
    const standard = options.scale !== "none";
    const scalingFor = (standardTarget: boolean) =>
      scaled({ ...screen, shift: store.shift, centred, standard, standardTarget });
    const direct = columns <= DIRECT_COLUMNS && rows * columns ** 2 <= DIRECT_WORK;
    const plan = direct ? undefined : autoPlan(inputs, scalingFor(true));
    const chains = options.chains ?? 2;
    const outputs = plan && (await search(plan, chains));
    const { settings, ...answer } = await fitAuto(
      {
        ...inputs,
        team,
        scaling: scalingFor(false),
        timed,
        run: (stage) => progress(stage, 0),
      },
      outputs,
    );
    return {
      ...common,
      ...(plan && outputs && stoppedEarly(outputs, plan)),
      ...answer,
      timing,
      settings: { ...(plan && planSettings(plan, chains, batchRows)), ...settings },
    };
  } finally {
    await team.close();
  }
}

function stoppedEarly(outputs: readonly ChainOutput[], plan: SearchPlan): { partial?: true } {
  return outputs.some(({ iterations }) => iterations < plan.iterations) ? { partial: true } : {};
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

/** n: the paper's 200, or in the default mode enough rows that the noise of a model step stays bounded. */
function rowsPerBatch(table: Table, options: FitOptions): number {
  if (options.batch === undefined) {
    const wanted = options.preset === "paper" ? 200 : Math.max(500, Math.ceil(table.rows / 50));
    return Math.min(wanted, table.rows, 20_000);
  }
  if (options.batch > table.rows) {
    throw new SparrowError(
      `--batch ${options.batch} is more than the ${table.rows} rows of ${table.name}; make it smaller or leave it out.`,
    );
  }
  return options.batch;
}

function stopwatch(timing: Record<string, number>) {
  return async <T>(name: string, work: () => Promise<T>): Promise<T> => {
    const start = performance.now();
    const result = await work();
    timing[name] = (timing[name] ?? 0) + (performance.now() - start) / 1000;
    return result;
  };
}
