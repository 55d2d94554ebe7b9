/**
 * Questions in SQL, built once for all engines. A question names a number for every row, in layers of which each may use
 * those before it, and asks for sums over the rows:
 *
 *     SELECT count(*), sum(s_v3 * s_v7), … FROM (SELECT *, … AS s_eta FROM (SELECT … AS s_v3, … AS s_v7 FROM …))
 *
 * Names of layers are ours; whatever comes from a table is quoted by the engine's dialect, as a name or as a value.
 */

import type { Engine } from "./engine.js";

/** Names and what they stand for. */
export type Layer = Readonly<Record<string, string>>;

/** The rows that are asked about: all, or those that meet every condition. */
export interface RowsAsked {
  readonly engine: Engine;
  readonly conditions: readonly string[];
}

/** An aggregate over all rows: an expression in the names of the layers. */
export interface Question {
  readonly layers: readonly Layer[];
  readonly aggregates: readonly string[];
}

/**
 * Names in questions. Some engines take a name that they were just given for the column of the same name, so ours are
 * such as no table has.
 */
export const variableName = (j: number): string => `s_v${j}`;
export const ETA = "s_eta";
export const TARGET = "s_y";
export const OWN_NAMES = /\bs_[a-z]+\d*\b/g;

export function where(conditions: readonly string[]): string {
  return conditions.length === 0 ? "" : ` WHERE ${conditions.map((each) => `(${each})`).join(" AND ")}`;
}

/** What stands after FROM where the layers are in force. */
export function layered({ engine, conditions }: RowsAsked, layers: readonly Layer[]): string {
  const [first = {}, ...others] = layers;
  let inner = `${engine.table}${where(conditions)}`;
  const named = (layer: Layer): string[] => Object.entries(layer).map(([name, sql]) => `${sql} AS ${name}`);
  // A question about nothing but the number of rows still has to select something.
  inner = `(SELECT ${Object.keys(first).length > 0 ? named(first).join(", ") : "1 AS s_one"} FROM ${inner}) AS t0`;
  others.forEach((layer, i) => {
    if (Object.keys(layer).length > 0)
      inner = `(SELECT *, ${named(layer).join(", ")} FROM ${inner}) AS t${i + 1}`;
  });
  return inner;
}

export function questionSql(rows: RowsAsked, { layers, aggregates }: Question): string {
  const { number } = rows.engine.dialect;
  const list = ["count(*)", ...aggregates].map((aggregate) => number(aggregate));
  return `SELECT ${list.join(", ")} FROM ${layered(rows, layers)}`;
}

/** A number as SQL: with an exponent, so that nobody takes it for a decimal of fixed length. */
export function written(value: number): string {
  if (!Number.isFinite(value)) throw new RangeError(`${value} cannot be written into a question`);
  const text = value.toExponential();
  return value < 0 || Object.is(value, -0) ? `(${text})` : text;
}

/** constant + Σ factors·names. */
export function combination(constant: number, terms: readonly (readonly [number, string])[]): string {
  const used = terms.filter(([factor]) => factor !== 0).map(([factor, name]) => `${written(factor)} * ${name}`);
  return [written(constant), ...used].join(" + ");
}
