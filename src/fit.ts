/** The main job: from a table to the posterior over models. Runs anywhere; what differs is the environment. */

import { verdict } from "./diagnostics/verdict.js";
import { SparrowError } from "./errors.js";
import type { Kernels } from "./kernels/interface.js";
import { readStore } from "./read.js";
import { fitAuto } from "./selection/auto.js";
import { chainDraws } from "./selection/chain-draws.js";
import { columnNotes } from "./selection/column-notes.js";
import { deviances, screenStore } from "./selection/column-passes.js";
import { alwaysVariables } from "./selection/columns.js";
import type { RunDetails } from "./selection/details.js";
import { dispersionNotes } from "./selection/dispersion.js";
import { autoGlmPlan, paperGlmPlan } from "./selection/glm-plans.js";
import { withDropping } from "./selection/imputation/dropping.js";
import { checkImputation, MAX_COLUMNS } from "./selection/imputation/fit.js";
import { type Holes, takeHoles } from "./selection/imputation/holes.js";
import { missingSummary } from "./selection/imputation/summary.js";
import { checkOptions, type FitOptions, type Progress } from "./selection/options.js";
import { autoPlan, paperPlan, planSettings, roundsPlan } from "./selection/plans.js";
import { predictTable } from "./selection/predict.js";
import { drawsPredictor } from "./selection/predictor-of.js";
import type { FitResult } from "./selection/result.js";
import type { Screen } from "./selection/screen.js";
import type { ChainOutput, SearchPlan } from "./selection/search.js";
import { searchDiagnostics } from "./selection/search-diagnostics.js";
import { type RoundsPlan, type SearchJob, searchInRounds } from "./selection/search-rounds.js";
import { searchSettings } from "./selection/search-settings.js";
import { summarizeSearch } from "./selection/search-summary.js";
import { steinOfChains } from "./selection/stein-draws.js";
import { targetOf } from "./selection/target.js";
import { timeBudget } from "./selection/time-budget.js";
import { holdOut } from "./sources/subset.js";
import type { SparseTable, Table } from "./sources/table.js";
import type { Disk, Surroundings } from "./store/room.js";
import { scaled } from "./store/scaling.js";
import type { Store } from "./store/store.js";
import type { Team } from "./team/team.js";

/** What the surroundings provide: memory and threads. */
export interface Environment {
  kernels(bytes: number): Promise<Kernels>;
  team(store: Store, size: number): Promise<Team>;
  readonly disk?: Disk;
  readonly threads: number;
}

/** Scratch room per thread, in bytes; pages that are never touched cost nothing. */
const SCRATCH = 64 * 2 ** 20;

/** Below this many products (rows × columns²) every column is a candidate and no search is needed. */
const DIRECT_WORK = 2e9;
const DIRECT_COLUMNS = 300;
/** The same where holes are drawn, with products in every one of a few sweeps: a minute or two on two cores. */
const IMPUTED_WORK = 5e10;

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
  table: Table | SparseTable,
  options: FitOptions,
  environment: Environment,
  /** Whether every column is a candidate; decided from the size of the data unless told. */
  direct?: boolean,
): Promise<FitResult> {
  return (await runTable(table, options, environment, direct)).result;
}

