/** Judges every method on the same rows, which none of them has seen. */

import type { FamilyName } from "../families/families.js";
import { encodedTable } from "../store/build/encoded-table.js";
import type { Store } from "../store/store.js";
import type { ColumnTable, EntryTable, Table } from "../tables/table.js";
import type { PeerFit } from "./bayesian.js";
import type { Prepared } from "./prepared.js";

export interface HoldOutJudge {
  readonly rows: number;
  /** Of the constant prediction. */
  readonly nullError: number;
  /** Mean squared error, or share of wrong classes. */
  errorOf(fit: PeerFit): number;
}

/** `scaling` makes 0 and 1 of a target of two classes. */
export async function holdOutJudge(
  test: Table,
  { store, gram }: Prepared,
  family: FamilyName,
  scaling: { readonly slope: number; readonly offset: number },
): Promise<HoldOutJudge> {
  const { columns } = store.layout;
  const { x, y } = test.by === "columns" ? await denseRows(test, store) : await sparseRows(test, store);
  // Classes are 0 and 1 as the family sees them: the stored target lacks its shift.
  const shift = store.shift[columns];
  if (family === "binomial") {
    for (let i = 0; i < y.length; i++) y[i] = Math.round((y[i] - shift) * scaling.slope + scaling.offset);
  }
  const mean = gram.total.sum[columns] / gram.total.rows + shift;
  const majority = (mean - shift) * scaling.slope + scaling.offset > 0.5 ? 1 : -1;
  const constant = family === "binomial" ? majority : family === "poisson" ? Math.log(mean) : mean;
  const errorAt = (eta: ArrayLike<number>): number => {
    let total = 0;
    for (let i = 0; i < y.length; i++) {
      if (family === "binomial") total += eta[i] > 0 === (y[i] === 1) ? 0 : 1;
      else total += (y[i] - (family === "poisson" ? Math.exp(eta[i]) : eta[i])) ** 2;
    }
    return total / y.length;
  };
  return {
    rows: y.length,
    nullError: errorAt(new Float64Array(y.length).fill(constant)),
    errorOf({ coefficients, intercept }) {
      const eta = new Float64Array(y.length).fill(intercept);
      coefficients.forEach((b, j) => {
        if (b === 0) return;
        const { rows, values } = x[j];
        for (let e = 0; e < values.length; e++) eta[rows ? rows[e] : e] += b * values[e];
      });
      return errorAt(eta);
    },
  };
}

interface HeldOut {
  /** Of each variable; without `rows` there is a value for every row. */
  readonly x: readonly { readonly rows?: number[]; readonly values: number[] }[];
  readonly y: number[];
}

/** As the training data are encoded, without the rows in which something is missing still. */
async function denseRows(test: ColumnTable, { names, record }: Store): Promise<HeldOut> {
  const x = names.map(() => ({ values: [] as number[] }));
  const y: number[] = [];
  const encoded = encodedTable(test, record.encoding);
  for await (const { rows, columns } of encoded.chunks(encoded.columns.map((_, i) => i))) {
    for (let i = 0; i < rows; i++) {
      if (columns.some((values) => Number.isNaN(values[i]))) continue;
      x.forEach(({ values }, j) => {
        values.push(columns[j][i]);
      });
      y.push(columns[x.length][i]);
    }
  }
  return { x, y };
}

/** Columns of a sparse table are named by their numbers, from 1. */
async function sparseRows(test: EntryTable, { names }: Store): Promise<HeldOut> {
  const x = names.map(() => ({ rows: [] as number[], values: [] as number[] }));
  const y: number[] = [];
  const place = new Map(names.map((name, j) => [Number(name) - 1, j]));
  for await (const { rows, starts, target, columns, values } of test.chunks()) {
    for (let i = 0; i < rows; i++) {
      for (let e = starts[i]; e < starts[i + 1]; e++) {
        const j = place.get(columns[e]);
        if (j === undefined) continue;
        x[j].rows.push(y.length);
        x[j].values.push(values[e]);
      }
      y.push(target[i]);
    }
  }
  return { x, y };
}
