/** Predictions for the rows of a table, and their scores where the table holds the target. */

import { SparrowError } from "../errors.js";
import { familyNamed, type Scores } from "../families/register.js";
import type { PredictOptions } from "../options/predict.js";
import { encodedTable } from "../store/build/encoded-table.js";
import { countRows } from "../tables/count.js";
import { someColumns } from "../tables/some-columns.js";
import type { ColumnTable, Table } from "../tables/table.js";
import { at, matchColumns, missingValue, rowsWithTarget } from "./match-columns.js";
import type { Predictor } from "./predictor.js";
import { complete } from "./predictor-law.js";
import { type Row, rowPredictor } from "./row-predictor.js";

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
  const { variables, average, median, encoding, law } = predictor;
  const source = data.by === "columns" ? data : someColumns(data, variables);
  const table = encoding ? encodedTable(source, encoding, new Set(variables)) : source;
  const rows = await countRows(source);
  const wanted = matchColumns(table, variables);
  const target = table.columns.findIndex(({ name, problem }) => name === predictor.target && !problem);
  const by = { average: rowPredictor(predictor, average), median: rowPredictor(predictor, [median]) };
  const result = {
    rows,
    mean: new Float64Array(rows),
    meanLower: new Float64Array(rows),
    meanUpper: new Float64Array(rows),
    ...(by.average.observes && {
      observationLower: new Float64Array(rows),
      observationUpper: new Float64Array(rows),
    }),
    median: new Float64Array(rows),
  };
  const y = target < 0 ? undefined : new Float64Array(rows);
  // A model without variables still needs to know how many rows there are.
  const columns = target < 0 ? wanted : [...wanted, target];
  const asked = columns.length > 0 ? columns : [0];
  let done = 0;
  const together = Math.max(1, Math.min(1024, Math.floor(NUMBERS / Math.max(1, variables.length))));
  for await (const chunk of table.chunks(asked)) {
    options.signal?.throwIfAborted();
    for (let first = 0; first < chunk.rows; first += together) {
      const count = Math.min(together, chunk.rows - first);
      const numbers = new Float64Array(count * variables.length);
      const rows = Array.from({ length: count }, (_, r): Row => {
        const i = first + r;
        const x = numbers.subarray(r * variables.length, (r + 1) * variables.length);
        let holes = 0;
        for (let c = 0; c < wanted.length; c++) {
          x[c] = chunk.columns[c][i];
          if (law && Number.isNaN(x[c])) holes += 1;
          else if (!Number.isFinite(x[c])) throw missingValue(table, variables[c], done + i, x[c]);
        }
        if (y) y[done + i] = chunk.columns[wanted.length][i];
        return { x, unknown: law && holes > 0 ? complete(law, x) : undefined };
      });
      by.average.predictAll(rows).forEach(({ mean, lower, upper, observation }, r) => {
        const i = done + first + r;
        result.mean[i] = mean;
        result.meanLower[i] = lower;
        result.meanUpper[i] = upper;
        if (!observation) return;
        result.observationLower![i] = observation.lower;
        result.observationUpper![i] = observation.upper;
      });
      result.median.set(by.median.means(rows), done + first);
    }
    done += chunk.rows;
    options.onProgress?.({ stage: "predict", done, total: rows });
  }
  const judged = y && judge(predictor, table, y, result);
  return judged ? { result: { ...result, scores: judged.scores }, rows: judged.rows } : { result };
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
