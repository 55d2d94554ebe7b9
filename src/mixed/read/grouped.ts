/**
 * From a table to the cross-products of each group: one pass over the rows, two where there are texts among the
 * columns. What stays is as large as the groups are many.
 */

import { SparrowError } from "../../errors.js";
import type { Target } from "../../families/target.js";
import type { CategoryEncoding, ColumnEncoding } from "../../store/layout/encoding.js";
import { refuseRounded } from "../../tables/judge/rounded.js";
import { otherOf, type TextNote, textNotes } from "../../tables/judge/text-notes.js";
import { labelOf } from "../../tables/labels.js";
import { noColumn } from "../../tables/named/no-column.js";
import { beyondNumbers, isUsable } from "../../tables/read-errors.js";
import type { ColumnTable } from "../../tables/table.js";
import type { CrossProducts } from "../model/crossproducts.js";
import type { SomeRows } from "../model/spread-of-rows.js";
import { MOST } from "../rows/checks/spread.js";
import { TargetLook } from "../rows/judged.js";
import { LevelCounts, numberVariables, type Variables } from "./categories.js";
import { GroupSums } from "./group-sums.js";
import { emptyColumn, lacking, strangeColumn } from "./left-out.js";
import { INTERCEPT, refuseSameNames } from "./same-names.js";

export interface GroupedSettings {
  readonly target: string;
  readonly group: string;
  /** Columns of X after the intercept. */
  readonly columns: readonly string[];
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((rows: number, share?: number) => void) | undefined;
}

export interface Grouped {
  readonly data: CrossProducts;
  readonly rows: number;
  /** The variables of each column. */
  readonly variables: ReadonlyMap<string, readonly string[]>;
  /** How the columns became variables, in the order of `columns`. */
  readonly encodings: readonly ColumnEncoding[];
  /** What the target was judged to be, which may be two values or counts. */
  readonly judged: Target;
  /** What was left out, in sentences. */
  readonly warnings: readonly string[];
  /** What was made of texts, in sentences. */
  readonly notes: readonly string[];
  /** Some of the rows once more, where they are at hand. */
  readonly someRows?: () => Promise<SomeRows>;
  /** What tells these data from others, where nobody has read them row by row. */
  readonly checksum?: string;
}

/** Who sums by group: the one who reads the rows, or a database that is asked. */
export type GroupedBy = (table: ColumnTable, settings: GroupedSettings) => Promise<Grouped>;

/** The columns of X, the target and the group, by their places; an error where one cannot play its part. */
export function placesOf(table: ColumnTable, { target, group, columns }: GroupedSettings): number[] {
  const places = [...columns, target, group].map((name) => placeOf(table, name));
  const { name, kind } = table.columns[places[columns.length]];
  if (kind !== "text") return places;
  throw new SparrowError(
    `${table.name}: the target "${name}" holds text; a mixed model explains numbers.`,
    "column",
  );
}

/** Cross-products of [1, columns, target] by group. */
export async function grouped(table: ColumnTable, settings: GroupedSettings): Promise<Grouped> {
  const { target, columns } = settings;
  const places = placesOf(table, settings);
  const groupAt = places[columns.length + 1];
  const chosen = places.slice(0, columns.length);
  const isText = chosen.map((place) => table.columns[place].kind === "text");
  const variables = isText.includes(true)
    ? await categories(table, places, isText, settings)
    : chosen.map((place) => numberVariables(table, place));
  const all = [INTERCEPT, ...variables.flatMap((each) => each.names)];
  refuseSameNames(table.name, all);
  const width = 2 + variables.reduce((sum, { names }) => sum + names.length, 0);
  const row = new Float64Array(width);
  const sums = new GroupSums(width);
  const groups = new Map<number, number>();
  const look = new TargetLook();
  const { rows, missing } = await readRows(table, places, settings, (chunk, i) => {
    const value = chunk[chunk.length - 1][i];
    let at = groups.get(value);
    if (at === undefined) {
      at = sums.group();
      groups.set(value, at);
    }
    spellOut(row, variables, chunk, i);
    look.look(row[width - 1]);
    sums.add(at, row);
  });
  const warnings = missingWarnings(table, places, missing, rows);
  if (sums.count === 0) throw nothingToFit(table);
  const names = Array.from(groups.keys(), (value) => {
    refuseRounded(table.name, table.columns[groupAt], value);
    return labelOf(table.columns[groupAt], value);
  });
  const data = sums.crossProducts(all, target, names);
  const placeOfName = new Map(data.groups.map((name, place) => [name, place]));
  const placeOfValue = new Map(
    [...groups.keys()].map((value, at) => [value, placeOfName.get(names[at]) ?? 0]),
  );
  return {
    someRows: async () => {
      const { rows, columns } = await firstRows(table, places, variables, settings);
      return { columns, groups: Int32Array.from(rows, (value) => placeOfValue.get(value) ?? 0) };
    },
    data,
    rows: data.rows.reduce((sum, n) => sum + n, 0),
    judged: look.judged(target),
    variables: new Map(columns.map((name, c) => [name, variables[c].names])),
    encodings: variables.map(({ encoding }) => encoding),
    warnings,
    notes: groupedNotes(table, places, variables),
  };
}

