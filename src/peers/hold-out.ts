/** Judges every method on the same rows, which none of them has seen. */

import { SparrowError } from "../errors.js";
import { encodedTable } from "../store/build/encoded-table.js";
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

export async function holdOutJudge(
  test: Table,
  { store, gram, target: { family, scaling, classes } }: Prepared,
): Promise<HoldOutJudge> {
  const { columns } = store.layout;
  const held = test.by === "columns" ? await denseRows(test, store) : await sparseRows(test, store);
  const { x } = held;
  const observed = family.prediction.observed(Float64Array.from(held.y), classes);
  if ("unfit" in observed) {
    throw new SparrowError(`A row that was left out holds a target other than ${observed.wanted}.`);
  }
  const y = observed.values;
  const mean = scaling.slope * (gram.total.sum[columns] / gram.total.rows) + scaling.offset;
  const errorAt = (eta: ArrayLike<number>): number => {
    let total = 0;
    for (let i = 0; i < y.length; i++) total += family.prediction.error(y[i], eta[i]);
    return total / y.length;
  };
  return {
    rows: y.length,
    nullError: errorAt(new Float64Array(y.length).fill(family.link(mean))),
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
async function denseRows(test: ColumnTable, { names, record }: Prepared["store"]): Promise<HeldOut> {
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
async function sparseRows(test: EntryTable, { names }: Prepared["store"]): Promise<HeldOut> {
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
