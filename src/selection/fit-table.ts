/** A fit from a table: read into a store, perhaps without some of the rows, which then score the predictions. */

import { SparrowError } from "../errors.js";
import type { Family } from "../families/family.js";
import { checkOptions, type FitOptions } from "../options/fit.js";
import { refuseQuestions } from "../options/refuse-questions.js";
import { predictObserved } from "../prediction/predict.js";
import type { BlockRows } from "../store/build/read-table.js";
import type { Surroundings } from "../store/open/room.js";
import { holdOut } from "../tables/hold-out.js";
import type { Table } from "../tables/table.js";
import { option } from "../wording.js";
import { someRows } from "./answer/fitted.js";
import type { FitResult } from "./answer/result.js";
import { type OpenedStore, readStore, refuseNotNumbers } from "./data/read.js";
import { type Environment, expecting } from "./environment.js";
import { fitStore } from "./fit.js";
import { withDropping } from "./missing/dropping.js";
import type { Run } from "./run.js";

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
  refuseQuestions(options);
  if (options.holdout !== undefined) return runWithHoldout(table, options, environment);
  const blockRows: BlockRows = (rows, family) => rowsPerBlock(table.name, rows, family, options);
  const open = async (room: Surroundings): Promise<OpenedStore> => {
    if (options.missing !== undefined) return readStore(table, options, blockRows, room);
    const opened = await readStore(table, { ...options, missing: "impute" }, blockRows, room);
    await refuseNotNumbers(table, opened.store);
    return opened;
  };
  const numbers = table.by === "columns" && table.rows ? table.rows * table.columns.length : undefined;
  const run = await fitStore(open, options, expecting(numbers, environment), direct);
  if (!run.result.missing) return run;
  const result = await withDropping(run.result, options, (others) => fitTable(table, others, environment));
  return { ...run, result };
}

/** Sets rows aside, fits the others, and scores the predictions for what was set aside. */
async function runWithHoldout(
  table: Table,
  { holdout = 0, ...options }: FitOptions,
  environment: Environment,
): Promise<Run> {
  const { train, test } = holdOut(table, holdout, options.seed ?? 1);
  const run = await runTable(train, options, environment);
  const { signal } = options;
  const { result, rows } = await predictObserved(run.details.predictor(), test, { signal });
  const settings = { ...run.result.settings, holdout };
  return {
    ...run,
    predicted: someRows("held out", rows?.observed ?? [], rows?.predicted ?? []),
    result: { ...run.result, holdout: { rows: result.rows, ...result.scores! }, settings },
  };
}

/** Mini-batches are made of whole blocks, so a block is as large as the smallest batch. */
export function rowsPerBlock(
  source: string,
  rows: number,
  { paper }: Family,
  { batch, preset }: FitOptions,
): number {
  if (batch === undefined) {
    const wanted = preset === "paper" ? paper.batch : Math.max(500, Math.ceil(rows / 50));
    return Math.min(wanted, rows, 5000);
  }
  if (batch > rows) {
    throw new SparrowError(
      `${option("batch", batch)} is more than the ${rows} rows of ${source}; make it smaller or leave it out.`,
    );
  }
  return batch;
}
