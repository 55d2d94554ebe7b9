/** A command is data: it lists its options, and parsing, checking, `--help` and the documentation follow from them. */

import { SparrowError } from "../errors.js";
import { missing } from "../options/check.js";
import type { Given, OptionTable } from "../options/option.js";
import { option } from "../wording.js";
import type { Effects } from "./effects.js";

export interface Command<T extends OptionTable = OptionTable> {
  readonly name: string;
  readonly summary: string;
  /** What the help says beyond the summary. */
  readonly details?: string;
  readonly positionals: readonly string[];
  readonly options: T;
  /** How the words of an option go on here. */
  readonly here?: { readonly [K in keyof T]?: string };
  /** What holds here unless told, where that is not what holds elsewhere. */
  readonly unlessTold?: { readonly [K in keyof T]?: string };
  readonly examples: readonly string[];
  /** `resumed` where an earlier process has begun it. */
  run(args: Arguments<T>, effects: Effects, resumed?: boolean): Promise<void>;
}

export class Arguments<T extends OptionTable = OptionTable> {
  constructor(
    readonly positionals: readonly string[],
    /** The options that were given, by their names in the library. */
    readonly options: Given<T>,
    private readonly table: T,
  ) {}

  /** The data: one word, which may be a list or a pattern, or several files. */
  data(from = 0): string | readonly string[] {
    const words = this.positionals.slice(from);
    return words.length === 1 ? words[0] : words;
  }

  /** An option that the command cannot do without. */
  required<K extends keyof T & string>(name: K): NonNullable<Given<T>[K]> {
    const value = this.options[name];
    if (value === undefined || value === null) throw missing(name, this.table[name].words);
    return value;
  }

  /** An option that would change nothing is a misunderstanding: better said than ignored. */
  refuse(names: readonly (keyof T & string)[], where: string): void {
    const given = names.find((name) => this.options[name] !== undefined);
    if (given === undefined) return;
    throw new SparrowError(`${option(given)} has no meaning for ${where}; leave it out.`, "option");
  }
}
