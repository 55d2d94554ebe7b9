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
  errorOf(fit: Pick<PeerFit, "coefficients" | "intercept">): Promise<number>;
}

/** Rows are kept as long as they take no more than `most` bytes; where they are more, each fit has them read again. */
export async function holdOutJudge(
  test: Table,
  { store, gram, target: { family, scaling, classes } }: Prepared,
  most = Number.POSITIVE_INFINITY,
): Promise<HoldOutJudge> {
  const { columns } = store.layout;
  const parts = () => (test.by === "columns" ? denseParts(test, store) : sparseParts(test, store));
  const observedIn = ({ y }: HeldOut): Float64Array => {
    const observed = family.prediction.observed(y, classes);
    if ("values" in observed) return observed.values;
    throw new SparrowError(`A row that was left out holds a target other than ${observed.wanted}.`);
  };
  const errorAt = async (from: AsyncIterable<HeldOut> | Iterable<HeldOut>, etaOf: EtaOf) => {
    let [total, rows] = [0, 0];
    for await (const part of from) {
      const [y, eta] = [observedIn(part), etaOf(part)];
      for (let i = 0; i < y.length; i++) total += family.prediction.error(y[i], eta[i]);
      rows += y.length;
    }
    return { error: total / rows, rows };
  };
  const mean = scaling.slope * (gram.total.sum[columns] / gram.total.rows) + scaling.offset;
  const constant = family.link(mean);
  const keeping = kept(parts(), most);
  const empty = await errorAt(keeping.parts, ({ y }) => new Float64Array(y.length).fill(constant));
  return {
    rows: empty.rows,
    nullError: empty.error,
    errorOf: async (fit) =>
      (await errorAt(keeping.all() ?? parts(), (part) => linearPredictor(part, fit))).error,
  };
}

type EtaOf = (part: HeldOut) => Float64Array;

/** Some of the rows, in their order. */
interface HeldOut {
  /** Of each variable; without `rows` there is a value for every row. */
  readonly x: readonly { readonly rows?: ArrayLike<number>; readonly values: Float64Array }[];
  readonly y: Float64Array;
}

function linearPredictor(
  { x, y }: HeldOut,
  { coefficients, intercept }: Pick<PeerFit, "coefficients" | "intercept">,
): Float64Array {
  const eta = new Float64Array(y.length).fill(intercept);
  coefficients.forEach((b, j) => {
    if (b === 0) return;
    const { rows, values } = x[j];
    for (let e = 0; e < values.length; e++) eta[rows ? rows[e] : e] += b * values[e];
  });
  return eta;
}

/** Keeps what passes, and lets go of all of it once it is too much. */
function kept(
  parts: AsyncIterable<HeldOut>,
  most: number,
): { readonly parts: AsyncIterable<HeldOut>; all(): readonly HeldOut[] | undefined } {
  let all: HeldOut[] | undefined = [];
  let bytes = 0;
  async function* passing() {
    for await (const part of parts) {
      bytes += part.x.reduce((sum, { rows, values }) => sum + (rows ? 12 : 8) * values.length, 0);
      if (bytes > most) all = undefined;
      all?.push(part);
      yield part;
    }
  }
  return { parts: passing(), all: () => all };
}

/** As the training data are encoded, without the rows in which something is missing still. */
async function* denseParts(test: ColumnTable, { names, record }: Prepared["store"]): AsyncIterable<HeldOut> {
  const encoded = encodedTable(test, record.encoding);
  for await (const { rows, columns } of encoded.chunks(encoded.columns.map((_, i) => i))) {
    const whole: number[] = [];
    for (let i = 0; i < rows; i++) if (!columns.some((values) => Number.isNaN(values[i]))) whole.push(i);
    const of = (values: ArrayLike<number>) => Float64Array.from(whole, (i) => values[i]);
    yield { x: names.map((_, j) => ({ values: of(columns[j]) })), y: of(columns[names.length]) };
  }
}

/** Columns of a sparse table are named by their numbers, from 1. */
async function* sparseParts(test: EntryTable, { names }: Prepared["store"]): AsyncIterable<HeldOut> {
  const place = new Map(names.map((name, j) => [Number(name) - 1, j]));
  for await (const { rows, starts, target, columns, values } of test.chunks()) {
    const found = names.map(() => ({ rows: [] as number[], values: [] as number[] }));
    for (let i = 0; i < rows; i++) {
      for (let e = starts[i]; e < starts[i + 1]; e++) {
        const j = place.get(columns[e]);
        if (j === undefined) continue;
        found[j].rows.push(i);
        found[j].values.push(values[e]);
      }
    }
    yield {
      x: found.map((of) => ({ rows: Uint32Array.from(of.rows), values: Float64Array.from(of.values) })),
      y: Float64Array.from(target),
    };
  }
}
