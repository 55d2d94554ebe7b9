/** What single rows, their order and their copies have to do with the answer, in sentences for the verdict. */

import { rowOrder } from "../../store/build/order.js";
import { blockOf, firstRow } from "../../store/layout/layout.js";
import { grouped } from "../../wording.js";
import type { HolePlaces } from "../missing/holes.js";
import type { Copies } from "./copies.js";
import { type Deciding, decidingRows } from "./deciding.js";
import { rowsAlike } from "./in-file-order.js";
import type { ModelRows } from "./model-rows.js";

export interface RowsAsked {
  /** Variables that the data have selected. */
  readonly selected: ReadonlySet<string>;
  /** Whether there is an intercept. */
  readonly centred: boolean;
  readonly copies: Copies | undefined;
  /** Predictors that had no value. */
  readonly holes: HolePlaces | undefined;
  /** Whether these are all rows, in an order that can be undone: not some that a database has handed out. */
  readonly areAll: boolean;
}

export function rowConcerns(rows: ModelRows, asked: RowsAsked): string[] {
  const { selected, centred, copies, areAll } = asked;
  if (copies)
    return [
      `${grouped(copies.copies)} of ${grouped(copies.rows)} rows are copies of others, in the target and every predictor: they are taken for independent, so that probabilities and intervals are too sure. Unless they are rows of their own that happen to be alike, leave the copies out.`,
    ];
  // Copies that follow each other are alike as well: one cause, one sentence.
  const alike = areAll ? rowsAlike(rows, selected) : undefined;
  return [
    ...decidingConcerns(rows, decidingRows(rows, centred, selected), asked),
    ...(alike
      ? [
          `Rows that follow each other in the file have residuals alike (correlation ${alike.correlation.toFixed(2)}): they are taken for independent, so that probabilities and intervals are too sure, that of ${alike.name} by a factor of about ${alike.factor.toFixed(1)}. Fit changes from row to row, or take what changes slowly along as a column; rows of one subject or place are for the command mixed.`,
        ]
      : []),
  ];
}

/** At most so many are named: sets of rows, and values of one. */
const [NAMED, SHOWN] = [3, 3];

function decidingConcerns(rows: ModelRows, found: readonly Deciding[], asked: RowsAsked): string[] {
  const sets = new Map<string, Deciding[]>();
  for (const each of found) {
    const key = each.rows
      .map(({ place }) => place)
      .sort((a, b) => a - b)
      .join();
    sets.set(key, [...(sets.get(key) ?? []), each]);
  }
  if (sets.size === 0) return [];
  const order = asked.areAll && !rows.store.record.partial ? numbers(rows) : undefined;
  const said = [...sets.values()]
    .slice(0, NAMED)
    .map((of) => concern({ rows, order, holes: asked.holes }, of));
  const more = sets.size - NAMED;
  return more > 0 ? [...said.slice(0, -1), `${said[NAMED - 1]} So it is with ${more} more.`] : said;
}

/** What is known of rows beside what they hold. */
interface Known {
  readonly rows: ModelRows;
  /** Their numbers in the file. */
  readonly order: Uint32Array | undefined;
  readonly holes: HolePlaces | undefined;
}

function concern(known: Known, about: readonly Deciding[]): string {
  const [{ rows: set, effect, without, name, variable }] = about;
  const names = about.map((each) => each.name).join(", ");
  const which = set.map((row) => placed(known, row.place, variable)).join("; ");
  const [head, them] =
    set.length === 1
      ? ["One row decides", "it"]
      : [`${["Two", "Three"][set.length - 2]} rows decide`, "them"];
  const told = without
    ? `Without ${them} the effect of ${name} would be ${figure(without.effect)} (± ${figure(without.sd)}) instead of ${figure(effect)}, too little to be selected.`
    : `No other row tells of ${about.length === 1 ? "its effect" : "their effects"}.`;
  return `${head} about ${names}: ${which}. ${told} Look at ${them}: correct a mistake, leave out what does not belong, or take the logarithm of a column that is skewed.`;
}

/** A row as the file counts it, if that is known, with what it holds. */
function placed({ rows: { store, names }, order, holes }: Known, place: number, variable: number): string {
  const { layout, kernels, shift, record } = store;
  const block = blockOf(layout, place);
  const missing = holes?.column.subarray(holes.start[place], holes.start[place + 1]);
  const value = (column: number): string => {
    if (missing?.includes(column)) return "missing";
    const run = new Float32Array(kernels.memory.buffer, store.run(block, column), layout.stride);
    return figure(run[place - firstRow(layout, block)] + shift[column]);
  };
  const shown = [names[variable], ...names.filter((_, k) => k !== variable)].slice(0, SHOWN - 1);
  const values = shown.map((name) => `${name} is ${value(store.names.indexOf(name))}`);
  values.push(`${record.encoding.target.column} is ${value(layout.columns)}`);
  const held = values.join(", ");
  return order ? `row ${grouped(order[place] + 1)} (${held})` : `where ${held}`;
}

const numbers = ({ store: { record, layout } }: ModelRows): Uint32Array => rowOrder(record.seed, layout.rows);
const figure = (value: number): string => String(Number(value.toPrecision(3)));
