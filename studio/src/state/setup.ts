/** What the user has said about a table, and the options of a fit that follow from it. Pure. */

import type { ColumnDescription, FitAsked, ReadAsked } from "sparrow-bayes/browser";

/** The part of a column where the user wants another one than it would have. */
export type Wish = "always" | "out" | "keep";
export type KindWish = "number" | "category";

/** Options beyond those that columns decide. */
export type FitWishes = Omit<FitAsked, keyof ReadAsked | "target" | "always" | "exclude" | "columns">;
/** How the file is read, beyond what columns are. */
export type ReadWishes = Omit<ReadAsked, "categorical" | "number" | "keep">;

export interface Setup {
  readonly target: string | undefined;
  readonly wishes: Readonly<Record<string, Wish>>;
  readonly kinds: Readonly<Record<string, KindWish>>;
  readonly reading: ReadWishes;
  readonly fit: FitWishes;
}

export const NOTHING_SAID: Setup = {
  target: undefined,
  wishes: {},
  kinds: {},
  reading: {},
  fit: { seed: 1 },
};

const named = <T extends string>(of: Readonly<Record<string, T>>, value: T): string[] =>
  Object.keys(of).filter((name) => of[name] === value);

/** A list is an option only where it has members. */
function lists(all: Readonly<Record<string, readonly string[]>>): Record<string, readonly string[]> {
  return Object.fromEntries(Object.entries(all).filter(([, names]) => names.length > 0));
}

export function readingOf({ reading, kinds, wishes }: Setup): ReadAsked {
  return {
    ...reading,
    ...lists({
      categorical: named(kinds, "category"),
      number: named(kinds, "number"),
      keep: named(wishes, "keep"),
    }),
  };
}

export function fitOptionsOf(setup: Setup): FitAsked {
  const { target = "", wishes, fit } = setup;
  const others = Object.fromEntries(Object.entries(wishes).filter(([name]) => name !== target));
  return {
    target,
    ...readingOf(setup),
    ...fit,
    ...lists({ always: named(others, "always"), exclude: named(others, "out") }),
  };
}

/** What a fit was asked, as if it had been said on this page: for links, which anybody may have written. */
export function setupOf(asked: FitAsked): Setup {
  const { target, categorical, number, keep, always, exclude, columns: _, ...rest } = asked;
  const wished = <T extends string>(names: unknown, value: T) =>
    (Array.isArray(names) ? names : []).map((name) => [String(name), value] as const);
  const reading: Record<string, unknown> = {};
  const fit: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(rest)) {
    if (READING.has(name)) reading[name] = value;
    else fit[name] = value;
  }
  return {
    target,
    wishes: Object.fromEntries([
      ...wished(always, "always"),
      ...wished(exclude, "out"),
      ...wished(keep, "keep"),
    ]),
    kinds: Object.fromEntries([...wished(categorical, "category"), ...wished(number, "number")]),
    reading: reading as ReadWishes,
    fit: fit as FitWishes,
  };
}

const READING: ReadonlySet<string> = new Set([
  "na",
  "decimal",
  "delimiter",
  "noHeader",
  "quote",
  "dateFormat",
  "sheet",
  "text",
  "missingLevel",
]);

/** The part that a column plays, as it is shown. */
export type Part = "target" | "variable" | "always" | "out" | "aside" | "unusable";

export function partOf(column: ColumnDescription, { target, wishes }: Setup): Part {
  if (column.name === target) return "target";
  if (column.role === "unusable") return wishes[column.name] === "out" ? "out" : "unusable";
  const wish = wishes[column.name];
  if (wish === "always" || wish === "out") return wish;
  if (wish === "keep") return "variable";
  return column.role === "aside" || column.role === "left out" ? "aside" : "variable";
}

/** The column that was probably meant: a usual name, or the last one. */
export function likelyTarget(columns: readonly ColumnDescription[]): string | undefined {
  const usable = columns.filter(({ role }) => role !== "unusable" && role !== "aside" && role !== "left out");
  const usual = usable.find(({ name }) => /^(y|target|label|outcome|response|class)$/i.test(name));
  return usual?.name;
}
