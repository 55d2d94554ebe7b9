/** Predictions for the rows of a table, and their scores where the table holds the target. */

import { SparrowError } from "../errors.js";
import { familyNamed, type Scores } from "../families/register.js";
import { encodedTable } from "../store/build/encoded-table.js";
import { countRows } from "../tables/count.js";
import { someColumns } from "../tables/some-columns.js";
import type { ColumnTable, Table } from "../tables/table.js";
import { type Predictor, predictRow } from "./predictor.js";
import { complete } from "./predictor-law.js";

export interface Predictions {
  readonly rows: number;
  /** Predicted means of the model average with their 95% intervals. */
  readonly mean: Float64Array;
  readonly lower: Float64Array;
  readonly upper: Float64Array;
  /** Predicted means of the median-probability model. */
  readonly median: Float64Array;
  /** Present when the table holds the target. */
  readonly scores?: { readonly average: Scores; readonly median: Scores };
}

export async function predictTable(
  predictor: Predictor,
  data: Table,
  options: { signal?: AbortSignal | undefined; onProgress?: ((rows: number) => void) | undefined } = {},
): Promise<Predictions> {
  if (predictor?.format !== "sparrow-predictor") {
    throw new SparrowError(
      "predict needs a predictor: what details.predictor() of a run gives, or a model.json.",
    );
  }
  const { variables, average, median, encoding, law } = predictor;
  const source = data.by === "columns" ? data : someColumns(data, variables);
  const table = encoding ? encodedTable(source, encoding, new Set(variables)) : source;
  const rows = await countRows(source);
  const wanted = matchColumns(predictor, table);
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
  for await (const chunk of table.chunks(asked)) {
    options.signal?.throwIfAborted();
    for (let i = 0; i < chunk.rows; i++) {
      let holes = 0;
      for (let c = 0; c < wanted.length; c++) {
        row[c] = chunk.columns[c][i];
        if (law && Number.isNaN(row[c])) holes += 1;
        else if (!Number.isFinite(row[c])) throw missing(table, variables[c], done + i, row[c]);
      }
      const unknown = law && holes > 0 ? complete(law, row) : undefined;
      const { mean, lower, upper } = predictRow(predictor, average, row, unknown);
      result.mean[done + i] = mean;
      result.lower[done + i] = lower;
      result.upper[done + i] = upper;
      result.median[done + i] = predictRow(predictor, [median], row, unknown).mean;
      if (y) y[done + i] = chunk.columns[wanted.length][i];
    }
    done += chunk.rows;
    options.onProgress?.(done);
  }
  if (!y) return result;
  return { ...result, scores: scoresOf(predictor, table, y, result) };
}

/** Columns of the table in the order of the predictor's variables: extra and reordered ones do no harm. */
function matchColumns({ variables }: Predictor, table: ColumnTable): number[] {
  const at = new Map(table.columns.map(({ name }, i) => [name, i]));
  const absent = variables.filter((name) => !at.has(name));
  if (absent.length > 0) {
    const listed = absent
      .slice(0, 5)
      .map((name) => `"${name}"`)
      .join(", ");
    const more = absent.length > 5 ? ` and ${absent.length - 5} more` : "";
    throw new SparrowError(
      `${table.name} has no column ${listed}${more}, which the run needs; give data with the columns that the run was fitted on.`,
    );
  }
  return variables.map((name) => {
    const i = at.get(name)!;
    const { problem } = table.columns[i];
    if (problem === undefined) return i;
    throw new SparrowError(
      `${table.name}: column "${name}" holds ${problem}, but the run was fitted on numbers.`,
    );
  });
}

function scoresOf(
  { family: name, classes, target }: Predictor,
  table: ColumnTable,
  y: Float64Array,
  { mean, median }: { mean: Float64Array; median: Float64Array },
): { average: Scores; median: Scores } {
  const bad = y.findIndex((value) => !Number.isFinite(value));
  if (bad >= 0) throw missing(table, target, bad, y[bad]);
  const { prediction } = familyNamed(name);
  const observed = prediction.observed(y, classes);
  if ("unfit" in observed) throw misfit(table, target, observed.unfit, y[observed.unfit], observed.wanted);
  const { values } = observed;
  return { average: prediction.scores(values, mean), median: prediction.scores(values, median) };
}

function missing(table: ColumnTable, column: string, row: number, value: number): SparrowError {
  const what = Number.isNaN(value) ? "has no value" : `is ${value}`;
  return new SparrowError(
    `${table.name}: column "${column}" ${what} in row ${row + 1}; remove or replace it before predicting${Number.isNaN(value) ? ", or fit to data with missing values, which tells how to fill them" : ""}.`,
  );
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
  );
}
