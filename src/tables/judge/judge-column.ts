/** From what was counted of a column's cells to what the column is. The one place where that is decided. */

import { type CellReading, truthWords } from "../cells/cell-reading.js";
import { readDate } from "../cells/dates.js";
import { goesWithoutSaying } from "../cells/missing-words.js";
import { readNumber } from "../cells/numbers.js";
import type { ColumnKind } from "../table.js";
import type { ColumnHint } from "./hints.js";
import { namesRowsByNumber, namesRowsByText } from "./identifiers.js";
import { judgeLevels, MAX_LEVELS } from "./judge-levels.js";
import { judgeWholeNumbers } from "./judge-numbers.js";
import type { Surroundings } from "./number-evidence.js";
import * as refuse from "./refusals.js";
import type { Aside, Remark } from "./remarks.js";
import type { Counted, Tally } from "./tally.js";

export interface Judgement {
  readonly kind: ColumnKind;
  readonly reading: CellReading;
  readonly remarks: readonly Remark[];
  /** Why the column cannot be used as it is, in a sentence. */
  readonly refusal?: string;
  readonly aside?: Aside;
  /** Whether there was no value in any row. */
  readonly empty?: true;
  /** What stands for false and for true. */
  readonly spelt?: readonly string[];
}

export interface Judging extends refuse.Place {
  readonly hint: ColumnHint;
  readonly surroundings: Surroundings;
}

const NUMBER: CellReading = { as: "number", decimal: "." };

export function judgeColumn(tally: Tally, judging: Judging): Judgement {
  const { hint, column } = judging;
  const { reading, isKey, isCategory, isText, isNumber } = hint;
  if (reading) return { kind: kindOf(reading), reading, remarks: [] };
  if (isKey || isCategory || isText) return words(tally, judging);
  const filled = tally.filled;
  if (filled === 0)
    return { kind: "number", reading: NUMBER, remarks: gone(tally, column, false), empty: true };
  if (isNumber) return numbers(tally, judging);
  if (tally.booleans === filled)
    return {
      kind: "boolean",
      reading: { as: "boolean" },
      remarks: gone(tally, column, false),
      spelt: truthWords(tally.cells.keys()),
    };
  const { dates, times } = tally.dates;
  const areDates = tally.dates.isAsked ? dates > 0 : dates > tally.numbers.numbers;
  if (areDates && isNearly(dates, filled - dates - tally.absentCount, tally)) return dated(tally, judging);
  if (times > 0 && times === filled - tally.absentCount)
    return {
      kind: "number",
      reading: { as: "time" },
      remarks: [{ about: "time", column, detail: "" }, ...gone(tally, column, true)],
    };
  if (tally.numbers.code && tally.wordCount + tally.absentCount === 0) {
    if (areDays(tally)) return digits(tally, column);
    const judged = words(tally, judging);
    return {
      ...judged,
      remarks: [...judged.remarks, { about: "code", column, detail: tally.numbers.code.cell }],
    };
  }
  const good = tally.numbers.numbers;
  if (areDays(tally)) return digits(tally, column);
  if (isNearly(good, filled - good - tally.absentCount, tally)) return numbers(tally, judging);
  return words(tally, judging);
}

export function kindOf({ as }: CellReading): ColumnKind {
  if (as === "time") return "number";
  return as === "epoch" ? "date" : as;
}

/** Words that are few enough to be slips of the pen. */
const FEW_WORDS = 3;
const FEW = 0.1;

/** Whether a column is what most of its cells are, so that the others need a word. */
function isNearly(good: number, odd: number, { words }: Tally): boolean {
  if (good === 0) return false;
  if (odd <= FEW * (good + odd)) return true;
  return odd <= good && words.size <= FEW_WORDS;
}

function numbers(tally: Tally, judging: Judging): Judgement {
  const { column, surroundings } = judging;
  const evidence = tally.numbers;
  const decimal = evidence.decimal(surroundings);
  const reading: CellReading = { as: "number", decimal: decimal ?? "." };
  const fail = (refusal: string): Judgement => ({ kind: "number", reading, remarks: [], refusal });
  const odd = tally.wordCount > 0 ? tally.words : datesAmongNumbers(tally);
  if (odd.size > 0) return fail(refuse.oddCells(judging, "numbers", odd, evidence.numbers));
  const [one, two] = evidence.currencies.values();
  if (two) return fail(refuse.unitsDiffer(judging, one, two));
  const { percent, plain } = evidence;
  if (percent && plain) return fail(refuse.unitsDiffer(judging, percent, plain));
  if (decimal === undefined)
    return fail(refuse.eitherNumber(judging, (evidence.either[","].first ?? evidence.either["."].first)!));
  const other = evidence.only[decimal === "." ? "," : "."].first;
  if (other) return fail(refuse.bothDecimals(judging, evidence.only[decimal].first ?? other, other));
  const remarks: Remark[] = [];
  const example =
    (evidence.only[decimal].first ?? evidence.either[","].first ?? evidence.either["."].first)?.cell ?? "";
  if (decimal === ",") remarks.push({ about: "comma", column, detail: example });
  if (evidence.grouped[decimal] > 0)
    remarks.push({ about: "thousands", column, detail: groupedExample(tally, decimal) });
  for (const sign of evidence.currencies.keys()) remarks.push({ about: "currency", column, detail: sign });
  if (percent) remarks.push({ about: "percent", column, detail: "" });
  const moments =
    tally.wholes.count === evidence.numbers
      ? judgeWholeNumbers(column, tally.wholes, judging.hint)
      : undefined;
  if (moments)
    return { kind: "date", ...moments, remarks: [...moments.remarks, ...gone(tally, column, true)] };
  const identified = namesRowsByNumber(column, tally.wholes, tally.rows);
  return {
    kind: "number",
    reading,
    remarks: [...remarks, ...gone(tally, column, true)],
    ...(identified !== undefined && aside(judging, "identifier", identified)),
  };
}

