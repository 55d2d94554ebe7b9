/** Which columns of the table are the target and the predictors, by name. */

import { SparrowError } from "../errors.js";
import type { Table } from "../sources/table.js";
import type { FitOptions } from "./options.js";

export interface Roles {
  readonly target: number;
  /** Table columns of the predictors, in the order of the table. */
  readonly predictors: readonly number[];
  /** Positions among the predictors of those that are in every model. */
  readonly always: readonly number[];
}

export function columnRoles(table: Table, options: FitOptions): Roles {
  const names = table.columns.map(({ name }) => name);
  const find = (name: string, option: string): number => {
    const at = names.indexOf(name);
    if (at >= 0) return at;
    const near = closest(name, names);
    const hint = near ? ` Did you mean "${near}"?` : ` The columns are ${list(names)}.`;
    throw new SparrowError(`${table.name} has no column "${name}" (${option}).${hint}`);
  };
  const target = find(options.target, "--target");
  const exclude = new Set((options.exclude ?? []).map((name) => find(name, "--exclude")));
  const always = [...new Set((options.always ?? []).map((name) => find(name, "--always")))];
  if (exclude.has(target))
    throw new SparrowError(`Column "${options.target}" is both --target and --exclude.`, "usage");
  const predictors = table.columns.map((_, i) => i).filter((i) => i !== target && !exclude.has(i));
  for (const i of [target, ...predictors]) {
    const { name, problem } = table.columns[i];
    if (problem === undefined) continue;
    const advice = i === target ? "choose a numeric target" : `leave it out with --exclude "${name}"`;
    throw new SparrowError(`${table.name}: column "${name}" holds ${problem}, not numbers; ${advice}.`);
  }
  if (predictors.length === 0) {
    throw new SparrowError(
      `${table.name} has no column besides the target "${options.target}"; there is nothing to select.`,
    );
  }
  const positions = always.map((i) => {
    const at = predictors.indexOf(i);
    if (at < 0)
      throw new SparrowError(
        `Column "${names[i]}" cannot be in every model (--always): it is the target or excluded.`,
        "usage",
      );
    return at;
  });
  return { target, predictors, always: [...new Set(positions)] };
}

function list(names: readonly string[]): string {
  const shown = names.slice(0, 8).map((name) => `"${name}"`);
  return shown.join(", ") + (names.length > 8 ? ` and ${names.length - 8} more` : "");
}

/** The name within two edits of what was asked for, if there is just one candidate that near. */
function closest(name: string, names: readonly string[]): string | undefined {
  const wanted = name.toLowerCase();
  const ranked = names
    .slice(0, 5000)
    .map((candidate) => ({ candidate, distance: edits(wanted, candidate.toLowerCase(), 2) }))
    .filter(({ distance }) => distance <= 2)
    .sort((a, b) => a.distance - b.distance);
  return ranked[0]?.candidate;
}

function edits(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) > limit) return limit + 1;
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let k = 1; k <= b.length; k++) {
      next[k] = Math.min(row[k] + 1, next[k - 1] + 1, row[k - 1] + (a[i - 1] === b[k - 1] ? 0 : 1));
    }
    row = next;
  }
  return row[b.length];
}
