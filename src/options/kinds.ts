/** The kinds of values that options have: how each is checked, and how it is read from a word of the command line. */

import { SparrowError } from "../errors.js";
import { type StepSizes, scheduleOf } from "../sampling/schedule.js";
import { patternOf } from "../tables/cells/date-pattern.js";

export interface Kind<T> {
  /** What a value is, for the documentation. */
  readonly name: string;
  /** How the types of the library write it. */
  readonly type: string;
  /** The values, where there are only a few. */
  readonly choices?: readonly string[];
  /** A flag of the command line stands alone. */
  readonly flag?: true;
  /** A sentence about a value that will not do; `named` is how the sentence calls the option. */
  problem(value: unknown, named: string): string | undefined;
  /** The value that a word of the command line stands for; an error where it stands for none. */
  read(word: string, named: string): T;
}

export const text: Kind<string> = {
  name: "text",
  type: "string",
  problem: must("be a text", (value) => typeof value === "string"),
  read: (word) => word,
};

export const flag: Kind<boolean> = {
  name: "flag",
  type: "boolean",
  flag: true,
  problem: must("be true or false", (value) => typeof value === "boolean"),
  read: () => true,
};

export const count = number("positive whole number", (value) => Number.isSafeInteger(value) && value > 0);
export const whole = number(
  "whole number that is not negative",
  (value) => Number.isSafeInteger(value) && value >= 0,
);
export const positive = number("positive number", (value) => value > 0 && value < Infinity);
export const notNegative = number("number that is not negative", (value) => value >= 0 && value < Infinity);
export const share: Kind<number> = {
  ...number("number between 0 and 1", (value) => value > 0 && value < 1),
  problem: must("lie between 0 and 1", (value) => typeof value === "number" && value > 0 && value < 1),
};

/** A number from `least` to `most`, both included. */
export function within(least: number, most: number): Kind<number> {
  const fits = (value: number) => value >= least && value <= most;
  return {
    ...number(`number from ${least} to ${most}`, fits),
    problem: must(`lie between ${least} and ${most}`, (value) => typeof value === "number" && fits(value)),
  };
}

export function wholeAbove(least: number): Kind<number> {
  return number(`whole number above ${least}`, (value) => Number.isSafeInteger(value) && value > least);
}

/** A word instead of a value of another kind. */
export function or<const W extends string, T>(word: W, kind: Kind<T>): Kind<T | W> {
  return {
    name: `${kind.name}, or ${word}`,
    type: `${kind.type} | "${word}"`,
    problem: (value, named) => (value === word ? undefined : kind.problem(value, named)),
    read: (given, named) => (given === word ? word : kind.read(given, named)),
  };
}

export function choice<const C extends string>(...choices: readonly C[]): Kind<C> {
  const problem = must(`be one of ${choices.join(", ")}`, (value) => choices.some((each) => each === value));
  return {
    name: "choice",
    type: choices.map((each) => `"${each}"`).join(" | "),
    choices,
    problem,
    read: (word, named) => checked(word as C, problem(word, named)),
  };
}

export const columns = list("columns");

/** The same, where the word `none` is a list without any. */
export const columnsOrNone: Kind<readonly string[]> = {
  ...columns,
  name: "columns, or none",
  read: (word) => (word.trim() === "none" ? [] : names(word)),
};

/** Some of a few names. */
export function some<const C extends string>(...choices: readonly C[]): Kind<readonly string[]> {
  const { problem, read } = list("names");
  const known = (value: readonly string[], named: string): string | undefined => {
    const other = value.find((name) => !choices.some((each) => each === name));
    return other === undefined ? undefined : `${named} knows ${choices.join(", ")}, not ${shown(other)}.`;
  };
  return {
    name: "names",
    type: "readonly string[]",
    problem: (value, named) => problem(value, named) ?? known(value as readonly string[], named),
    read: (word, named) => {
      const value = read(word, named);
      return checked(value, known(value, named));
    },
  };
}

export const counts: Kind<readonly number[]> = {
  name: "positive whole numbers",
  type: "readonly number[]",
  problem: (value, named) => {
    if (!Array.isArray(value)) return `${named} must be a list of numbers, not ${shown(value)}.`;
    return value.map((each) => count.problem(each, named)).find((problem) => problem !== undefined);
  },
  read: (word, named) =>
    names(word).map((part) => {
      const value = Number(part);
      return Number.isSafeInteger(value) ? value : refuse(`${named} must be a positive whole number`, part);
    }),
};

/** A positive whole number, or on the command line a..b for all from a to b. */
export const countOrRange: Kind<number | readonly number[]> = {
  name: "positive whole number, or several to choose from: 2..6 or 2,4",
  type: "number | readonly number[]",
  problem: (value, named) =>
    typeof value === "number" ? count.problem(value, named) : counts.problem(value, named),
  read: (word, named) => {
    const [, from, to] = /^\s*(\d+)\s*\.\.\.?\s*(\d+)\s*$/.exec(word) ?? [];
    if (from === undefined) {
      const several = counts.read(word, named);
      return several.length === 1 ? several[0] : several;
    }
    const [a, b] = [Number(from), Number(to)];
    if (!(a >= 1 && b >= a && b - a < 100)) return refuse(`${named} must go from 1 or more upwards`, word);
    return Array.from({ length: b - a + 1 }, (_, i) => a + i);
  },
};

