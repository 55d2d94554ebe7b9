/** Words that people and programs write where a value is missing. */

/** Holes wherever they stand. The first ones go without saying. */
const PLAIN = ["", "na", "n/a", "null"];
const ANYWHERE = [
  ...[
    "?",
    "??",
    ".",
    "..",
    "-",
    "--",
    "---",
    "–",
    "—",
    "*",
    "nan",
    "-nan",
    "n.a.",
    "n.a",
    "<na>",
    "(null)",
    "\\n",
  ],
  ...[
    "#n/a",
    "#na",
    "#n/a n/a",
    "#value!",
    "#ref!",
    "#div/0!",
    "#num!",
    "#name?",
    "#null!",
    "(blank)",
    "nat",
  ],
];
/** Holes among numbers and dates; among words they may mean something: a house may have no garage. */
const AMONG_NUMBERS = [
  ...["none", "nil", "missing", "unknown", "undefined", "not available", "not applicable", "no data", "nd"],
  ...["n.d.", "unk", "refused", "tbd"],
];

const plain = new Set(PLAIN);
const anywhere = new Set([...PLAIN, ...ANYWHERE]);
const amongNumbers = new Set([...anywhere, ...AMONG_NUMBERS]);

/** Which cells are holes: the known words, and those that somebody named. */
export class MissingWords {
  private readonly named: ReadonlySet<string>;
  private readonly numbers: ReadonlySet<number>;

  constructor(named: readonly string[] = []) {
    this.named = new Set(named.map((word) => word.trim()));
    this.numbers = new Set(
      named
        .filter((word) => word.trim() !== "")
        .map(Number)
        .filter(Number.isFinite),
    );
  }

  /** Of a cell without the spaces around it, in a column of words. */
  inText(cell: string): boolean {
    return this.named.has(cell) || anywhere.has(cell.toLowerCase());
  }

  /** The same in a column of numbers, dates or times. */
  inNumbers(cell: string): boolean {
    return this.named.has(cell) || amongNumbers.has(cell.toLowerCase());
  }

  /** Whether a number stands for a missing one: -999, where somebody said so. */
  isNumber(value: number): boolean {
    return this.numbers.has(value);
  }

  get hasNumbers(): boolean {
    return this.numbers.size > 0;
  }
}

/** Whether a word that was taken for a hole goes without saying. */
export function goesWithoutSaying(word: string): boolean {
  return plain.has(word.toLowerCase());
}

/** NaN may be a failed computation. */
export function isNotANumber(word: string): boolean {
  return /^-?nan$/i.test(word);
}
