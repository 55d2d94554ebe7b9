/** A fit of a page as others would ask for it: on the command line, and in a program. */

import { options as table } from "../options/table.js";
import { asFlag, dashed, type OptionValue } from "../wording.js";

/** What was asked of a fit, listeners and all. */
type Asked = Readonly<Record<string, unknown>>;

/** The command that gives the same answer. */
export function commandLine(file: string, asked: object): string {
  const words = given(asked).map(([name, value]) => flagOf(name, value));
  return ["sparrow fit", shellWord(file), ...words].join(" ");
}

/** The program that gives the same answer. */
export function libraryCode(file: string, asked: object): string {
  const lines = given(asked).map(([name, value]) => `  ${name}: ${JSON.stringify(value)},`);
  return [
    'import { fit } from "sparrow-bayes/node";',
    "",
    `const result = await fit(${JSON.stringify(file)}, {`,
    ...lines,
    "});",
    "",
  ].join("\n");
}

/** In the order of the table, which is that of the record of a run. */
function given(asked: object): [string, unknown][] {
  return Object.keys(table).flatMap((name): [string, unknown][] => {
    const value = (asked as Asked)[name];
    return value === undefined || value === false ? [] : [[name, value]];
  });
}

function flagOf(name: string, value: unknown): string {
  if (value === true) return `--${dashed(name)}`;
  const spelt = asFlag(name, stepsText(value) as OptionValue);
  const space = spelt.indexOf(" ");
  return `${spelt.slice(0, space)} ${shellWord(spelt.slice(space + 1))}`;
}

/** Schedules of steps have a spelling of their own there. */
function stepsText(value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const { a, b, kappa, length, exploration } = value as Record<string, number | undefined>;
  const parts = kappa === undefined ? [a, length, exploration] : [a, b, kappa];
  const kind = kappa === undefined ? "cyclical" : "polynomial";
  return `${kind}:${parts.filter((part) => part !== undefined).join(",")}`;
}

/** Plain words stand as they are; all others between single quotes, in which a shell reads nothing. */
function shellWord(word: string): string {
  return /^[\w./,:=@%+-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