/** Below this nothing can be read at all; a user who asks for less means megabytes. */
const LEAST_BYTES = 1e6;

/** Bytes; on the command line 2GB, 512MiB or 1e9. */
export const size: Kind<number> = {
  ...number("positive number of bytes", (value) => value > 0 && value < Infinity),
  name: "bytes; on the command line a size like 2GB",
  read: (word, named) => {
    const parts = /^\s*([\d.]+(?:e\d+)?)\s*([kmgt]?)(i?)b?\s*$/i.exec(word);
    const power = " kmgt".indexOf(parts?.[2].toLowerCase() || " ");
    const bytes = parts ? Number(parts[1]) * (parts[3] ? 1024 : 1000) ** power : Number.NaN;
    if (bytes >= LEAST_BYTES && Number.isFinite(bytes)) return Math.floor(bytes);
    return refuse(`${named} must be a size like 500MB or 2GB (at least 1MB)`, word);
  },
};

/** A step, or a schedule of steps: its numbers, or on the command line its name, a colon and its numbers. */
export const steps: Kind<StepSizes> = {
  name: "positive number, or a schedule",
  type: "StepSizes",
  problem: (value, named) => {
    if (typeof value !== "object" || value === null) return positive.problem(value, named);
    if (Array.isArray(value) || !("kappa" in value || "length" in value)) {
      return `${named} is a number, or a, b and kappa of a decreasing step, or a and length of a cycle.`;
    }
    try {
      scheduleOf(value as StepSizes);
      return undefined;
    } catch (error) {
      const { marked } = error as SparrowError;
      return `${named}: ${marked.charAt(0).toLowerCase()}${marked.slice(1)}`;
    }
  },
  read: (word, named) => {
    const [, name, rest] = /^\s*(polynomial|cyclical):(.*)$/.exec(word) ?? [];
    if (name === undefined) return positive.read(word, named);
    const numbers = rest.split(",").map(numberOf);
    const wanted = name === "polynomial" ? "a,b,κ" : "a,length or cyclical:a,length,exploration";
    const many = name === "polynomial" ? [3] : [2, 3];
    if (!many.includes(numbers.length) || !numbers.every(Number.isFinite)) {
      return refuse(`${named} must be a number or ${name}:${wanted}`, word);
    }
    const [a, second, third] = numbers;
    if (name === "polynomial") return { a, b: second, kappa: third };
    return third === undefined ? { a, length: second } : { a, length: second, exploration: third };
  },
};

const ORDERS = ["dmy", "mdy", "ymd"];

/** The order of day, month and year, or a pattern of them. */
export const dateFormat: Kind<string> = {
  name: "dmy, mdy, ymd, or a pattern like %d.%m.%Y",
  type: "string",
  problem: (value, named) => {
    if (typeof value !== "string" || !(ORDERS.includes(value) || value.includes("%"))) {
      return `${named} must be dmy, mdy, ymd or a pattern like %d.%m.%Y, not ${shown(value)}.`;
    }
    try {
      patternOf(value);
      return undefined;
    } catch (error) {
      return (error as SparrowError).marked;
    }
  },
  read: (word) => word,
};

/** A value as a sentence shows it. */
export function shown(value: unknown): string {
  if (typeof value === "string") return `"${value}"`;
  if (typeof value === "function") return "a function";
  if (Array.isArray(value)) return "a list";
  return typeof value === "object" && value !== null ? "an object" : String(value);
}

function number(what: string, fits: (value: number) => boolean): Kind<number> {
  return {
    name: what,
    type: "number",
    problem: must(`be a ${what}`, (value) => typeof value === "number" && fits(value)),
    read: (word, named) => {
      const value = numberOf(word);
      return Number.isFinite(value) ? value : refuse(`${named} must be a number`, word);
    },
  };
}

/** Names of something; on the command line with commas between them. */
export function list(of: string): Kind<readonly string[]> {
  const isList = (value: unknown) =>
    Array.isArray(value) && value.every((each: unknown) => typeof each === "string");
  return { name: of, type: "readonly string[]", problem: must(`be a list of ${of}`, isList), read: names };
}

/** With commas between them; a name with a comma of its own stands in double quotes, as in a CSV file. */
function names(word: string): string[] {
  const items = word.matchAll(/\s*(?:"((?:[^"]|"")*)"\s*(?=,|$)|([^,]+))/g);
  return [...items].flatMap(([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? (plain.trim() || []));
}

function must(demand: string, fits: (value: unknown) => boolean): Kind<unknown>["problem"] {
  return (value, named) => (fits(value) ? undefined : `${named} must ${demand}, not ${shown(value)}.`);
}

const numberOf = (word: string): number => (word.trim() === "" ? Number.NaN : Number(word));

function checked<T>(value: T, problem: string | undefined): T {
  if (problem !== undefined) throw new SparrowError(problem, "option");
  return value;
}

function refuse(demand: string, word: string): never {
  throw new SparrowError(`${demand}, not ${shown(word)}.`, "option");
}