export async function runTable(
  table: Table | SparseTable,
  options: FitOptions,
  environment: Environment,
  direct?: boolean,
): Promise<Run> {
  checkOptions(options);
  if (options.holdout !== undefined) return runWithHoldout(table, options, environment);
  const blockRows = (rows: number) => rowsPerBatch(table.name, rows, options);
  const asked = { ...options, missing: options.missing ?? "impute" };
  const run = await runStore(
    (room) => readStore(table, asked, blockRows, room),
    options,
    environment,
    direct,
  );
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
  const team = await environment.team(store, threads);
  try {
    const impute = store.record!.encoding.missing === "impute";
    const holes = impute ? await timed("screen", async () => takeHoles(store)) : undefined;
    const filled = await timed("screen", () => screenStore(store, team));
    const screen = observedScreen(filled, holes);
    const { columns, rows } = store.layout;
    const { encoding, source, checksum } = store.record!;
    const name = encoding.target.column;
    if (screen.sd[columns] === 0) {
      throw new SparrowError(`${source}: the target "${name}" is constant; there is nothing to explain.`);
    }
    if (holes) checkImputation(source, options);
    const alike = columnNotes(store, screen);
    const notes = [...store.record!.notes, ...alike.notes];
    const batchRows = rowsPerBatch(source, rows, options);
    const always = alwaysVariables(encoding, options.always ?? []);
    const target = targetOf(store, options.family ?? "auto", name);
    const { family } = target;
    notes.push(...target.warnings);
    const inputs = {
      options: { ...options, signal: budget.signal },
      ...{ store, screen, always, batchRows, seed },
    };
    const search = (plan: SearchPlan, chains: number, rounds: RoundsPlan, signal: AbortSignal) => {
      const run = (jobs: readonly SearchJob[], before: number): Promise<ChainOutput[]> =>
        team.run(jobs, progress("search", chains * plan.iterations, signal, before));
      return timed("search", () => searchInRounds(run, plan, chains, rounds));
    };
    const record = (): DataRecord => ({ ...{ name: source, rows, columns: store.names, checksum } });
    const common = { family, rows, columns, target: name, preset, seed, notes } as const;

    if (preset === "paper") {
      const plan =
        family === "gaussian"
          ? paperPlan(inputs)
          : paperGlmPlan(inputs, target, await timed("screen", () => deviances(store, team, screen, target)));
      const chains = options.chains ?? 1;
      const names = [...store.names, "(Intercept)"];
      const head = { family, target: name, ...(target.classes && { classes: target.classes }) };
      const oneRound = { length: plan.iterations, untilAgreement: false };
      const { chains: outputs, cut } = await search(plan, chains, oneRound, budget.signal);
      if (outputs.every(({ models }) => models === 0)) {
        options.signal?.throwIfAborted();
        if (!cut) {
          throw new SparrowError(
            "Every draw after the burn-in lies in the exploration of a cycle and counts nothing; make the cycles of --step-size shorter.",
            "usage",
          );
        }
        throw new SparrowError(
          `--seconds ${options.seconds} ended before the ${plan.burnIn} iterations of burn-in; give more time, or lower --burn-in.`,
        );
      }
      const known = searchDiagnostics(outputs, names.length);
      const summary = summarizeSearch(outputs, names, known.inclusionError);
      const stein = cut
        ? undefined
        : await timed("search", () => steinOfChains({ store, team, run: {} }, outputs, plan));
      const leastKnown = summary.variables.reduce((a, b) => (b.pipError > a.pipError ? b : a));
      const judgement = verdict({
        chains,
        ...(known.rhat !== undefined && { rhat: known.rhat, rhatOf: "the model size" }),
        ...(known.ess !== undefined && { ess: known.ess, essOf: "the model size" }),
        ...{ pipError: leastKnown.pipError, pipErrorOf: leastKnown.name },
        ...(stein && { stein }),
        outOfTime: cut && !stoppedByUser(),
      });
      const result: FitResult = {
        ...common,
        ...(cut && stoppedByUser() && { partial: true }),
        ...summary,
        verdict: judgement.summary,
        diagnostics: {
          ...(Number.isFinite(known.rhat) && { rhat: known.rhat! }),
          ...(known.ess !== undefined && { ess: known.ess }),
          ...(stein && { stein }),
          warnings: judgement.warnings,
        },
        timing,
        settings: planSettings(plan, chains, store.layout),
      };
      const noise = family === "gaussian" && plan.noise.known ? plan.noise.variance : undefined;
      const details = {
        draws: () => chainDraws(outputs, store.names, noise),
        predictor: () => ({ ...drawsPredictor(head, names, outputs), encoding }),
      };
      return { result, data: record(), details, search: searchTrace(outputs, plan) };
    }

    // A constant column explains nothing, even where it was asked for.
    const useful = { ...inputs, always: always.filter((j) => screen.sd[j] > 0) };
    const centred = options.intercept !== "none";
    const standard = options.scale !== "none";
    const scalingFor = (standardTarget: boolean) => {
      const scaling = scaled({ ...screen, shift: store.shift, centred, standard, standardTarget });
      return family === "gaussian" ? scaling : { ...scaling, target: target.scaling };
    };
    const small = columns <= DIRECT_COLUMNS && rows * columns ** 2 <= DIRECT_WORK;
    const searchPlan = (): SearchPlan =>
      family === "gaussian"
        ? autoPlan(useful, scalingFor(true))
        : autoGlmPlan(useful, target, scalingFor(false));
    const few = holes ? columns <= MAX_COLUMNS && rows * columns ** 2 <= IMPUTED_WORK : small;
    const plan = (direct ?? few) ? undefined : searchPlan();
    if (!plan) notes.push(...idleNotes(options, holes ? ["iterations", "burnIn"] : []));
    const chains = options.chains ?? 2;
    const rounds = roundsPlan(options, store.layout);
    const searched = plan && (await search(plan, chains, rounds, budget.search));
    const fitted = await fitAuto(
      {
        ...useful,
        // Outside the candidates means stand in the holes.
        screen: filled,
        holes,
        team,
        scaling: scalingFor(false),
        target,
        start: searched ? medianModel(searched.chains, columns) : useful.always,
        timed,
        run: (stage) => progress(stage, 0, budget.signal),
        stoppedByUser,
      },
      searched,
    );
    const { settings, ...answer } = fitted.answer;
    notes.push(...alike.likely(answer.variables));
    if (family === "poisson") notes.push(...dispersionNotes(store, fitted.details.predictor()));
    const result: FitResult = {
      ...common,
      ...(fitted.unfinished && stoppedByUser() && { partial: true }),
      ...answer,
      ...(holes && { missing: missingSummary(holes, encoding, rows, answer.certificate!.candidates) }),
      timing,
      settings: { ...(searched && searchSettings(searched, plan!, store.layout)), ...settings },
    };
    return {
      ...{ result, data: record() },
      details: { ...fitted.details, predictor: () => ({ ...fitted.details.predictor(), encoding }) },
      ...(searched && { search: searchTrace(searched.chains, searched.plan) }),
    };
  } finally {
    budget.end();
    await team.close();
    store.close?.();
  }
}

