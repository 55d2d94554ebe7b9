/** Small data of every kind, from seeds. */

import { writeFileSync } from "node:fs";
import { normal } from "../../src/math/normal.js";
import { Rng } from "../../src/math/rng.js";

export type Family = "gaussian" | "binomial" | "poisson";
export type Numbers = Record<string, Float64Array>;
type Value = number | string | boolean | Date | null;
export type Table = Record<string, ArrayLike<Value>>;

export interface Shape {
  readonly rows: number;
  readonly columns: number;
  readonly family?: Family;
  readonly seed?: number;
  /** Between any two columns. */
  readonly correlation?: number;
  /** Of the first columns. */
  readonly effects?: readonly number[];
}

/** Columns x1, x2, … of which the first few matter, and the target y. */
export function regression(shape: Shape): Numbers {
  const {
    rows,
    columns,
    family = "gaussian",
    seed = 1,
    correlation = 0.5,
    effects = [0.8, -0.6, 0.4],
  } = shape;
  const rng = Rng.seeded(seed);
  const common = Float64Array.from({ length: rows }, () => normal(rng));
  const [shared, own] = [Math.sqrt(correlation), Math.sqrt(1 - correlation)];
  const table: Numbers = {};
  for (let j = 1; j <= columns; j++) table[`x${j}`] = common.map((c) => shared * c + own * normal(rng));
  const eta = common.map((_, i) => effects.reduce((sum, b, j) => sum + b * table[`x${j + 1}`][i], 0.3));
  table.y = eta.map((at) => response(rng, family, at));
  return table;
}

export function response(rng: Rng, family: Family, eta: number): number {
  if (family === "gaussian") return eta + normal(rng);
  if (family === "binomial") return Number(rng.uniform() < 1 / (1 + Math.exp(-eta)));
  let [count, product] = [0, rng.uniformOpen()];
  for (const limit = Math.exp(-Math.exp(Math.min(3, eta))); product > limit; count++)
    product *= rng.uniformOpen();
  return count;
}

/** The same table with a share of the entries of some columns missing. */
export function withHoles(table: Table, names: readonly string[], share: number, seed = 7): Table {
  const rng = Rng.seeded(seed);
  const holed = names.map((name) => [
    name,
    Array.from(table[name], (v) => (rng.uniform() < share ? null : v)),
  ]);
  return { ...table, ...Object.fromEntries(holed) };
}

/** Some of the rows. */
export function rowsOf(table: Table, from: number, to: number): Table {
  return Object.fromEntries(
    Object.entries(table).map(([name, values]) => [name, Array.from(values).slice(from, to)]),
  );
}

export function writeDelimited(path: string, table: Table, delimiter = ","): string {
  writeFileSync(path, delimited(table, delimiter));
  return path;
}

export function delimited(table: Table, delimiter = ","): string {
  const text = (value: Value) =>
    value instanceof Date ? value.toISOString().slice(0, 10) : String(value ?? "");
  const body = recordsOf(table).map((row) => Object.values(row).map(text).join(delimiter));
  return `${[Object.keys(table).join(delimiter), ...body].join("\n")}\n`;
}

export function recordsOf(table: Table): Record<string, Value>[] {
  const columns = Object.entries(table);
  return Array.from({ length: columns[0][1].length }, (_, i) =>
    Object.fromEntries(columns.map(([name, values]) => [name, values[i]])),
  );
}

/** LIBSVM text in which every entry is there with probability `density`. */
export function libsvm(shape: Shape & { readonly density: number }): string {
  const { rows, columns, density, family = "gaussian", seed = 1, effects = [1.5, -1.2, 1] } = shape;
  const rng = Rng.seeded(seed);
  const lines: string[] = [];
  for (let i = 0; i < rows; i++) {
    let eta = 0;
    const entries: string[] = [];
    for (let j = 0; j < columns; j++) {
      if (rng.uniform() >= density) continue;
      const value = Math.round(1e4 * (1 + normal(rng))) / 1e4;
      entries.push(`${j + 1}:${value}`);
      eta += (effects[j] ?? 0) * value;
    }
    const y = response(rng, family, eta);
    lines.push([family === "binomial" ? (y ? "+1" : "-1") : y, ...entries].join(" "));
  }
  return `${lines.join("\n")}\n`;
}
