/** A command is data: its options are declared once, and parsing, checking and `--help` follow from them. */

import { parseArgs } from "node:util";
import { SparrowError } from "../errors.js";
import { wrapped } from "../report/text/lines.js";
import type { Effects } from "./effects.js";

export interface Option {
  readonly kind: "flag" | "text" | "number" | "integer" | "list" | "choice";
  /** Shown in the help after the name. */
  readonly value?: string;
  readonly choices?: readonly string[];
  readonly help: string;
}

export interface Command {
  readonly name: string;
  readonly summary: string;
  /** What the help says beyond the summary. */
  readonly details?: string;
  readonly positionals: readonly string[];
  readonly options: Readonly<Record<string, Option>>;
  readonly examples: readonly string[];
  run(args: Arguments, effects: Effects): Promise<void>;
}

export class Arguments {
  constructor(
    readonly positionals: readonly string[],
    private readonly values: Readonly<Record<string, string | boolean | undefined>>,
    private readonly options: Readonly<Record<string, Option>>,
  ) {}

  flag(name: string): boolean {
    return this.values[name] === true;
  }

  text(name: string): string | undefined {
    return this.values[name] as string | undefined;
  }

  /** The text of an option that the command cannot do without. */
  required(name: string): string {
    const value = this.text(name);
    if (value !== undefined) return value;
    throw new SparrowError(`--${name} is missing: ${this.options[name].help}.`, "option");
  }

  choice<T extends string>(name: string): T | undefined {
    const value = this.text(name);
    const { choices = [] } = this.options[name];
    if (value === undefined || choices.includes(value)) return value as T | undefined;
    throw new SparrowError(`--${name} must be one of ${choices.join(", ")}, not "${value}".`, "option");
  }

  number(name: string): number | undefined {
    const value = this.text(name);
    if (value === undefined) return undefined;
    const number = value.trim() === "" ? Number.NaN : Number(value);
    if (Number.isFinite(number)) return number;
    throw new SparrowError(`--${name} must be a number, not "${value}".`, "option");
  }

  /** A whole number of things, of which there must be one at least. */
  count(name: string): number | undefined {
    const value = this.number(name);
    if (value === undefined || (Number.isSafeInteger(value) && value > 0)) return value;
    throw new SparrowError(`--${name} must be a positive whole number, not ${value}.`, "option");
  }

  seed(name = "seed"): number | undefined {
    const value = this.number(name);
    if (value === undefined || (Number.isSafeInteger(value) && value >= 0)) return value;
    throw new SparrowError(`--${name} must be a whole number that is not negative, not ${value}.`, "option");
  }

  /** A size in bytes: 2GB, 512MiB, 1e9. */
  bytes(name: string): number | undefined {
    const value = this.text(name);
    if (value === undefined) return undefined;
    const parts = /^\s*([\d.]+(?:e\d+)?)\s*([kmgt]?)(i?)b?\s*$/i.exec(value);
    const power = " kmgt".indexOf(parts?.[2].toLowerCase() || " ");
    const size = parts ? Number(parts[1]) * (parts[3] ? 1024 : 1000) ** power : Number.NaN;
    if (size >= 1e6 && Number.isFinite(size)) return Math.floor(size);
    throw new SparrowError(
      `--${name} must be a size like 500MB or 2GB (at least 1MB), not "${value}".`,
      "option",
    );
  }

  /** Names with commas between them; a name with a comma of its own stands in double quotes, as in a CSV file. */
  list(name: string): string[] | undefined {
    const items = this.text(name)?.matchAll(/\s*(?:"((?:[^"]|"")*)"\s*(?=,|$)|([^,]+))/g);
    return (
      items &&
      [...items].flatMap(([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? (plain.trim() || []))
    );
  }

  /** An option that would change nothing is a misunderstanding: better said than ignored. */
  refuse(names: readonly string[], where: string): void {
    const given = names.find((name) => this.values[name] !== undefined);
    if (given) throw new SparrowError(`--${given} has no meaning for ${where}; leave it out.`, "option");
  }
}

/** The options that were given. */
export function present<T extends object>(values: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as never;
}

export function parseCommand(command: Command, argv: readonly string[]): Arguments {
  const options = Object.fromEntries(
    Object.entries(command.options).map(([name, { kind }]) => [
      name,
      { type: kind === "flag" ? ("boolean" as const) : ("string" as const) },
    ]),
  );
  let parsed: ReturnType<typeof parseArgs>;
  try {
    parsed = parseArgs({ args: joinNegative(argv), options, allowPositionals: true, strict: true });
  } catch (error) {
    throw new SparrowError(usageProblem(command, error as Error), "option");
  }
  const { positionals, values } = parsed;
  const wanted = command.positionals.length;
  if (positionals.length < wanted) {
    throw new SparrowError(
      `sparrow ${command.name} needs ${command.positionals[positionals.length]}; see sparrow ${command.name} --help.`,
      "option",
    );
  }
  if (positionals.length > wanted) {
    throw new SparrowError(
      `"${positionals[wanted]}" is one argument too many for sparrow ${command.name}.`,
      "option",
    );
  }
  return new Arguments(positionals, values as Record<string, string | boolean>, command.options);
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
  if (unknown) return `sparrow ${command.name} has no option ${unknown}; see sparrow ${command.name} --help.`;
  const missing = /Option '(?:-\w, )?(--[\w-]+)[^']*' argument missing/.exec(error.message)?.[1];
  if (missing) return `${missing} needs a value; see sparrow ${command.name} --help.`;
  const ambiguous = /Option '(?:-\w, )?(--[\w-]+)[^']*' argument is ambiguous/.exec(error.message)?.[1];
  if (ambiguous) return `${ambiguous} needs a value; see sparrow ${command.name} --help.`;
  const surplus = /Option '(?:-\w, )?(--[\w-]+)[^']*' does not take an argument/.exec(error.message)?.[1];
  if (surplus) return `${surplus} takes no value.`;
  return error.message.split("\n")[0];
}

const HELP_WIDTH = 100;

export function helpText(command: Command): string {
  const rows = Object.entries(command.options).map(([name, { value, choices, help }]) => {
    const shown = choices ? choices.join("|") : (value ?? "");
    return [`--${name}${shown ? ` ${shown}` : ""}`, help] as const;
  });
  const width = Math.min(34, Math.max(...rows.map(([left]) => left.length)));
  const indent = " ".repeat(width + 4);
  const lines = rows.map(([left, help]) => {
    const text = wrapped(help, HELP_WIDTH - indent.length).join(`\n${indent}`);
    return left.length > width ? `  ${left}\n${indent}${text}` : `  ${left.padEnd(width)}  ${text}`;
  });
  return [
    command.summary,
    ...(command.details ? ["", ...wrapped(command.details, HELP_WIDTH)] : []),
    "",
    `Usage: sparrow ${command.name} ${command.positionals.join(" ")} [options]`.replace("  ", " "),
    "",
    ...lines,
    "",
    "Examples:",
    ...command.examples.map((example) => `  ${example}`),
    "",
  ].join("\n");
}
