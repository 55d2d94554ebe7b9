/** New data as an encoding sees them: the same variables in the same order, found by name. For predictions. */

import { SparrowError } from "../../errors.js";
import { lacking } from "../../tables/named/no-column.js";
import type { Chunk, ColumnTable } from "../../tables/table.js";
import { type Encoding, variableNames } from "../layout/encoding.js";

/**
 * Columns may come in any order and there may be more of them. The target is the last column if the data have it. A
 * category that was not there before has no coefficient, so it is an error.
 */
export function encodedTable(
  table: ColumnTable,
  whole: Encoding,
  /** Variables that are asked for; all unless given. */
  needed?: ReadonlySet<string>,
  /** Columns of the table that are passed on as they are, after the others. */
  kept: readonly number[] = [],
): ColumnTable & { readonly hasTarget: boolean } {
  const asked = (code: Encoding["columns"][number]) =>
    !needed || variableNames({ ...whole, columns: [code] }).some((name) => needed.has(name));
  const encoding = { ...whole, columns: whole.columns.filter(asked) };
  const find = (name: string): number => table.columns.findIndex((column) => column.name === name);
  const absent = encoding.columns.filter(({ column }) => find(column) < 0).map(({ column }) => column);
  if (absent.length > 0) {
    throw lacking(
      table.name,
      absent,
      table.columns.map(({ name }) => name),
    );
  }
  const places = encoding.columns.map(({ column, kind }) => {
    const at = find(column);
    const { kind: found = "number", problem, refusal, empty } = table.columns[at];
    if (refusal !== undefined) throw new SparrowError(refusal, "data");
    // A column without any value is of no kind.
    if (problem !== undefined || (found !== kind && !empty)) {
      throw new SparrowError(
        `${table.name}: column "${column}" holds ${problem ?? `${found} values`}, but the model was fitted to ${kind} values.`,
        "column",
      );
    }
    return at;
  });
  const targetAt = find(encoding.target.column);
  const hasTarget = targetAt >= 0;
  const names = variableNames(encoding);
  return {
    by: "columns",
    name: table.name,
    hasTarget,
    columns: [
      ...[...names, ...(hasTarget ? [encoding.target.column] : [])].map((name) => ({ name })),
      ...kept.map((column) => table.columns[column]),
    ],
    ...(table.rows !== undefined && { rows: table.rows }),
    async *chunks(wanted): AsyncIterable<Chunk> {
      let first = 0;
      for await (const chunk of table.chunks([...places, ...(hasTarget ? [targetAt] : []), ...kept])) {
        const all = encoding.columns.flatMap((code, c) => {
          const values = chunk.columns[c];
          if (code.kind !== "text") return [filled(values, chunk.rows, code.fill)];
          const { levels = [] } = table.columns[places[c]];
          const known = levels.map((level) => (level === code.baseline ? -1 : code.levels.indexOf(level)));
          const variables = code.levels.map(() => new Float64Array(chunk.rows));
          for (let i = 0; i < chunk.rows; i++) {
            const level = levels[values[i]];
            const at = level === undefined ? -2 : known[values[i]];
            if (at === -1 && level !== undefined && level !== code.baseline) {
              throw strangeLevel(table, code.column, level, first + i);
            }
            if (at >= 0) variables[at][i] = 1;
            else if (at === -2 && encoding.missing !== "mean") for (const v of variables) v[i] = Number.NaN;
          }
          return variables;
        });
        if (hasTarget)
          all.push(targetValues(chunk.columns[places.length], chunk.rows, table, targetAt, encoding));
        const passed = chunk.columns.slice(places.length + Number(hasTarget));
        first += chunk.rows;
        yield { ...chunk, columns: wanted.map((i) => all[i] ?? passed[i - all.length]) };
      }
    },
    ...(table.close && { close: () => table.close!() }),
  };
}

function filled(values: ArrayLike<number>, rows: number, fill: number | undefined): ArrayLike<number> {
  if (fill === undefined) return values;
  const out = new Float64Array(rows);
  for (let i = 0; i < rows; i++) out[i] = Number.isNaN(values[i]) ? fill : values[i];
  return out;
}

/** 0 and 1 for a target of two texts; NaN where it is missing. */
function targetValues(
  values: ArrayLike<number>,
  rows: number,
  table: ColumnTable,
  at: number,
  { target }: Encoding,
): Float64Array {
  const { levels } = table.columns[at];
  const out = new Float64Array(rows);
  for (let i = 0; i < rows; i++) {
    const value: number | string | undefined = levels ? levels[values[i]] : values[i];
    // Numbers stay as they are, as they do in the store.
    if (!target.values || target.kind !== "text") out[i] = values[i];
    else if (value === undefined || Number.isNaN(value)) out[i] = Number.NaN;
    else if (value === target.values[0]) out[i] = 0;
    else if (value === target.values[1]) out[i] = 1;
    else {
      throw new SparrowError(
        `${table.name}: the target "${target.column}" holds ${JSON.stringify(value)}, but the model knows only ${JSON.stringify(target.values[0])} and ${JSON.stringify(target.values[1])}.`,
      );
    }
  }
  return out;
}

/** A category that the model knows nothing of. */
export function strangeLevel(
  { name }: { readonly name: string },
  column: string,
  level: string,
  row: number,
): SparrowError {
  return new SparrowError(
    `${name}: column "${column}" holds "${level}" in row ${row + 1}, which was not in the data of the model; leave such rows out or fit again.`,
  );
}
