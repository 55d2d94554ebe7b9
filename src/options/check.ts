/** What is wrong with what a caller asks: a name, a value, or one option beside another. */

import { SparrowError } from "../errors.js";
import { closest } from "../tables/named/closest.js";
import { option } from "../wording.js";
import type { OptionTable } from "./option.js";
import type { Relation } from "./relations.js";

export interface Rules<T> {
  readonly table: OptionTable;
  /** Properties of the library's options that no command line can have: signals and listeners. */
  readonly beside: readonly string[];
  readonly relations: readonly Relation<T>[];
}

/** The first thing that is wrong is an error, which names the option. */
export function checkAsked<T extends object>(asked: T, { table, beside, relations }: Rules<T>): void {
  for (const [name, value] of Object.entries(asked)) {
    if (beside.includes(name)) continue;
    if (!Object.hasOwn(table, name)) throw unknown(name, [...Object.keys(table), ...beside]);
    const problem = value === undefined ? undefined : table[name].kind.problem(value, option(name));
    if (problem !== undefined) throw new SparrowError(problem, "option");
  }
  checkRelations(asked, relations);
}

/** Everything that a call cannot do without is there. */
export function checkRequired(asked: object | undefined, table: OptionTable): void {
  const given: Readonly<Record<string, unknown>> = { ...asked };
  for (const [name, { required, words }] of Object.entries(table)) {
    if (required && given[name] === undefined) throw missing(name, words);
  }
}

export function checkRelations<T>(asked: T, relations: readonly Relation<T>[]): void {
  for (const { broken } of relations) {
    const problem = broken(asked);
    if (problem !== undefined) throw new SparrowError(problem, "option");
  }
}

export function missing(name: string, words: string): SparrowError {
  return new SparrowError(`${option(name)} is missing: ${words}.`, "option");
}

function unknown(name: string, names: readonly string[]): SparrowError {
  const near = closest(name, names);
  const hint = near === undefined ? `the options are ${names.join(", ")}.` : `did you mean ${near}?`;
  return new SparrowError(`There is no option ${name}; ${hint}`, "option");
}
