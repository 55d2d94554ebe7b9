/** From the words of a command line to the options of a command, each checked. */

import { type ParseArgsConfig, parseArgs } from "node:util";
import { SparrowError } from "../errors.js";
import type { Given, OptionTable } from "../options/option.js";
import { closest } from "../tables/named/closest.js";
import { dashed, option } from "../wording.js";
import { Arguments, type Command } from "./command.js";

export function parseCommand<T extends OptionTable>(
  command: Command<T>,
  argv: readonly string[],
): Arguments<T> {
  const { positionals, values } = words(command, argv);
  const wanted = command.positionals.filter((name) => !name.startsWith("[")).length;
  // DATA... takes all that follow: several files, or what a shell made of a pattern.
  const isOpen = /\.\.\.\]?$/.test(command.positionals.at(-1) ?? "");
  if (positionals.length < wanted) {
    throw usage(
      `sparrow ${command.name} needs ${command.positionals[positionals.length].replace("...", "")}; ${help(command)}`,
    );
  }
  if (positionals.length > wanted && !isOpen) {
    throw usage(`"${positionals[wanted]}" is one argument too many for sparrow ${command.name}.`);
  }
  return new Arguments(positionals, optionValues(command.options, values), command.options);
}

type Words = Readonly<Record<string, string | boolean | undefined>>;

function words(command: Command, argv: readonly string[]): { positionals: string[]; values: Words } {
  const options: ParseArgsConfig["options"] = Object.fromEntries(
    Object.entries(command.options).map(([name, { kind }]) => [
      dashed(name),
      { type: kind.flag ? "boolean" : "string" },
    ]),
  );
  try {
    const parsed = parseArgs({ args: joinNegative(argv), options, allowPositionals: true, strict: true });
    return { positionals: parsed.positionals, values: parsed.values as Words };
  } catch (error) {
    throw usage(usageProblem(command, error as Error));
  }
}

/** In the order of the table, which is that of the record of a run. */
function optionValues<T extends OptionTable>(table: T, values: Words): Given<T> {
  const given: Record<string, unknown> = {};
  for (const [name, { kind }] of Object.entries(table)) {
    const word = values[dashed(name)];
    if (word === undefined) continue;
    const value = kind.read(String(word), option(name));
    const problem = kind.problem(value, option(name));
    if (problem !== undefined) throw usage(problem);
    given[name] = value;
  }
  return given as Given<T>;
}

/** `--step-size -1` is a value, not an option: the check of the value gives the better message. */
function joinNegative(argv: readonly string[]): string[] {
  const joined: string[] = [];
  for (const argument of argv) {
    const last = joined[joined.length - 1];
    if (/^-[\d.]/.test(argument) && last?.startsWith("--") && !last.includes("=")) {
      joined[joined.length - 1] = `${last}=${argument}`;
    } else joined.push(argument);
  }
  return joined;
}

function usageProblem(command: Command, error: Error): string {
  const unknown = /Unknown option '([^']+)'/.exec(error.message)?.[1];
  if (unknown !== undefined) {
    const near = closest(unknown.replace(/^-+/, ""), Object.keys(command.options).map(dashed));
    const hint = near === undefined ? help(command) : `did you mean --${near}?`;
    return `sparrow ${command.name} has no option ${unknown}; ${hint}`;
  }
  const [, valueless, why] =
    /Option '(?:-\w, )?(--[\w-]+)[^']*' (argument missing|argument is ambiguous|does not take an argument)/.exec(
      error.message,
    ) ?? [];
  if (valueless === undefined) return error.message.split("\n")[0];
  return why === "does not take an argument"
    ? `${valueless} takes no value.`
    : `${valueless} needs a value; ${help(command)}`;
}

const help = ({ name }: Command): string => `see sparrow ${name} --help.`;
const usage = (message: string): SparrowError => new SparrowError(message, "option");
