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

/** A query of some expressions over the rows, in the names of the layers; `tail` follows the conditions. */
export interface Selection {
  readonly layers: readonly Layer[];
  readonly list: readonly string[];
  readonly conditions?: readonly string[];
  readonly tail?: string;
}

/**
 * Nested, each layer around the one before; or with all names in front, for engines that would carry the rows of a
 * nested query to one machine before they sum them.
 */
export function selectionSql(
  { engine, conditions }: RowsAsked,
  { layers, list, conditions: more = [], tail = "" }: Selection,
): string {
  const own = layers.flatMap((layer) => Object.entries(layer).map(([name, sql]) => `${sql} AS ${name}`));
  const end = tail === "" ? "" : ` ${tail}`;
  if (engine.dialect.names === "in front") {
    const names = own.length === 0 ? "" : `WITH ${own.join(", ")} `;
    return `${names}SELECT ${list.join(", ")} FROM ${engine.table}${where([...conditions, ...more])}${end}`;
  }
  if (own.length === 0)
    return `SELECT ${list.join(", ")} FROM ${engine.table}${where([...conditions, ...more])}${end}`;
  const [first, ...others] = layers.filter((layer) => Object.keys(layer).length > 0);
  const named = (layer: Layer): string =>
    Object.entries(layer)
      .map(([name, sql]) => `${sql} AS ${name}`)
      .join(", ");
  let inner = `(SELECT ${named(first)} FROM ${engine.table}${where(conditions)}) AS t0`;
  others.forEach((layer, i) => {
    inner = `(SELECT *, ${named(layer)} FROM ${inner}) AS t${i + 1}`;
  });
  return `SELECT ${list.join(", ")} FROM ${inner}${where(more)}${end}`;
}

export function questionSql(rows: RowsAsked, { layers, aggregates }: Question): string {
  const { number } = rows.engine.dialect;
  return selectionSql(rows, {
    layers,
    list: ["count(*)", ...aggregates].map((aggregate) => number(aggregate)),
  });
}

/** A number as SQL: with an exponent, so that nobody takes it for a decimal of fixed length. */
export function written(value: number): string {
  if (!Number.isFinite(value)) throw new RangeError(`${value} cannot be written into a question`);
  const text = value.toExponential();
  return value < 0 || Object.is(value, -0) ? `(${text})` : text;
}

/** constant + Σ factors·names, without what adds nothing: some engines take long over every word. */
export function combination(constant: number, terms: readonly (readonly [number, string])[]): string {
  const used = terms
    .filter(([factor]) => factor !== 0)
    .map(([factor, name]) => (factor === 1 ? name : `${written(factor)} * ${name}`));
  return [...(constant === 0 && used.length > 0 ? [] : [written(constant)]), ...used].join(" + ");
}
