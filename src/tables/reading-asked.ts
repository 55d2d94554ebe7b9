/** What a user may say of how files are read. Plain data: a run keeps it, so that new files are read alike. */

/** What was asked of the way in which data are read. */
export interface ReadingAsked {
  /** Values that mean a missing one. */
  readonly na?: readonly string[] | undefined;
  /** The decimal sign, where a column leaves it open. */
  readonly decimal?: "." | "," | undefined;
  /** The order of day, month and year, or a pattern. */
  readonly dateFormat?: string | undefined;
  /** What stands between the values of a line. */
  readonly delimiter?: string | undefined;
  /** What stands around values. */
  readonly quote?: string | undefined;
  /** Whether the first line holds values. */
  readonly noHeader?: boolean | undefined;
  /** The name of a sheet, or its number. */
  readonly sheet?: string | undefined;
  /** Columns whose numbers are names of categories. */
  readonly categorical?: readonly string[] | undefined;
  /** Columns of numbers, whatever they look like. */
  readonly number?: readonly string[] | undefined;
  /** Columns of words, even where they are numbers. */
  readonly text?: readonly string[] | undefined;
  /** Columns of words in which missing is a category of its own. */
  readonly missingLevel?: readonly string[] | undefined;
  /** Columns that are not set aside. */
  readonly keep?: readonly string[] | undefined;
}

/** Which of the properties belong to a kind of file or value, whatever the columns are: others like it share them. */
const SHARED = ["na", "decimal", "dateFormat", "delimiter", "quote", "noHeader", "sheet"] as const;
const OF_COLUMNS = ["categorical", "number", "text", "missingLevel", "keep"] as const;

/** Options that name variables. */
interface Naming {
  readonly columns?: readonly string[] | undefined;
  readonly always?: readonly string[] | undefined;
  readonly fixed?: readonly string[] | undefined;
  readonly random?: readonly string[] | undefined;
}

/** The part of some options that says how to read. */
export function readingOf(
  options: ReadingAsked & Naming,
): ReadingAsked & { readonly named?: readonly string[] } {
  const { columns = [], always = [], fixed = [], random = [] } = options;
  const named = [...columns, ...always, ...fixed, ...random];
  return { ...some(options, [...SHARED, ...OF_COLUMNS]), ...(named.length > 0 && { named }) };
}

/** The part of it that a run remembers; undefined where there is nothing. How columns are read it remembers by itself. */
export function sharedReading(asked: ReadingAsked): ReadingAsked | undefined {
  const kept = some(asked, SHARED);
  return Object.keys(kept).length > 0 ? kept : undefined;
}

function some(from: Partial<ReadingAsked>, names: readonly (keyof ReadingAsked)[]): ReadingAsked {
  return Object.fromEntries(names.flatMap((name) => (from[name] === undefined ? [] : [[name, from[name]]])));
}
