/** Predictions of a mixed model for the rows of a table, and their scores where the table holds the target. */

import { type GaussianScores, gaussianScores } from "../diagnostics/predictive.js";
import { SparrowError } from "../errors.js";
import type { PredictOptions } from "../options/predict.js";
import { encodedTable } from "../store/build/encoded-table.js";
import { countRows } from "../tables/count.js";
import { labelOf } from "../tables/labels.js";
import { isUsable } from "../tables/read-errors.js";
import { someColumns } from "../tables/some-columns.js";
import type { ColumnTable, Table } from "../tables/table.js";
import { at, matchColumns, missingValue, rowsWithTarget } from "./match-columns.js";
import { type MixedPredictor, mixedRows } from "./mixed-predictor.js";

/** What `predict` returns of the run of a mixed model. */
export interface MixedPredictResult {
  /** Rows that were predicted. */
  readonly rows: number;
  /** Predicted means: with the effects of their group where the run knows it, else those of the population. */
  readonly mean: Float64Array;
  /** Where the 95% credible intervals of those means begin. */
  readonly meanLower: Float64Array;
  /** Where they end. For a group that the run does not know they hold the effects that it may have. */
  readonly meanUpper: Float64Array;
  /** Where the 95% intervals of new observations begin; absent for classes, whose probability says all. */
  readonly observationLower?: Float64Array;
  /** Where they end. */
  readonly observationUpper?: Float64Array;
  /** 1 where the run knows the row's group, 0 where it does not. */
  readonly known: Uint8Array;
  /** What was done to the data on the way in. */
  readonly notes?: readonly string[];
  /** Columns that were carried over, as texts. */
  readonly id?: Readonly<Record<string, readonly string[]>>;
  /** Of the rows that hold the target; absent where none does. */
  readonly scores?: MixedScores;
}

/** Scores of the predictions of a mixed model; absent for a kind of group that no row has. */
export interface MixedScores {
  /** Of all rows. */
  readonly all: GaussianScores;
  /** Of rows whose group the run knows. */
  readonly known?: GaussianScores;
  /** Of rows whose group it does not know. */
  readonly new?: GaussianScores;
}

/** Half of a 95% interval in standard deviations. */
const HALF = 1.959963984540054;

export async function predictMixed(
  predictor: MixedPredictor,
  data: Table,
  options: Pick<PredictOptions, "signal" | "onProgress"> = {},
): Promise<MixedPredictResult> {
  const { variables, group, target: targetName, encoding } = predictor;
  const source = data.by === "columns" ? data : someColumns(data, [group, ...variables]);
  const [groupAt] = matchColumns(source, [group]);
  const table = encoding ? encodedTable(source, encoding, new Set(variables), [groupAt]) : source;
  const rows = await countRows(source);
  const wanted = matchColumns(table, [...variables, group]);
  const target = targetOf(table, source, targetName);
  const result = {
    rows,
    mean: new Float64Array(rows),
    meanLower: new Float64Array(rows),
    meanUpper: new Float64Array(rows),
    observationLower: new Float64Array(rows),
    observationUpper: new Float64Array(rows),
    known: new Uint8Array(rows),
  };
  const y = target < 0 ? undefined : new Float64Array(rows);
  const x = new Float64Array(variables.length);
  const predictRow = mixedRows(predictor);
  const place = placesOf(predictor, source, groupAt);
  let done = 0;
  for await (const { columns, rows: count } of table.chunks(target < 0 ? wanted : [...wanted, target])) {
    options.signal?.throwIfAborted();
    for (let i = 0; i < count; i++) {
      for (let c = 0; c < x.length; c++) {
        x[c] = columns[c][i];
        if (!isUsable(x[c])) throw missingValue(table, variables[c], done + i, x[c]);
      }
      const at = place(columns[x.length][i]);
      const { mean, variance } = predictRow(x, at);
      const half = HALF * Math.sqrt(variance);
      const wide = HALF * Math.sqrt(variance + predictor.noiseVariance);
      result.mean[done + i] = mean;
      result.meanLower[done + i] = mean - half;
      result.meanUpper[done + i] = mean + half;
      result.observationLower[done + i] = mean - wide;
      result.observationUpper[done + i] = mean + wide;
      result.known[done + i] = Number(at >= 0);
      if (y) y[done + i] = columns[x.length + 1][i];
    }
    done += count;
    options.onProgress?.({ stage: "predict", done, total: rows });
  }
  const scored = y && rowsWithTarget(table, targetName, y);
  return { ...result, ...(scored && scored.length > 0 && { scores: scoresOf(y, scored, result) }) };
}

/** Where a group, as the table codes it, stands in the run; −1 where it does not, or where a row has none. */
function placesOf({ groups }: MixedPredictor, table: ColumnTable, column: number): (code: number) => number {
  const places = new Map(groups.names.map((name, i) => [name, i]));
  const found = new Map<number, number>();
  return (code) => {
    if (Number.isNaN(code)) return -1;
    let at = found.get(code);
    if (at === undefined) {
      at = places.get(labelOf(table.columns[column], code)) ?? -1;
      found.set(code, at);
    }
    return at;
  };
}

/** −1 where the table does not hold the target. */
function targetOf(table: ColumnTable, source: ColumnTable, target: string): number {
  const given = source.columns.find(({ name }) => name === target);
  if (given?.kind === "text") {
    throw new SparrowError(
      `${source.name}: the target "${target}" holds text where the run has numbers; leave the column out to predict without scores.`,
      "column",
    );
  }
  return table.columns.findIndex(({ name, problem }) => name === target && !problem);
}

function scoresOf(
  y: Float64Array,
  scored: Uint32Array,
  { mean, known }: Pick<MixedPredictResult, "mean" | "known">,
): MixedScores {
  const of = (rows: Uint32Array) => gaussianScores(at(y, rows), at(mean, rows));
  const [seen, unseen] = [1, 0].map((kind) => scored.filter((i) => known[i] === kind));
  return {
    all: of(scored),
    ...(seen.length > 0 && { known: of(seen) }),
    ...(unseen.length > 0 && { new: of(unseen) }),
  };
}
