/** The rows that were fitted beside what a probable model says of them: one pass over its columns and the target. */

import { familyNamed, type Scores } from "../../families/register.js";
import type { Predictor, PredictorModel } from "../../prediction/predictor.js";
import { rowsIn } from "../../store/layout/layout.js";
import type { Store } from "../../store/store.js";

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

export function fittedRows(store: Store, predictor: Predictor, model: PredictorModel): Fitted {
  const { variables, centre, classes } = predictor;
  const { check: begin, inverseLink, prediction } = familyNamed(predictor.family);
  const check = begin?.(model.members.map((k) => variables[k]));
  const { layout, kernels, shift } = store;
  const at = new Map(store.names.map((name, j) => [name, j]));
  const terms = model.members.map((k, i) => {
    const column = at.get(variables[k])!;
    return { column, slope: model.mean[i], centre: centre[k] - shift[column] };
  });
  const eta = new Float64Array(layout.stride);
  const values = new Float64Array(terms.length);
  const held = terms.map(() => new Float64Array(layout.stride));
  const every = Math.ceil(layout.rows / SCORED);
  const scored = Array.from({ length: 2 }, () => new Float64Array(Math.ceil(layout.rows / every)));
  const [observed, predicted] = scored;
  let count = 0;
  for (let b = 0, row = 0; b < layout.blocks; b++) {
    const n = rowsIn(layout, b);
    eta.fill(model.intercept);
    const numbers = new Float32Array(kernels.memory.buffer);
    terms.forEach(({ column, slope, centre: middle }, k) => {
      const from = store.run(b, column) / 4;
      for (let i = 0; i < n; i++) {
        const value = numbers[from + i];
        eta[i] += slope * (value - middle);
        // The next column may be unpacked where this one lies.
        held[k][i] = value + shift[column];
      }
    });
    const from = store.run(b, layout.columns) / 4;
    for (let i = 0; i < n; i++, row++) {
      for (let k = 0; k < values.length; k++) values[k] = held[k][i];
      const stored = numbers[from + i] + shift[layout.columns];
      const y = classes ? Number(stored === classes[1]) : stored;
      check?.add(y, eta[i], values);
      if (row % every !== 0 || !Number.isFinite(eta[i])) continue;
      observed[count] = y;
      predicted[count++] = inverseLink(eta[i]);
    }
  }
  const [ys, means] = scored.map((numbers) => numbers.subarray(0, count));
  return {
    concerns: check?.problems(terms.length + 1) ?? [],
    ...(count > 0 && { scores: prediction.scores(ys, means) as Scores }),
    rows: someRows("fitted", ys, means),
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
