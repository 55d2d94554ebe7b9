import { SparrowError } from "../../errors.js";
import { Levels } from "../levels.js";
import type { Chunk, ColumnKind, ColumnTable } from "../table.js";

/** Rows handed over at a time: long enough to amortise calls, short enough for the caches. */
const CHUNK_ROWS = 4096;

/** Null and undefined are missing. */
export type ArrayValue = number | boolean | string | Date | null | undefined;

/** A column in memory: numbers, booleans, texts or dates. */
export type ArrayColumn = ArrayLike<ArrayValue>;

/** A table from named arrays of equal length; `keys` are columns that name things, by any number of texts. */
export function arrayTable(
  columns: Readonly<Record<string, ArrayColumn>>,
  name = "the data",
  keys: readonly string[] = [],
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
  const kinds = arrays.map((array, i) => kindOf(array, names[i], name));
  const levels = names.map((column) => new Levels(name, column, keys.includes(column)));
  return {
    by: "columns",
    name,
    columns: names.map((column, i) => ({
      name: column,
      kind: kinds[i],
      ...(kinds[i] === "text" && { levels: levels[i].names }),
    })),
    rows,
    *chunks(indices): Iterable<Chunk> {
      for (let from = 0; from < rows; from += CHUNK_ROWS) {
        const to = Math.min(rows, from + CHUNK_ROWS);
        yield {
          rows: to - from,
          columns: indices.map((i) => slice(arrays[i], kinds[i], levels[i], from, to)),
        };
      }
    },
  };
}

function kindOf(array: ArrayColumn, column: string, table: string): ColumnKind {
  if (ArrayBuffer.isView(array)) return "number";
  let kind: ColumnKind | undefined;
  for (let i = 0; i < array.length; i++) {
    const value = array[i];
    if (value === null || value === undefined) continue;
    const now = value instanceof Date ? "date" : typeof value === "string" ? "text" : typeof value;
    if (now !== "number" && now !== "boolean" && now !== "text" && now !== "date") {
      throw new SparrowError(`${table}: column "${column}" holds a ${now} in row ${i + 1}, not a number.`);
    }
    if (kind !== undefined && now !== kind) {
      throw new SparrowError(
        `${table}: column "${column}" mixes ${kind} and ${now} values (row ${i + 1}); use one kind of value.`,
      );
    }
    kind = now;
  }
  return kind ?? "number";
}

const DAY = 86_400_000;

function slice(
  array: ArrayColumn,
  kind: ColumnKind,
  levels: Levels,
  from: number,
  to: number,
): ArrayLike<number> {
  if (ArrayBuffer.isView(array)) return (array as unknown as Float64Array).subarray(from, to);
  const out = new Float64Array(to - from);
  for (let i = from; i < to; i++) {
    const value = array[i];
    if (kind === "text") out[i - from] = levels.code(value as string | null);
    else if (value === null || value === undefined) out[i - from] = Number.NaN;
    else out[i - from] = kind === "date" ? Number(value) / DAY : Number(value);
  }
  return out;
}
