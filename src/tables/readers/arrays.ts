import { SparrowError } from "../../errors.js";
import type { ReadingHints } from "../judge/hints.js";
import { Judge } from "../judge/judged-columns.js";
import type { RawType, RawValues } from "../judge/raw-table.js";
import { remarkSentences } from "../judge/remarks.js";
import type { Chunk, ColumnTable } from "../table.js";

/** Rows handed over at a time: long enough to amortise calls, short enough for the caches. */
const CHUNK_ROWS = 4096;

/** Null and undefined are missing. */
export type ArrayValue = number | boolean | string | Date | null | undefined;

/** A column in memory: numbers, booleans, texts or dates. */
export type ArrayColumn = ArrayLike<ArrayValue>;

/** A table from named arrays of equal length. Texts are judged like the cells of a file. */
export function arrayTable(
  columns: Readonly<Record<string, ArrayColumn>>,
  name = "the data",
  hints: ReadingHints = {},
): ColumnTable {
  if (typeof columns !== "object" || columns === null || Array.isArray(columns)) {
    throw new SparrowError(
      "The data must be an object with an array for each column: { x: [...], y: [...] }.",
      "data",
    );
  }
  const names = Object.keys(columns);
  const arrays = Object.values(columns);
  if (names.length === 0)
    throw new SparrowError("The data have no columns: { x: [...], y: [...] } has two.", "data");
  const rows = arrays[0]?.length ?? 0;
  arrays.forEach((array, i) => {
    if (
      typeof array?.length !== "number" ||
      array instanceof BigInt64Array ||
      array instanceof BigUint64Array
    ) {
      throw new SparrowError(`Column "${names[i]}" must be an array of numbers, texts, booleans or dates.`);
    }
    if (array.length !== rows) {
      throw new SparrowError(
        `Column "${names[i]}" has ${array.length} values but "${names[0]}" has ${rows}; all columns must be equally long.`,
      );
    }
  });
  const raw = names.map((column, i) => ({ name: column, type: typeOf(arrays[i], column, name) }));
  const judge = new Judge(name, raw, hints);
  const lookers = raw.map(({ type }, i) => {
    const looker = judge.looker(i);
    looker?.look(slice(arrays[i], type, 0, rows), rows);
    return looker;
  });
  const judged = judge.judged(lookers);
  return {
    by: "columns",
    name,
    columns: judged.map(({ column }) => column),
    rows,
    remarks: (indices) => remarkSentences(indices.flatMap((i) => judged[i].remarks)),
    *chunks(indices): Iterable<Chunk> {
      for (let from = 0; from < rows; from += CHUNK_ROWS) {
        const to = Math.min(rows, from + CHUNK_ROWS);
        const columns = indices.map((i) => {
          const values = slice(arrays[i], raw[i].type, from, to);
          return judged[i].convert(values, to - from, from);
        });
        yield { rows: to - from, columns };
      }
    },
  };
}

/** Values that are looked at to tell whether numbers may be names. */
const FIRST = 50;

function typeOf(array: ArrayColumn, column: string, table: string): RawType {
  const found = ArrayBuffer.isView(array) ? "number" : kindOf(array, column, table);
  if (found === "text") return "cells";
  if (found !== "number") return found;
  for (let i = 0; i < Math.min(FIRST, array.length); i++) {
    const value = array[i];
    if (typeof value === "number" && !Number.isInteger(value) && !Number.isNaN(value)) return "number";
  }
  return "integer";
}

type Kind = "number" | "boolean" | "text" | "date";

/** Whatever stands among texts is read as a text; other kinds do not mix. */
function kindOf(array: ArrayColumn, column: string, table: string): Kind {
  let kind: Kind | undefined;
  for (let i = 0; i < array.length; i++) {
    const value = array[i];
    if (value === null || value === undefined) continue;
    const now = value instanceof Date ? "date" : typeof value === "string" ? "text" : typeof value;
    if (now !== "number" && now !== "boolean" && now !== "text" && now !== "date") {
      throw new SparrowError(`${table}: column "${column}" holds a ${now} in row ${i + 1}, not a number.`);
    }
    if (kind === undefined || now === kind) kind = now;
    else if (kind === "text" || now === "text") kind = "text";
    else {
      throw new SparrowError(
        `${table}: column "${column}" mixes ${kind} and ${now} values (row ${i + 1}); use one kind of value.`,
      );
    }
  }
  return kind ?? "number";
}

const DAY = 86_400_000;

function slice(array: ArrayColumn, type: RawType, from: number, to: number): RawValues {
  if (ArrayBuffer.isView(array)) return (array as unknown as Float64Array).subarray(from, to);
  if (type === "cells") {
    return Array.from({ length: to - from }, (_, i) => {
      const value = array[from + i];
      if (value instanceof Date) return value.toISOString();
      return value === null || value === undefined || Number.isNaN(value) ? null : String(value);
    });
  }
  const out = new Float64Array(to - from);
  for (let i = from; i < to; i++) {
    const value = array[i];
    if (value === null || value === undefined) out[i - from] = Number.NaN;
    else out[i - from] = type === "date" ? Number(value) / DAY : Number(value);
  }
  return out;
}