/** Sets rows aside, fits the others, and scores the predictions for what was set aside. */
async function runWithHoldout(
  table: Table | SparseTable,
  { holdout = 0, ...options }: FitOptions,
  environment: Environment,
): Promise<Run> {
  const { train, test } = holdOut(table, holdout, options.seed ?? 1);
  const run = await runTable(train, options, environment);
  const { scores, rows } = await predictTable(run.details.predictor(), test, { signal: options.signal });
  const settings = { ...run.result.settings, holdout };
  return { ...run, result: { ...run.result, holdout: { rows, ...scores! }, settings } };
}

/** Settings of the search that were given where none was needed, but for those that something else has `used`. */
function idleNotes(options: FitOptions, used: readonly string[]): string[] {
  const settings = ["iterations", "burnIn", "batch", "models", "moves", "stepSize", "integrator"] as const;
  const given = [...settings, "temperature" as const].filter(
    (name) => options[name] !== undefined && !used.includes(name),
  );
  if (given.length === 0) return [];
  const said = given.map((name) => `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`);
  return [`Every model could be compared without a search, so ${said.join(", ")} changed nothing.`];
}

/** Columns that most of the models of a search hold; where none was counted, those of its last model. */
function medianModel(outputs: readonly ChainOutput[], columns: number): number[] {
  const models = outputs.reduce((sum, chain) => sum + chain.models, 0);
  if (models === 0) return [...outputs[0].last.members].filter((j) => j < columns).sort((a, b) => a - b);
  return Array.from({ length: columns }, (_, j) => j).filter(
    (j) => outputs.reduce((sum, chain) => sum + chain.inclusion[j], 0) > 0.5 * models,
  );
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
