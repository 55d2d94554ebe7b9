/** Predictions for the rows of a table, and their scores where the table holds the target. */

import { SparrowError } from "../errors.js";
import { familyNamed, type Scores } from "../families/register.js";
import type { PredictOptions } from "../options/predict.js";
import { encodedTable } from "../store/build/encoded-table.js";
import { isUsable } from "../tables/read-errors.js";
import { someColumns } from "../tables/some-columns.js";
import type { Chunk, ColumnTable, Table } from "../tables/table.js";
import { GrowingNumbers } from "./growing-numbers.js";
import { at, FILLING, matchColumns, missingValue, rowsWithTarget } from "./match-columns.js";
import type { RowBlock } from "./placing.js";
import type { Predictor } from "./predictor.js";
import { completing, type Unknown } from "./predictor-law.js";
import { rowPredictor } from "./row-predictor.js";

/** What `predict` returns of the run of a `fit`. */
export interface PredictResult {
  /** Rows that were predicted. */
  readonly rows: number;
  /** Predicted means of the model average. */
  readonly mean: Float64Array;
  /** Where the 95% credible intervals of those means begin. */
  readonly meanLower: Float64Array;
  /** Where they end. */
  readonly meanUpper: Float64Array;
  /** Where the 95% intervals of new observations begin; absent for classes, whose probability says all. */
  readonly observationLower?: Float64Array;
  /** Where they end. */
  readonly observationUpper?: Float64Array;
  /** Predicted means of the median-probability model. */
  readonly median: Float64Array;
  /** What was done to the data on the way in. */
  readonly notes?: readonly string[];
  /** Columns that were carried over, as texts. */
  readonly id?: Readonly<Record<string, readonly string[]>>;
  /** Of the rows that hold the target; absent where none does. */
  readonly scores?: { readonly average: Scores; readonly median: Scores };
}

/** What was observed, as the family sees it, in the rows that hold the target, and what was predicted for them. */
export interface Observed {
  readonly observed: Float64Array;
  readonly predicted: Float64Array;
}

/** Numbers of rows that are predicted together. */
const NUMBERS = 2 ** 19;

export async function predictTable(
  predictor: Predictor,
  data: Table,
  options: Pick<PredictOptions, "signal" | "onProgress"> = {},
): Promise<PredictResult> {
  return (await predictObserved(predictor, data, options)).result;
}

export async function predictObserved(
  predictor: Predictor,
  data: Table,
  options: Pick<PredictOptions, "signal" | "onProgress"> = {},
): Promise<{ readonly result: PredictResult; readonly rows?: Observed }> {
  const { variables, average, median, encoding } = predictor;
  const source = data.by === "columns" ? data : someColumns(data, variables);
  const table = encoding ? encodedTable(source, encoding, new Set(variables)) : source;
  const wanted = matchColumns(table, variables);
  const target = table.columns.findIndex(({ name, problem }) => name === predictor.target && !problem);
  const by = { average: rowPredictor(predictor, average), median: rowPredictor(predictor, [median]) };
  const grow = () => new GrowingNumbers(source.rows);
  const [mean, meanLower, meanUpper, medians] = [grow(), grow(), grow(), grow()];
  const observation = by.average.observes ? { lower: grow(), upper: grow() } : undefined;
  const y = target < 0 ? undefined : grow();
  // A model without variables still needs to know how many rows there are.
  const columns = target < 0 ? wanted : [...wanted, target];
  const asked = columns.length > 0 ? columns : [0];
  let done = 0;
  const p = variables.length;
  const complete = predictor.law && completing(predictor.law);
  const together = Math.max(1, Math.min(1024, Math.floor(NUMBERS / Math.max(1, p))));
  for await (const chunk of table.chunks(asked)) {
    options.signal?.throwIfAborted();
    for (let first = 0; first < chunk.rows; first += together) {
      const count = Math.min(together, chunk.rows - first);
      const block = blockOf(variables, chunk.columns, { first, count, complete }, (variable, row, value) =>
        missingValue(table, variable, done + row, value, FILLING),
      );
      const predicted = by.average.predictAll(block);
      mean.append(predicted.mean);
      meanLower.append(predicted.lower);
      meanUpper.append(predicted.upper);
      if (predicted.observation) {
        observation!.lower.append(predicted.observation.lower);
        observation!.upper.append(predicted.observation.upper);
      }
      medians.append(by.median.means(block));
    }
    for (let i = 0; i < chunk.rows; i++) y?.push(chunk.columns[p][i]);
    done += chunk.rows;
    const total = source.rows ?? (chunk.share ? Math.round(done / chunk.share) : 0);
    options.onProgress?.({ stage: "predict", done, total });
  }
  const result = {
    rows: done,
    mean: mean.all(),
    meanLower: meanLower.all(),
    meanUpper: meanUpper.all(),
    ...(observation && {
      observationLower: observation.lower.all(),
      observationUpper: observation.upper.all(),
    }),
    median: medians.all(),
  };
  const judged = y && judge(predictor, table, y.all(), result);
  return judged ? { result: { ...result, scores: judged.scores }, rows: judged.rows } : { result };
}

