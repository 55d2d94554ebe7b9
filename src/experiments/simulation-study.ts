/** Tables 1 and S1 of Song et al. (2020), and one like them for counts: selection and estimation on simulated data sets. */

import {
  type Average,
  average,
  overDataSets,
  type SelectionError,
  selectionError,
} from "../diagnostics/selection-error.js";
import { nameOf } from "../families/register.js";
import { threadsKeeping } from "../node/threads.js";
import type { FitOptions } from "../options/fit.js";
import type { FitResult } from "../selection/answer/result.js";
import { fitTable } from "../selection/fit-table.js";
import type { Journal } from "../workers/journal.js";
import { type Parts, parts } from "../workers/parts.js";
import { cpuMeter } from "./cpu-meter.js";
import { SIMULATIONS, type SimulationKind, simulatedTable, trueCoefficients } from "./simulated.js";

export interface TableRow {
  readonly method: string;
  readonly preset: string;
  readonly moves?: number;
  readonly fsr: Average;
  readonly nsr: Average;
  readonly mse1: Average;
  readonly mse0: Average;
  readonly cpuSeconds: Average;
  /** The row of the paper's table, where it has one. */
  readonly paper?: Readonly<Record<"fsr" | "nsr" | "mse1" | "mse0" | "cpuSeconds", number>>;
}

const PAPER: Partial<Record<SimulationKind, NonNullable<TableRow["paper"]>>> = {
  linear: { fsr: 0, nsr: 0, mse1: 2.91e-3, mse0: 1.26e-7, cpuSeconds: 198 },
  logistic: { fsr: 0, nsr: 0, mse1: 2.37e-2, mse0: 2.7e-4, cpuSeconds: 174 },
};

export interface StudySettings {
  readonly kind: SimulationKind;
  readonly datasets: number;
  readonly rows: number;
  readonly columns: number;
  readonly options: Omit<FitOptions, "target">;
  readonly onDataSet?: (done: number) => void;
  readonly keeping?: Keeping;
}

/** Where a study keeps what it has come to, so that it can be resumed: finished fits, and what one under way has. */
export interface Keeping {
  readonly journal: Journal | undefined;
  readonly part: Parts;
}

export function keeping(journal: Journal | undefined): Keeping {
  return { journal, part: parts(journal) };
}

/** One row: a fit with the given options on each data set. */
export async function studyRow(settings: StudySettings): Promise<TableRow> {
  const { kind, datasets, rows, columns, options } = settings;
  const truth = trueCoefficients(columns, kind);
  const { journal, part } = settings.keeping ?? keeping(undefined);
  const fits: { readonly error: SelectionError; readonly cpu: number }[] = [];
  for (let seed = 1; seed <= datasets; seed++) {
    const fit = async () => {
      options.signal?.throwIfAborted();
      const meter = cpuMeter();
      const table = simulatedTable({ kind, rows, columns, seed });
      const result = await fitTable(
        table,
        {
          threads: 1,
          ...options,
          family: nameOf(SIMULATIONS[kind].family),
          target: "y",
          seed,
          onProgress: meter.watch,
        },
        threadsKeeping(journal),
      );
      if (result.partial) options.signal?.throwIfAborted();
      const cpu = meter.seconds();
      return { error: selectionError(...recovered(result, columns), truth), cpu };
    };
    fits.push(await part(fit));
    settings.onDataSet?.(seed);
  }
  return {
    method: "esgld",
    preset: options.preset ?? "auto",
    ...(options.moves !== undefined && { moves: options.moves }),
    ...overDataSets(fits.map(({ error }) => error)),
    cpuSeconds: average(fits.map(({ cpu }) => cpu)),
    ...(PAPER[kind] && { paper: PAPER[kind] }),
  };
}

/** Selected columns and estimates in the order of the columns; the intercept is not a predictor. */
function recovered(result: FitResult, columns: number): [number[], Float64Array] {
  const selected: number[] = [];
  const estimate = new Float64Array(columns);
  for (const { name, mean, selected: isSelected } of result.variables) {
    if (!name.startsWith("z")) continue;
    const j = Number(name.slice(1)) - 1;
    estimate[j] = mean;
    if (isSelected) selected.push(j);
  }
  return [selected, estimate];
}
