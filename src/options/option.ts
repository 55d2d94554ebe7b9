/**
 * An option is declared once, as an entry of a table. What the library's types say, how a value is checked, how the
 * command line reads it and what help and documentation tell about it all follow from the entry.
 */

import type { Kind } from "./kinds.js";

export interface Option<T = unknown> {
  readonly kind: Kind<T>;
  /** What stands for the value: the letter of the formulas, or a word for what it names. */
  readonly symbol?: string;
  /** What it is. The comment above the entry, which editors show, says the same. */
  readonly words: string;
  /** The value that holds unless told; the one place where it is written. */
  readonly usual?: T;
  /** What holds unless told, in words, where it depends on the data or on other options. */
  readonly usually?: string;
  /** In the library there is no call without it. */
  readonly required?: true;
}

export type OptionTable = Readonly<Record<string, Option>>;

type Value<O> = O extends { readonly kind: Kind<infer V> } ? V : never;
type Required<T extends OptionTable> = {
  [K in keyof T]: T[K] extends { readonly required: true } ? K : never;
}[keyof T];

/** What a caller gives: a value for each option that is required, and for any of the others. */
export type Asked<T extends OptionTable> = {
  readonly [K in keyof Pick<T, Required<T>>]: Value<T[K]>;
} & Given<Omit<T, Required<T>>>;

/** The same where nothing is required: what was given. */
export type Given<T> = { readonly [K in keyof T]?: Value<T[K]> };

/** The entries of a table that a command takes, in the order of its list. */
export function entries<T extends OptionTable, const K extends keyof T>(
  table: T,
  names: readonly K[],
): Pick<T, K> {
  return Object.fromEntries(names.map((name) => [name, table[name]])) as Pick<T, K>;
}

/** The value that holds unless told, of an option that has one. */
export function usual<T>(option: { readonly kind: Kind<T>; readonly usual: unknown }): T {
  return option.usual as T;
}
