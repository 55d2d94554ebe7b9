/** The clean table that most messy files are variations of: groups, two numbers, a category, and what they explain. */

import { normal } from "../../src/math/normal.js";
import { Rng } from "../../src/math/rng.js";

export type Value = string | number | boolean | Date | null;
export type Columns = Readonly<Record<string, readonly Value[]>>;

export const ROWS = 48;

const rng = Rng.seeded(14);
const cents = (x: number): number => Math.round(100 * x) / 100;
const rows = Array.from({ length: ROWS }, (_, i) => i);
const x = rows.map(() => cents(normal(rng)));
const z = rows.map(() => cents(normal(rng)));
const g = rows.map(() => ["north", "south", "south", "west"][rng.below(4)]);
const who = rows.map((i) => `w${1 + (i % 6)}`);
const y = rows.map((i) =>
  cents(1 + 2 * x[i] - z[i] + (g[i] === "west" ? 1 : 0) + 0.2 * (i % 6) + 0.5 * normal(rng)),
);

/** Copies: nobody can change them for the others. */
export const base = (): { who: string[]; x: number[]; z: number[]; g: string[]; y: number[] } => ({
  ...{ who: [...who], x: [...x], z: [...z], g: [...g], y: [...y] },
});

/** The same with another `z`. */
export const withZ = (of: (z: number, i: number) => Value): Columns => ({ ...base(), z: z.map(of) });

/** The same with `z` last but one, and a column more. */
export const withColumn = (name: string, of: (i: number) => Value): Columns => {
  const { y: target, ...others } = base();
  return { ...others, [name]: rows.map(of), y: target };
};

export interface Dialect {
  readonly delimiter?: string;
  readonly quote?: string;
  readonly header?: boolean;
  readonly end?: string;
}

/** As delimited text, quoted only where it must be. */
export function written(
  columns: Columns,
  { delimiter = ",", quote = '"', header = true, end = "\n" }: Dialect = {},
): string {
  const cell = (value: Value): string => {
    const text = value === null ? "" : value instanceof Date ? value.toISOString() : String(value);
    const isPlain = !text.includes(delimiter) && !text.includes(quote) && !text.includes("\n");
    return isPlain ? text : `${quote}${text.replaceAll(quote, quote + quote)}${quote}`;
  };
  const names = Object.keys(columns);
  const count = columns[names[0]].length;
  const lines = Array.from({ length: count }, (_, i) =>
    names.map((name) => cell(columns[name][i])).join(delimiter),
  );
  return [...(header ? [names.map(cell).join(delimiter)] : []), ...lines, ""].join(end);
}
