/** The rows that were fitted beside what a probable model says of them: one pass over its columns and the target. */

import type { Scores } from "../../families/register.js";
import type { ModelBlock, ModelRows } from "../rows/model-rows.js";

export interface Fitted {
  /** What does not fit, in sentences for the verdict. */
  readonly concerns: readonly string[];
  /** How well the model describes these rows; absent where none could be scored. */
  readonly scores?: Scores;
  readonly rows: PredictedRows;
}

/** Targets as the family sees them, and their means: some of the rows, in no order. */
export interface PredictedRows {
  /** Which rows these are. */
  readonly of: "fitted" | "held out";
  /** Their targets. */
  readonly observed: readonly number[];
  /** The means that were predicted. */
  readonly predicted: readonly number[];
}

/** Rows that are scored, and that a picture has points for. */
const SCORED = 100_000;
const SHOWN = 1500;

export function fittedRows(rows: ModelRows): Fitted {
  const { store, family, names } = rows;
  const { layout } = store;
  const check = family.check?.(names);
  const scored = scoredRows(layout.rows, Math.ceil(layout.rows / SCORED), family.inverseLink);
  rows.each((block) => {
    check?.add(block);
    scored.add(block);
  });
  const { observed, predicted } = scored.all();
  return {
    concerns: check?.problems(names.length + 1) ?? [],
    ...(observed.length > 0 && { scores: family.prediction.scores(observed, predicted) as Scores }),
    rows: someRows("fitted", observed, predicted),
  };
}

/** One row in `every` has a say in the scores, if it has a predictor. */
function scoredRows(rows: number, every: number, inverseLink: (eta: number) => number) {
  const [observed, predicted] = Array.from({ length: 2 }, () => new Float64Array(Math.ceil(rows / every)));
  let held = 0;
  return {
    add({ y, eta, first, count }: ModelBlock): void {
      for (let i = (every - (first % every)) % every; i < count; i += every) {
        if (!Number.isFinite(eta[i])) continue;
        observed[held] = y[i];
        predicted[held] = inverseLink(eta[i]);
        held += 1;
      }
    },
    all: () => ({ observed: observed.subarray(0, held), predicted: predicted.subarray(0, held) }),
  };
}

/** As many as a picture can show. */
export function someRows(
  of: PredictedRows["of"],
  observed: ArrayLike<number>,
  predicted: ArrayLike<number>,
): PredictedRows {
  const every = Math.ceil(observed.length / SHOWN);
  const digits = (values: ArrayLike<number>): number[] =>
    Array.from({ length: Math.ceil(values.length / Math.max(1, every)) }, (_, i) =>
      Number(values[i * every].toPrecision(6)),
    );
  return { of, observed: digits(observed), predicted: digits(predicted) };
}