function datesAmongNumbers(tally: Tally): ReadonlyMap<string, Counted> {
  const { dates, times } = tally.dates;
  if (dates + times === 0 || tally.numbers.numbers + tally.absentCount === tally.filled) return new Map();
  const isNumber = (cell: string) =>
    readNumber(cell, ".") !== undefined || readNumber(cell, ",") !== undefined;
  return new Map([...tally.cells].filter(([cell]) => !isNumber(cell) && !tally.absent.has(cell)));
}

function groupedExample(tally: Tally, decimal: string): string {
  const gap = decimal === "," ? /\d[.\s'’_\u00a0\u202f]\d{3}/ : /\d[,\s'’_\u00a0\u202f]\d{2,3}/;
  for (const cell of tally.cells.keys()) if (gap.test(cell)) return `as in ${cell}`;
  return "as in 1,234";
}

function dated(tally: Tally, judging: Judging): Judgement {
  const { column } = judging;
  const { dates } = tally;
  const format = dates.order();
  const reading: CellReading = { as: "date", format: format ?? "ymd" };
  const fail = (refusal: string): Judgement => ({ kind: "date", reading, remarks: [], refusal });
  const numbers = tally.numbers.numbers > 0 ? numbersAmongDates(tally, format ?? "dmy") : [];
  const odd = new Map([...tally.words, ...numbers]);
  if (odd.size > 0) return fail(refuse.oddCells(judging, "dates", odd, dates.dates));
  if (format === undefined) return fail(refuse.eitherDate(judging, dates.either!));
  const { dmy, mdy } = dates.only;
  if (dmy.first && mdy.first) return fail(refuse.bothOrders(judging, dmy.first, mdy.first));
  const order = { dmy: "day first", mdy: "month first" }[format as "dmy"];
  const hasNumbersOnly = [...tally.cells.keys()].some((cell) => /^\d{1,2}[-/.]/.test(cell));
  const said: Remark[] = format.includes("%")
    ? [{ about: "pattern", column, detail: format }]
    : order !== undefined && hasNumbersOnly
      ? [{ about: "order", column, detail: order }]
      : [];
  return { kind: "date", reading, remarks: [...said, ...gone(tally, column, true)] };
}

function numbersAmongDates(tally: Tally, format: string): [string, Counted][] {
  return [...tally.cells].filter(
    ([cell]) => readDate(cell, format) === undefined && !tally.words.has(cell) && !tally.absent.has(cell),
  );
}

/** Fewer could be numbers that happen to look like days. */
const LEAST_DAYS = 3;

function areDays({ dates, filled, absentCount, cells }: Tally): boolean {
  return dates.digits > 0 && dates.digits === filled - absentCount && cells.size >= LEAST_DAYS;
}

function digits(tally: Tally, column: string): Judgement {
  const [example] = tally.cells.keys();
  const remark: Remark = { about: "digits", column, detail: example };
  return {
    kind: "date",
    reading: { as: "date", format: "digits" },
    remarks: [remark, ...gone(tally, column, true)],
  };
}

function words(tally: Tally, judging: Judging): Judgement {
  const { column, hint } = judging;
  const remarks = [...gone(tally, column, false)];
  if (hint.isKey) return { kind: "text", reading: { as: "text" }, remarks };
  for (const word of tally.absent.keys()) remarks.push({ about: "value", column, detail: word });
  const alike = differInCase(tally);
  if (alike !== undefined) remarks.push({ about: "case", column, detail: alike });
  const missing = hint.hasMissingLevel ? freeName("missing", tally) : undefined;
  if (missing !== undefined && tally.holes > 0) remarks.push({ about: "gap", column, detail: missing });
  const identified = tally.isFull ? undefined : namesRowsByText(tally.cells.size, tally.filled);
  const { aside: many, ...levels } = judgeLevels(tally, hint, (name) => freeName(name, tally));
  const reading: CellReading = { as: "text", ...(missing !== undefined && { missing }), ...levels };
  if (hint.isCategory) return { kind: "text", reading, remarks };
  return {
    kind: "text",
    reading,
    remarks,
    ...(identified !== undefined
      ? aside(judging, "identifier", identified)
      : many !== undefined && aside(judging, "levels", many)),
  };
}

/** Two values that are one but for capital letters; of very many nobody asks. */
function differInCase({ cells }: Tally): string | undefined {
  if (cells.size > MAX_LEVELS) return undefined;
  const seen = new Map<string, string>();
  for (const cell of cells.keys()) {
    const other = seen.get(cell.toLowerCase());
    if (other !== undefined) return `"${other}" and "${cell}"`;
    seen.set(cell.toLowerCase(), cell);
  }
  return undefined;
}

/** A name that no level has yet. */
function freeName(name: string, { cells }: Tally): string {
  return cells.has(name) ? freeName(`(${name})`, { cells } as Tally) : name;
}

function aside({ hint }: Judging, why: Aside["why"], words: string): { aside?: Aside } {
  return hint.isKept ? {} : { aside: { why, words } };
}

/** Words that were taken for missing values, those aside that everybody takes for that. */
function gone(tally: Tally, column: string, amongNumbers: boolean): Remark[] {
  const words = [...tally.gone.keys(), ...(amongNumbers ? tally.absent.keys() : [])];
  return words
    .filter((word) => !goesWithoutSaying(word))
    .slice(0, 10)
    .map((detail) => ({ about: "missing", column, detail }));
}
