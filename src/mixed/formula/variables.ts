/** From a column, as it was read, to its variables: itself, or one for each of its values; and to levels. */

import { SparrowError } from "../../errors.js";
import type { FormulaVariable } from "../../prediction/formula-predictor.js";
import { rankLevels } from "../../store/build/encode.js";
import { labelOf } from "../../tables/labels.js";
import type { ColumnKind } from "../../tables/table.js";
import { sameEverywhere } from "../read/left-out.js";

export interface Variable extends FormulaVariable {
  /** Nothing for the intercept. */
  readonly values: Float64Array | undefined;
}

/** A column as it was read, in the rows where every column that is needed has a value. */
export interface Raw {
  readonly name: string;
  readonly kind: ColumnKind;
  readonly values: Float64Array;
  /** What a text column's codes stand for. */
  readonly texts: readonly string[] | undefined;
  label(i: number): string;
}

const isNumber = (text: string): boolean => text.trim() !== "" && Number.isFinite(Number(text));

/** The numbers of a column, also of one that was read as text because it names groups as well. */
export function numeric(raw: Raw, table: string): Float64Array {
  if (!raw.texts) return raw.values;
  if (raw.texts.every(isNumber)) return raw.values.map((code) => Number(raw.texts?.[code]));
  throw new SparrowError(`${table}: column "${raw.name}" holds text, where numbers are needed.`, "data");
}

/** The same column with its values as texts. */
export function categories(raw: Raw): Raw & { readonly isCategory: true } {
  const { levels, codes } = levelsOf([raw], raw.values.length);
  return { ...raw, values: Float64Array.from(codes), texts: levels, isCategory: true };
}

export interface Encoded {
  /** The column. */
  readonly name: string;
  /** The values of a category that come. */
  readonly levels?: readonly string[];
  /** `whole` asks for one variable a level, without a baseline. */
  variables(whole: boolean): readonly Variable[];
}

export function encode(
  raw: Raw & { readonly isCategory?: true },
  table: string,
  notes: Set<string>,
): Encoded {
  const { name, texts } = raw;
  if (!texts || (!raw.isCategory && texts.every(isNumber))) {
    const values = numeric(raw, table);
    if (values.every((value) => value === values[0])) {
      throw sameEverywhere(name);
    }
    const number: Variable = { name, parts: [{ column: name }], values };
    return raw.kind === "boolean" ? logical(number) : { name, variables: () => [number] };
  }
  const counts = new Array<number>(texts.length).fill(0);
  for (const code of raw.values) counts[code] += 1;
  const { baseline, others } = rankLevels(texts, { counts });
  if (others.length === 0) {
    throw sameEverywhere(name);
  }
  const compared = `"${name}" has ${others.length + 1} categories: compared with "${texts[baseline]}", the most frequent.`;
  const variable = (code: number): Variable => ({
    name: `${name}=${texts[code]}`,
    parts: [{ column: name, level: texts[code] }],
    values: raw.values.map((value) => Number(value === code)),
  });
  return {
    name,
    levels: [baseline, ...others].map((code) => texts[code]),
    variables(whole) {
      if (!whole) notes.add(compared);
      return (whole ? [baseline, ...others] : others).map(variable);
    },
  };
}

/** As in R a column of booleans is a category: one number against false, but for where no baseline is left out. */
function logical(number: Variable): Encoded {
  const { name } = number;
  const levels = [0, 1].map((value) => labelOf({ name, kind: "boolean" }, value));
  const variable = (level: string, value: number): Variable => ({
    name: `${name}=${level}`,
    parts: [{ column: name, level }],
    values: (number.values as Float64Array).map((own) => Number(own === value)),
  });
  return { name, levels, variables: (whole) => (whole ? levels.map(variable) : [number]) };
}

/** Every variable of the first column times every one of the second, and so on. */
export function multiplied(columns: readonly (readonly Variable[])[], rows: number): Variable[] {
  let out: readonly Variable[] = columns[0];
  for (const next of columns.slice(1)) {
    out = out.flatMap((one) =>
      next.map((other) => ({
        name: `${one.name}:${other.name}`,
        parts: [...one.parts, ...other.parts],
        values: Float64Array.from(
          { length: rows },
          (_, i) => (one.values as Float64Array)[i] * (other.values as Float64Array)[i],
        ),
      })),
    );
  }
  return [...out];
}

/** Levels in the order of the alphabet. */
export function levelsOf(columns: readonly Raw[], rows: number): { levels: string[]; codes: Int32Array } {
  const first = new Map<number | string, number>();
  const names: string[] = [];
  const codes = new Int32Array(rows);
  const key = (i: number): number | string =>
    columns.length === 1 ? columns[0].values[i] : columns.map(({ values }) => values[i]).join(":");
  for (let i = 0; i < rows; i++) {
    const at = key(i);
    let code = first.get(at);
    if (code === undefined) {
      code = names.length;
      first.set(at, code);
      names.push(columns.map((column) => column.label(i)).join(":"));
    }
    codes[i] = code;
  }
  const order = names
    .map((_, j) => j)
    .sort((a, b) => (names[a] < names[b] ? -1 : Number(names[a] > names[b])));
  const place = new Int32Array(order.length);
  order.forEach((code, j) => {
    place[code] = j;
  });
  return { levels: order.map((code) => names[code]), codes: codes.map((code) => place[code]) };
}