/** So many rows of a chunk, and how to fill their holes. */
interface Stretch {
  readonly first: number;
  readonly count: number;
  readonly complete: ReturnType<typeof completing> | undefined;
}

/** The values of their variables, and what is unknown of them. */
function blockOf(
  variables: readonly string[],
  columns: Chunk["columns"],
  { first, count, complete }: Stretch,
  missing: (variable: string, row: number, value: number) => SparrowError,
): RowBlock {
  const holed = new Set<number>();
  const block = variables.map((variable, c) => {
    const values = numbersOf(columns[c], first, count);
    for (let r = 0; r < count; r++) {
      const value = values[r];
      if (isUsable(value)) continue;
      if (!complete || !Number.isNaN(value)) throw missing(variable, first + r, value);
      holed.add(r);
    }
    return values;
  });
  if (!complete || holed.size === 0) return { rows: count, columns: block };
  const unknown = new Map<number, Unknown>();
  const x = new Float64Array(variables.length);
  for (const r of holed) {
    for (let c = 0; c < x.length; c++) x[c] = block[c][r];
    unknown.set(r, complete(x));
    for (let c = 0; c < x.length; c++) block[c][r] = x[c];
  }
  return { rows: count, columns: block, unknown };
}

/** A copy, since holes will be filled. */
function numbersOf(values: ArrayLike<number>, first: number, count: number): Float64Array {
  if (values instanceof Float64Array) return values.slice(first, first + count);
  const out = new Float64Array(count);
  for (let r = 0; r < count; r++) out[r] = values[first + r];
  return out;
}

function judge(
  { family: name, classes, target }: Predictor,
  table: ColumnTable,
  y: Float64Array,
  { mean, median }: { mean: Float64Array; median: Float64Array },
): { scores: NonNullable<PredictResult["scores"]>; rows: Observed } | undefined {
  const scored = rowsWithTarget(table, target, y);
  if (scored.length === 0) return undefined;
  const { prediction } = familyNamed(name);
  const observed = prediction.observed(at(y, scored), classes);
  if ("unfit" in observed) {
    const row = scored[observed.unfit];
    throw misfit(table, target, row, y[row], observed.wanted);
  }
  const { values } = observed;
  const predicted = at(mean, scored);
  const scores = {
    average: prediction.scores(values, predicted),
    median: prediction.scores(values, at(median, scored)),
  };
  return { scores, rows: { observed: values, predicted } };
}

function misfit(
  table: ColumnTable,
  column: string,
  row: number,
  value: number,
  wanted: string,
): SparrowError {
  return new SparrowError(
    `${table.name}: column "${column}" holds ${value} in row ${row + 1} where the run has ${wanted}; leave the column out to predict without scores.`,
    "data",
  );
}
