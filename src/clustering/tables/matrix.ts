/** The columns of a table that are clustered, as a matrix, row after row; what is missing stays missing. */

import { SparrowError } from "../../errors.js";
import { readingProgress } from "../../selection/data/reading-progress.js";
import type { DataRecord } from "../../selection/run.js";
import { checksummed } from "../../tables/checksum.js";
import { namesLike } from "../../tables/judge/hints.js";
import { asideSentences, namesText } from "../../tables/judge/remarks.js";
import { refuseRounded } from "../../tables/judge/rounded.js";
import { beyondNumbers, isBeyondNumbers } from "../../tables/read-errors.js";
import { entryColumns, someColumns } from "../../tables/some-columns.js";
import type { ColumnTable, Table, TableColumn } from "../../tables/table.js";
import { grouped, option } from "../../wording.js";
import type { RunningOptions } from "../../workers/crew.js";
import { type BySequence, bySequence, ordered } from "./by-sequence.js";

export interface MatrixAsked extends Pick<RunningOptions, "onProgress" | "signal"> {
  readonly columns?: readonly string[] | undefined;
  readonly exclude?: readonly string[] | undefined;
  /** The column that says which sequence a row belongs to. */
  readonly sequence?: string | undefined;
  /** A single column of words, or of true and false, may be taken, as codes. */
  readonly words?: boolean;
}

export interface Matrix {
  readonly names: readonly string[];
  readonly rows: number;
  readonly values: Float64Array;
  /** The levels of a single column of words or of true and false; undefined for numbers. */
  readonly levels?: readonly string[];
  /** The sequences that the rows are put together in, where a column tells. */
  readonly sequences?: BySequence;
  readonly notes: readonly string[];
  readonly data: DataRecord;
}

/** Beyond this many, the columns have to be named: a covariance grows with their square. */
const MANY = 60;

export async function matrixOf(table: Table, asked: MatrixAsked): Promise<Matrix> {
  const all = table.by === "columns" ? table.columns : await entryColumns(table);
  const { chosen, notes } = chosenColumns(table.name, all, asked);
  const names = chosen.map(({ name }) => name);
  const wanted = asked.sequence === undefined ? names : [...names, asked.sequence];
  const byColumns: ColumnTable = table.by === "columns" ? table : someColumns(table, wanted);
  const watched = checksummed(byColumns);
  const places = wanted.map((name) => byColumns.columns.findIndex((column) => column.name === name));
  if (asked.sequence !== undefined && places[names.length] < 0) {
    throw new SparrowError(
      `${table.name} has no column "${asked.sequence}" (${option("sequence")}).`,
      "column",
    );
  }
  const onRead = readingProgress(asked, table);
  const pieces: Float64Array[] = [];
  const keys: Float64Array[] = [];
  let rows = 0;
  for await (const chunk of watched.table.chunks(places)) {
    asked.signal?.throwIfAborted();
    const piece = new Float64Array(chunk.rows * names.length);
    for (let i = 0; i < chunk.rows; i++) {
      for (let j = 0; j < names.length; j++) {
        const value = chunk.columns[j][i];
        if (isBeyondNumbers(value)) throw beyondNumbers(table.name, names[j], value, rows + i + 1);
        piece[i * names.length + j] = value;
      }
    }
    pieces.push(piece);
    if (asked.sequence !== undefined)
      keys.push(Float64Array.from(chunk.columns[names.length]).slice(0, chunk.rows));
    rows += chunk.rows;
    onRead?.(rows, chunk.share);
  }
  const sequences =
    asked.sequence === undefined
      ? undefined
      : bySequence(named(joined(keys), byColumns.columns[places[names.length]], table.name));
  const read = joined(pieces);
  const values = sequences?.order ? ordered(read, sequences.order, names.length) : read;
  const levels = asked.words ? levelsOf(byColumns.columns[places[0]]) : undefined;
  const holes = values.reduce((sum, value) => sum + (Number.isNaN(value) ? 1 : 0), 0);
  const missing = `${grouped(holes)} of ${grouped(values.length)} values are missing: what a row has tells what it can.`;
  return {
    names,
    rows,
    values,
    ...(levels && { levels: [...levels] }),
    ...(sequences && { sequences }),
    notes: [
      ...notes,
      ...(byColumns.remarks?.(places) ?? []),
      ...(holes > 0 ? [missing] : []),
      ...(sequences?.order
        ? [
            `The rows of a "${asked.sequence}" are not all next to each other: they are put together, in their order.`,
          ]
        : []),
    ],
    data: { name: table.name, rows, columns: names, checksum: watched.checksum() },
  };
}

