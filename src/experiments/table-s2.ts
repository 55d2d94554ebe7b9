/** Table S2 of Song et al. (2020): model size and prediction error on the Pascal challenge data *epsilon*. */

import { type Average, average } from "../diagnostics/selection-error.js";
import { binomial } from "../families/binomial.js";
import { nameOf } from "../families/register.js";
import { threadsKeeping } from "../node/threads.js";
import type { FitOptions } from "../options/fit.js";
import { predictTable } from "../prediction/predict.js";
import { runTable } from "../selection/fit-table.js";
import type { ColumnTable } from "../tables/table.js";
import { cpuMeter } from "./cpu-meter.js";
import { type Keeping, keeping } from "./simulation-study.js";

export interface TableS2Row {
  readonly method: string;
  readonly preset: string;
  readonly moves?: number;
  readonly modelSize: Average;
  readonly predictionError: Average;
  readonly cpuSeconds: Average;
  /** The row of the paper's table, where it has one. */
  readonly paper?: {
    readonly modelSize: number;
    readonly predictionError: number;
    readonly cpuSeconds: number;
  };
}

const PAPER = { modelSize: 62.7, predictionError: 0.1422, cpuSeconds: 1044 };

/** The paper's settings for this example. */
export const SETTINGS_S2 = {
  priorC0: 2.5,
  batch: 2000,
  stepSize: 5e-4,
  iterations: 1000,
  burnIn: 500,
  models: 10,
} as const;

export interface TableS2Settings {
  readonly train: () => Promise<ColumnTable> | ColumnTable;
  readonly test: () => Promise<ColumnTable> | ColumnTable;
  readonly runs: number;
  readonly options: Omit<FitOptions, "target">;
  readonly onRun?: (done: number) => void;
  readonly keeping?: Keeping;
}

/** Independent runs on the same data. The error is that of the median-probability model on the test rows. */
export async function tableS2Row(settings: TableS2Settings): Promise<TableS2Row> {
  const { runs, options } = settings;
  const { part } = settings.keeping ?? keeping(undefined);
  const all: OneRun[] = [];
  for (let seed = 1; seed <= runs; seed++) {
    all.push(await part(() => oneRun(seed, settings)));
    settings.onRun?.(seed);
  }
  return {
    method: "esgld",
    preset: options.preset ?? "auto",
    ...(options.moves !== undefined && { moves: options.moves }),
    modelSize: average(all.map(({ size }) => size)),
    predictionError: average(all.flatMap(({ error }) => error ?? [])),
    cpuSeconds: average(all.map(({ cpu }) => cpu)),
    paper: PAPER,
  };
}

interface OneRun {
  readonly size: number;
  readonly error: number | undefined;
  readonly cpu: number;
}

async function oneRun(seed: number, settings: TableS2Settings): Promise<OneRun> {
  const { options } = settings;
  options.signal?.throwIfAborted();
  const meter = cpuMeter();
  const asked = {
    ...options,
    family: nameOf(binomial),
    target: "label",
    seed,
    onProgress: meter.watch,
  } as const;
  const train = await settings.train();
  const { result, details } = await runTable(train, asked, threadsKeeping(settings.keeping?.journal));
  const cpu = meter.seconds();
  train.close?.();
  // What a stopped fit came to is not what this one comes to.
  if (result.partial) options.signal?.throwIfAborted();
  const size = result.variables.filter(({ selected, name }) => selected && name !== "(Intercept)").length;
  const test = await settings.test();
  const { scores } = await predictTable(details.predictor(), test, { signal: options.signal });
  test.close?.();
  const error = scores && "errorRate" in scores.median ? scores.median.errorRate : undefined;
  return { size, error, cpu };
}
