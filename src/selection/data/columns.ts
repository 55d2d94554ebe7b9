import { closest } from "../../tables/named/closest.js";
/** Which columns of the table are the target and the predictors, by name. */

import { SparrowError } from "../../errors.js";
import type { FitOptions } from "../../options/fit.js";
import { type Encoding, variablesOf } from "../../store/layout/encoding.js";
import { namesLike } from "../../tables/judge/hints.js";
import { noColumn } from "../../tables/named/no-column.js";
import type { ColumnTable, Table } from "../../tables/table.js";
import { option } from "../../wording.js";

export interface Roles {
  readonly target: number;
  /** Table columns of the predictors, in the order of the table. */
  readonly predictors: readonly number[];
  /** Those that are none because of what they hold, unless somebody names them. */
  readonly aside: readonly number[];
}

export type RoleOptions = Pick<FitOptions, "target" | "columns" | "exclude" | "always">;

/** The column to explain: the one that was asked for, or the one that the table was made for. */
export function targetName(
  table: Pick<Table, "target"> & Partial<Pick<ColumnTable, "columns">>,
  asked: string | undefined,
): string {
  const name = asked ?? table.target;
  if (name !== undefined) return name;
  throw new SparrowError(
    `${option("target")} is missing: the column to explain.${table.columns ? suggestion(table.columns) : ""}`,
    "option",
  );
}

const USUAL_TARGETS = /^(?:y|target|label|class|outcome|response|result)$/i;

function suggestion(columns: ColumnTable["columns"]): string {
  const usable = columns.filter(({ aside, problem }) => !aside && problem === undefined);
  const likely = usable.find(({ name }) => USUAL_TARGETS.test(name)) ?? usable[usable.length - 1];
  if (!likely) return "";
  const names = list(columns.map(({ name }) => name));
  return ` The columns are ${names}; perhaps ${option("target", quotedName(likely.name))}? The command describe shows what they hold.`;
}

const quotedName = (name: string): string => (/^[\w.-]+$/.test(name) ? name : JSON.stringify(name));

export function columnRoles(table: Pick<ColumnTable, "name" | "columns">, options: RoleOptions): Roles {
  const names = table.columns.map(({ name }) => name);
  const find = (name: string, role: keyof RoleOptions): number => {
    const at = names.indexOf(name);
    if (at >= 0) return at;
    throw noColumn(table.name, name, names, option(role));
  };
  /** A name stands for itself; what is no name may be a pattern: `*` for any text, `?` for any one character. */
  const findAll = (wanted: readonly string[], role: keyof RoleOptions): Set<number> => {
    const found = new Set<number>();
    for (const name of wanted) {
      const isPattern = /[*?]/.test(name) && !names.includes(name);
      const matches = isPattern ? matching(names, name) : [find(name, role)];
      if (matches.length === 0)
        throw new SparrowError(
          `${table.name} has no column like "${name}" (${option(role)}). The columns are ${list(names)}.`,
          "column",
        );
      for (const i of matches) found.add(i);
    }
    return found;
  };
  const target = find(targetName({}, options.target), "target");
  const exclude = findAll(options.exclude ?? [], "exclude");
  const always = findAll(options.always ?? [], "always");
  const chosen = options.columns && findAll(options.columns, "columns");
  if (options.exclude?.includes(options.target))
    throw new SparrowError(
      `Column "${options.target}" is both ${option("target")} and ${option("exclude")}.`,
      "option",
    );
  const possible = table.columns
    .map((_, i) => i)
    .filter((i) => i !== target && !exclude.has(i) && (!chosen || chosen.has(i) || always.has(i)));
  const isAside = (i: number) => table.columns[i].aside !== undefined;
  // Where there is nothing else, a running number is better than nothing.
  const isAll = possible.every(isAside);
  const predictors = possible.filter((i) => !isAside(i) || (isAll && table.columns[i].kind !== "text"));
  for (const i of [target, ...predictors]) {
    const { name, problem, refusal } = table.columns[i];
    if (refusal !== undefined) throw new SparrowError(refusal, "data");
    if (problem === undefined) continue;
    const advice =
      i === target ? "choose a numeric target" : `leave it out with ${option("exclude", [name])}`;
    throw new SparrowError(
      `${table.name}: column "${name}" holds ${problem}, not numbers; ${advice}.`,
      "column",
    );
  }
  if (predictors.length === 0) {
    throw new SparrowError(
      `${table.name} has no column besides the target "${options.target}"; there is nothing to select.`,
      "column",
    );
  }
  const isPredictor = new Set(predictors);
  for (const i of always) {
    if (!isPredictor.has(i))
      throw new SparrowError(
        `Column "${names[i]}" cannot be in every model (${option("always")}): it is the target or excluded.`,
        "option",
      );
  }
  return { target, predictors, aside: possible.filter((i) => !isPredictor.has(i)) };
}

/** Positions of the variables that are in every model: all that come from the columns named. */
export function alwaysVariables(encoding: Encoding, always: readonly string[]): number[] {
  const names = encoding.columns.map(({ column }) => column);
  const wanted = new Set<string>();
  for (const name of always) {
    const found = matching(names, name);
    if (found.length === 0) {
      const near = closest(name, names);
      const hint = near === undefined ? `They come from ${list(names)}.` : `Did you mean "${near}"?`;
      throw new SparrowError(
        `"${name}" cannot be in every model (${option("always")}): it is not one of the variables. ${hint}`,
        "column",
      );
    }
    for (const i of found) wanted.add(names[i]);
  }
  return variablesOf(encoding, wanted);
}

function matching(names: readonly string[], pattern: string): number[] {
  const wanted = new Set(namesLike(names, pattern));
  return [...names.keys()].filter((i) => wanted.has(names[i]));
}

function list(names: readonly string[]): string {
  const shown = names.slice(0, 8).map((name) => `"${name}"`);
  return shown.join(", ") + (names.length > 8 ? ` and ${names.length - 8} more` : "");
}