/** Of codes, which are positions among them: 0 is false and 1 is true. */
function levelsOf({ kind, levels, spelt = ["false", "true"] }: TableColumn): readonly string[] | undefined {
  return kind === "text" ? levels : kind === "boolean" ? spelt : undefined;
}

function joined(pieces: readonly Float64Array[]): Float64Array {
  const out = new Float64Array(pieces.reduce((sum, { length }) => sum + length, 0));
  pieces.reduce((at, piece) => {
    out.set(piece, at);
    return at + piece.length;
  }, 0);
  return out;
}

/** To leave a row out, or to begin a sequence at it, would both make up a step that nobody saw. */
function named(keys: Float64Array, column: TableColumn, table: string): Float64Array {
  const { name } = column;
  for (const key of keys) refuseRounded(table, column, key);
  const holes = keys.reduce((sum, key) => sum + Number(Number.isNaN(key)), 0);
  if (holes === 0) return keys;
  throw new SparrowError(
    `${table}: ${grouped(holes)} of ${grouped(keys.length)} rows have no value in "${name}" (${option("sequence")}), the first of them row ${keys.findIndex(Number.isNaN) + 1}; say which sequence they belong to, or remove them.`,
    "data",
  );
}

function chosenColumns(
  table: string,
  all: readonly TableColumn[],
  { columns, exclude = [], sequence, words: mayBeWords = false }: MatrixAsked,
): { readonly chosen: readonly TableColumn[]; readonly notes: readonly string[] } {
  const names = all.map(({ name }) => name);
  const found = (wanted: readonly string[], role: string): Set<string> =>
    new Set(
      wanted.flatMap((name) => {
        const matches = namesLike(names, name);
        if (matches.length > 0) return matches;
        throw new SparrowError(
          `${table} has no column "${name}" (${option(role)}). The columns are ${namesText(names)}.`,
          "column",
        );
      }),
    );
  const out = found(exclude, "exclude");
  const possible = all.filter(({ name }) => name !== sequence && !out.has(name));
  const isNumber = ({ kind = "number", problem }: TableColumn): boolean =>
    problem === undefined && kind === "number";
  if (columns) {
    const named = found(columns, "columns");
    const chosen = possible.filter(({ name }) => named.has(name));
    const words = chosen.filter((column) => !isNumber(column));
    if (words.length > 0 && (chosen.length > 1 || !mayBeWords)) {
      throw new SparrowError(
        `${namesText(words.map(({ name }) => name))} holds no numbers; leave it out of ${option("columns")}.`,
        "column",
      );
    }
    return { chosen: someOf(table, chosen), notes: [] };
  }
  const aside = possible.filter((column) => column.aside !== undefined);
  const chosen = possible.filter((column) => isNumber(column) && column.aside === undefined);
  const left = possible.filter((column) => !isNumber(column) && column.aside === undefined);
  const [only, ...others] = left;
  if (mayBeWords && chosen.length === 0 && others.length === 0 && only && isOfWords(only)) {
    return { chosen: [only], notes: asideSentences(aside) };
  }
  if (chosen.length > MANY) {
    throw new SparrowError(
      `${table} has ${chosen.length} columns of numbers: name those to use with ${option("columns")}.`,
      "option",
    );
  }
  const notes = [
    ...asideSentences(aside),
    ...(left.length > 0
      ? [`Not columns of numbers, so left out: ${namesText(left.map(({ name }) => name))}.`]
      : []),
  ];
  return { chosen: someOf(table, chosen), notes };
}

const isOfWords = ({ kind, problem }: TableColumn): boolean =>
  problem === undefined && (kind === "text" || kind === "boolean");

function someOf(table: string, chosen: readonly TableColumn[]): readonly TableColumn[] {
  if (chosen.length > 0) return chosen;
  throw new SparrowError(
    `${table} has no column of numbers to work with; name some with ${option("columns")}.`,
    "column",
  );
}