export const nothingToFit = ({ name }: ColumnTable): SparrowError =>
  new SparrowError(`${name} has no row with a group, a target and every predictor: nothing to fit.`, "data");

export function groupedNotes(
  table: ColumnTable,
  places: readonly number[],
  variables: readonly Variables[],
): string[] {
  const texts = variables.flatMap(({ encoding }) => (encoding.kind === "text" ? [textNote(encoding)] : []));
  return [...(table.remarks?.(places) ?? []), ...textNotes(texts)];
}

function textNote({ column, levels, baseline, reading }: CategoryEncoding): TextNote {
  return { name: column, values: levels.length + 1, baseline, other: otherOf(reading) };
}

/** The first pass: how often each value of a text comes, in the rows that will be used. */
async function categories(
  table: ColumnTable,
  places: readonly number[],
  isText: readonly boolean[],
  settings: GroupedSettings,
): Promise<Variables[]> {
  const counts = isText.map((text, c) => (text ? new LevelCounts(table, places[c]) : undefined));
  await readRows(table, places, settings, (chunk, i) => {
    counts.forEach((count, c) => {
      if (count && !Number.isNaN(chunk[c][i])) count.look(chunk[c][i]);
    });
  });
  return counts.map((count, c) => (count ? count.variables() : numberVariables(table, places[c])));
}

type Columns = readonly ArrayLike<number>[];
type Visit = (chunk: Columns, i: number) => void;

/** Visits the rows in which every column has a finite number; counts what is missing in the others. */
async function readRows(
  table: ColumnTable,
  places: readonly number[],
  { signal, onProgress }: GroupedSettings,
  visit: Visit,
): Promise<{ rows: number; missing: Float64Array }> {
  const missing = new Float64Array(places.length);
  let rows = 0;
  let columns: Columns = [];
  const tooLarge = (c: number, i: number) =>
    beyondNumbers(table.name, table.columns[places[c]].name, columns[c][i], rows + i + 1);
  for await (const chunk of table.chunks(places)) {
    signal?.throwIfAborted();
    columns = chunk.columns;
    for (let i = 0; i < chunk.rows; i++) {
      let isWhole = true;
      for (let c = 0; c < columns.length; c++) {
        if (isUsable(columns[c][i])) continue;
        if (!Number.isNaN(columns[c][i])) throw tooLarge(c, i);
        missing[c] += 1;
        isWhole = false;
      }
      if (isWhole) visit(columns, i);
    }
    rows += chunk.rows;
    onProgress?.(rows, chunk.share);
  }
  return { rows, missing };
}

/** The first rows in which nothing is missing: what groups they belong to, and their variables with the target. */
async function firstRows(
  table: ColumnTable,
  places: readonly number[],
  variables: readonly Variables[],
  { signal }: GroupedSettings,
): Promise<{ readonly rows: readonly number[]; readonly columns: readonly Float64Array[] }> {
  const width = 2 + variables.reduce((sum, { names }) => sum + names.length, 0);
  const row = new Float64Array(width);
  const rows: number[] = [];
  const columns: number[][] = Array.from({ length: width - 1 }, () => []);
  for await (const chunk of table.chunks(places)) {
    signal?.throwIfAborted();
    for (let i = 0; i < chunk.rows && rows.length < MOST; i++) {
      if (!chunk.columns.every((values) => isUsable(values[i]))) continue;
      spellOut(row, variables, chunk.columns, i);
      rows.push(chunk.columns[places.length - 1][i]);
      for (let j = 1; j < width; j++) columns[j - 1].push(row[j]);
    }
    if (rows.length === MOST) break;
  }
  return { rows, columns: columns.map((values) => Float64Array.from(values)) };
}

/** row = [1, variables, target] */
function spellOut(row: Float64Array, variables: readonly Variables[], chunk: Columns, i: number): void {
  row[0] = 1;
  let to = 1;
  for (let c = 0; c < variables.length; c++) {
    const { names, places } = variables[c];
    if (!places) row[to] = chunk[c][i];
    else {
      row.fill(0, to, to + names.length);
      const place = places[chunk[c][i]];
      if (place >= 0) row[to + place] = 1;
    }
    to += names.length;
  }
  row[to] = chunk[variables.length][i];
}

export function missingWarnings(
  table: ColumnTable,
  places: readonly number[],
  missing: Float64Array,
  rows: number,
): string[] {
  const last = places.length - 1;
  return [last, ...places.keys()].slice(0, -1).flatMap((c) => {
    const { name, kind } = table.columns[places[c]];
    if (rows > 0 && missing[c] === rows) {
      throw emptyColumn(table.name, name);
    }
    const what = c === last || kind === "text" ? "value" : "number";
    return missing[c] > 0 ? [lacking(missing[c], rows, what, name)] : [];
  });
}

function placeOf(table: ColumnTable, name: string): number {
  const at = table.columns.findIndex((column) => column.name === name);
  if (at < 0) {
    throw noColumn(
      table.name,
      name,
      table.columns.map((column) => column.name),
    );
  }
  const { problem, refusal } = table.columns[at];
  if (refusal !== undefined) throw new SparrowError(refusal, "data");
  if (problem === undefined) return at;
  throw strangeColumn(table.name, name, problem);
}
