/** The rows of a store beside what one model says of them, a block at a time. */

import type { Family } from "../../families/family.js";
import { familyNamed } from "../../families/register.js";
import type { Predictor, PredictorModel } from "../../prediction/predictor.js";
import { blockOf, firstRow, rowsIn } from "../../store/layout/layout.js";
import type { Store } from "../../store/store.js";

export interface ModelRows {
  readonly store: Store;
  readonly family: Family;
  /** The variables of the model, and their effects on the linear predictor, in the units of the data. */
  readonly names: readonly string[];
  readonly effects: readonly number[];
  /** Visits every row; what is shown is good until the next block. */
  each(visit: (block: ModelBlock) => void): void;
  /** The same of rows in some places of the store alone. */
  at(places: Uint32Array): RowsAt;
}

/** One after the other. */
export interface RowsAt {
  readonly y: Float64Array;
  readonly eta: Float64Array;
  /** Values of a variable of the model, by its place there. */
  values(variable: number): Float64Array;
}

export interface ModelBlock {
  /** The first row and how many there are: the first of each vector. */
  readonly first: number;
  readonly count: number;
  /** Targets as the family sees them. */
  readonly y: Float64Array;
  /** Linear predictors. */
  readonly eta: Float64Array;
  /** Values of a variable of the model, by its place there, until others are asked for. */
  values(variable: number): Float64Array;
  /** The same as they are stored, near zero, into as many places. */
  stored(variable: number, out: Float64Array): void;
}

export function modelRows(store: Store, predictor: Predictor, model: PredictorModel): ModelRows {
  const { variables, centre, classes } = predictor;
  const family = familyNamed(predictor.family);
  const { layout, kernels, shift } = store;
  const at = new Map(store.names.map((name, j) => [name, j]));
  const terms = model.members.map((k, i) => {
    const column = at.get(variables[k])!;
    return { column, slope: model.mean[i], middle: centre[k] - shift[column] };
  });
  /** 0 and 1 in the place of the two values of a target, told as the family tells those of new rows. */
  const asClasses = (values: Float64Array): void => {
    const observed = family.prediction.observed(values, classes);
    if ("values" in observed) values.set(observed.values);
  };
  return {
    store,
    family,
    names: model.members.map((k) => variables[k]),
    effects: model.mean,
    at(places) {
      const rising = Uint32Array.from(places.keys()).sort((a, b) => places[a] - places[b]);
      const valuesOf = (column: number): Float64Array => {
        const out = new Float64Array(places.length);
        let [run, first, end] = [new Float32Array(0), 0, 0];
        for (const i of rising) {
          if (places[i] >= end) {
            const b = blockOf(layout, places[i]);
            run = new Float32Array(kernels.memory.buffer, store.run(b, column), rowsIn(layout, b));
            first = firstRow(layout, b);
            end = first + run.length;
          }
          out[i] = run[places[i] - first] + shift[column];
        }
        return out;
      };
      const eta = new Float64Array(places.length).fill(model.intercept);
      for (const { column, slope, middle } of terms)
        addTerm(eta, valuesOf(column), slope, middle + shift[column]);
      const y = valuesOf(layout.columns);
      if (classes) asClasses(y);
      return { y, eta, values: (k) => valuesOf(terms[k].column) };
    },
    each(visit) {
      const [y, eta, held] = Array.from({ length: 3 }, () => new Float64Array(layout.stride));
      for (let b = 0; b < layout.blocks; b++) {
        const count = rowsIn(layout, b);
        const run = (column: number) => new Float32Array(kernels.memory.buffer, store.run(b, column), count);
        eta.fill(model.intercept);
        for (const { column, slope, middle } of terms) addTerm(eta, run(column), slope, middle);
        plus(y, run(layout.columns), shift[layout.columns]);
        if (classes) asClasses(y.subarray(0, count));
        visit({
          first: firstRow(layout, b),
          count,
          y,
          eta,
          values(k) {
            plus(held, run(terms[k].column), shift[terms[k].column]);
            return held;
          },
          stored: (k, out) => out.set(run(terms[k].column)),
        });
      }
    },
  };
}

/** eta += slope·(x − middle) */
function addTerm(eta: Float64Array, x: Float32Array | Float64Array, slope: number, middle: number): void {
  for (let i = 0; i < x.length; i++) eta[i] += slope * (x[i] - middle);
}

/** out = x + by */
function plus(out: Float64Array, x: Float32Array, by: number): void {
  for (let i = 0; i < x.length; i++) out[i] = x[i] + by;
}
