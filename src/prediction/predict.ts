/** Predictions for the rows of a table, and their scores where the table holds the target. */

import { SparrowError } from "../errors.js";
import { familyNamed, type Scores } from "../families/register.js";
import type { PredictOptions } from "../options/predict.js";
import { encodedTable } from "../store/build/encoded-table.js";
import { countRows } from "../tables/count.js";
import { someColumns } from "../tables/some-columns.js";
import type { ColumnTable, Table } from "../tables/table.js";
import { matchColumns, missingValue } from "./match-columns.js";
import type { Predictor } from "./predictor.js";
import { complete } from "./predictor-law.js";
import { rowPredictor } from "./row-predictor.js";

/** What `predict` returns of the run of a `fit`. */
export interface PredictResult {
  /** Rows that were predicted. */
  readonly rows: number;
  /** Predicted means of the model average. */
  readonly mean: Float64Array;
  /** Where the 95% credible intervals of those means begin. */
  readonly lower: Float64Array;
  /** Where they end. */
  readonly upper: Float64Array;
  /** Predicted means of the median-probability model. */
  readonly median: Float64Array;
  /** What was done to the data on the way in. */
  readonly notes?: readonly string[];
  /** Present when the table holds the target. */
  readonly scores?: { readonly average: Scores; readonly median: Scores };
}

export async function predictTable(
  predictor: Predictor,
  data: Table,
  options: Pick<PredictOptions, "signal" | "onProgress"> = {},
): Promise<PredictResult> {
  const { variables, average, median, encoding, law } = predictor;
  const source = data.by === "columns" ? data : someColumns(data, variables);
  const table = encoding ? encodedTable(source, encoding, new Set(variables)) : source;
  const rows = await countRows(source);
  const wanted = matchColumns(table, variables);
  const target = table.columns.findIndex(({ name, problem }) => name === predictor.target && !problem);
  const result = {
    rows,
    mean: new Float64Array(rows),
    lower: new Float64Array(rows),
    upper: new Float64Array(rows),
    median: new Float64Array(rows),
  };
  const y = target < 0 ? undefined : new Float64Array(rows);
  const row = new Float64Array(variables.length);
  // A model without variables still needs to know how many rows there are.
  const columns = target < 0 ? wanted : [...wanted, target];
  const asked = columns.length > 0 ? columns : [0];
  let done = 0;
  const by = { average: rowPredictor(predictor, average), median: rowPredictor(predictor, [median]) };
  for await (const chunk of table.chunks(asked)) {
    options.signal?.throwIfAborted();
    for (let i = 0; i < chunk.rows; i++) {
      let holes = 0;
      for (let c = 0; c < wanted.length; c++) {
        row[c] = chunk.columns[c][i];
        if (law && Number.isNaN(row[c])) holes += 1;
        else if (!Number.isFinite(row[c])) throw missingValue(table, variables[c], done + i, row[c]);
      }
      const unknown = law && holes > 0 ? complete(law, row) : undefined;
      const { mean, lower, upper } = by.average.predict(row, unknown);
      result.mean[done + i] = mean;
      result.lower[done + i] = lower;
      result.upper[done + i] = upper;
      result.median[done + i] = by.median.mean(row, unknown);
      if (y) y[done + i] = chunk.columns[wanted.length][i];
    }
    done += chunk.rows;
    options.onProgress?.({ stage: "predict", done, total: rows });
  }
  if (!y) return result;
  return { ...result, scores: scoresOf(predictor, table, y, result) };
}

function scoresOf(
  { family: name, classes, target }: Predictor,
  table: ColumnTable,
  y: Float64Array,
  { mean, median }: { mean: Float64Array; median: Float64Array },
): { average: Scores; median: Scores } {
  const bad = y.findIndex((value) => !Number.isFinite(value));
  if (bad >= 0) throw missingValue(table, target, bad, y[bad]);
  const { prediction } = familyNamed(name);
  const observed = prediction.observed(y, classes);
  if ("unfit" in observed) throw misfit(table, target, observed.unfit, y[observed.unfit], observed.wanted);
  const { values } = observed;
  return { average: prediction.scores(values, mean), median: prediction.scores(values, median) };
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
