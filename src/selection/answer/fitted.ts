/** The rows that were fitted beside what a probable model says of them: one pass over its columns and the target. */

import { familyNamed, type Scores } from "../../families/register.js";
import type { Predictor, PredictorModel } from "../../prediction/predictor.js";
import { firstRow, rowsIn } from "../../store/layout/layout.js";
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
  const [y, eta, held] = Array.from({ length: 3 }, () => new Float64Array(layout.stride));
  const every = Math.ceil(layout.rows / SCORED);
  const scored = scoredRows(layout.rows, every, inverseLink);
  /** 0 and 1 in the place of the two values of a target, told as the family tells those of new rows. */
  const asClasses = (values: Float64Array): void => {
    const observed = prediction.observed(values, classes);
    if ("values" in observed) values.set(observed.values);
  };
  for (let b = 0; b < layout.blocks; b++) {
    const count = rowsIn(layout, b);
    const run = (column: number) => new Float32Array(kernels.memory.buffer, store.run(b, column), count);
    eta.fill(model.intercept);
    for (const { column, slope, centre: middle } of terms) addTerm(eta, run(column), slope, middle);
    plus(y, run(layout.columns), shift[layout.columns]);
    if (classes) asClasses(y.subarray(0, count));
    check?.add({
      count,
      y,
      eta,
      values(k) {
        plus(held, run(terms[k].column), shift[terms[k].column]);
        return held;
      },
    });
    scored.add(y, eta, firstRow(layout, b), count);
  }
  const { observed, predicted } = scored.all();
  return {
    concerns: check?.problems(terms.length + 1) ?? [],
    ...(observed.length > 0 && { scores: prediction.scores(observed, predicted) as Scores }),
    rows: someRows("fitted", observed, predicted),
  };
}

/** eta += slope·(x − middle) */
function addTerm(eta: Float64Array, x: Float32Array, slope: number, middle: number): void {
  for (let i = 0; i < x.length; i++) eta[i] += slope * (x[i] - middle);
}

/** out = x + by */
function plus(out: Float64Array, x: Float32Array, by: number): void {
  for (let i = 0; i < x.length; i++) out[i] = x[i] + by;
}

/** One row in `every` has a say in the scores, if it has a predictor. */
function scoredRows(rows: number, every: number, inverseLink: (eta: number) => number) {
  const [observed, predicted] = Array.from({ length: 2 }, () => new Float64Array(Math.ceil(rows / every)));
  let held = 0;
  return {
    add(y: Float64Array, eta: Float64Array, first: number, count: number): void {
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
