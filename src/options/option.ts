/**
 * An option is declared once, as an entry of a table. What the library's types say, how a value is checked, how the
 * command line reads it and what help and documentation tell about it all follow from the entry. The types are written
 * out in `asked.ts` by `npm run options`: editors do not show comments through mapped types (TypeScript 7.0).
 */

import type { Kind } from "./kinds.js";

export interface Option<T = unknown> {
  readonly kind: Kind<T>;
  /** What stands for the value: the letter of the formulas, or a word for what it names. */
  readonly symbol?: string;
  /** What it is: in help, in the documentation, and in the comment that editors show. */
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

/** What was given: a value for any of the options. */
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
