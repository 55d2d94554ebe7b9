/** Decides, from what was learnt while reading, how columns become variables; and says so in sentences. */

import { SparrowError } from "../../errors.js";
import { type FamilyName, familyNamed, familyNames } from "../../families/register.js";
import { judgeTarget, type Target, type TargetWords } from "../../families/target.js";
import { namesText } from "../../tables/judge/remarks.js";
import { otherOf, type TextNote, textNotes } from "../../tables/judge/text-notes.js";
import type { ColumnTable } from "../../tables/table.js";
import { option } from "../../wording.js";
import {
  type ColumnEncoding,
  type Encoding,
  type MissingRule,
  type TargetEncoding,
  variableNames,
} from "../layout/encoding.js";
import type { Treated } from "../store.js";
import type { ColumnFacts, Reading } from "./column-facts.js";

/** Which columns there are, and which were read. */
export interface TableColumns {
  readonly table: Pick<ColumnTable, "name" | "columns" | "asked">;
  /** Table columns as they were read; the target comes last. */
  readonly columns: readonly number[];
  /** Whether the columns have numbers for names: then it is said how many are left out, not which. */
  readonly numbered: boolean;
}

export interface EncodeSettings extends TableColumns {
  readonly missing: MissingRule;
  readonly family: FamilyName | "auto";
  /** Keeps constant columns, and data too few to fit: for those who know what they do. */
  readonly plain?: boolean | undefined;
}

export interface Encoded {
  readonly encoding: Encoding;
  readonly target: Target;
  readonly notes: readonly string[];
  readonly treated?: Treated;
  /** One per variable: the staged column, and the level it stands for if the column is text. */
  readonly sources: readonly VariableSource[];
  /** The stored target that counts as 1, for a binomial target. */
  readonly success?: number;
}

export interface VariableSource {
  readonly staged: number;
  /** Code of the level; undefined for a number. */
  readonly level?: number;
  /** Whether the text has holes that are to be drawn: then its levels are dense columns with holes in them. */
  readonly open?: true;
}

/** Where holes of a text are drawn, each of its levels takes up a column that is not sparse. */
const MAX_LEVELS = 200;

type TargetSettings = Pick<EncodeSettings, "table" | "columns" | "family" | "plain">;

export function encode(reading: Reading, settings: EncodeSettings): Encoded {
  const { table, columns } = settings;
  const notes: string[] = [];
  const kept = reading.rows - reading.withoutTarget - reading.withoutPredictor;
  const targetAt = columns.length - 1;
  if (reading.withoutTarget > 0) {
    if (reading.withoutTarget === reading.rows) {
      throw new SparrowError(
        `${table.name}: the target "${table.columns[columns[targetAt]].name}" is missing in every row; choose another ${option("target")}.`,
      );
    }
    notes.push(
      `${rowsText(reading.withoutTarget)} without a value of the target ${are(reading.withoutTarget)} left out.`,
    );
  }
  reportMissing(reading, settings, notes);
  if (kept < 3 && !settings.plain) {
    throw new SparrowError(`${table.name} has ${kept} rows of data that can be used; at least 3 are needed.`);
  }

  const target = encodeTarget(reading, settings);
  // Without holes there is nothing to draw, and constant columns are left out.
  const whole = reading.facts
    .slice(0, -1)
    .every(({ missing, only }) => missing === 0 || (only !== undefined && !settings.plain));
  const missing = settings.missing === "impute" && whole ? "error" : settings.missing;
  const encodings: ColumnEncoding[] = [];
  const sources: VariableSource[] = [];
  const constant: string[] = [];
  const empty: string[] = [];
  const tiny: string[] = [];
  const texts: TextNote[] = [];
  for (let c = 0; c < targetAt; c++) {
    const { name, kind = "number", levels = [], reading: cells } = table.columns[columns[c]];
    const facts = reading.facts[c];
    const own = { column: name, ...(cells && { reading: cells }) };
    if (facts.only !== undefined && !settings.plain) {
      (facts.missing === kept ? empty : facts.tiny ? tiny : constant).push(name);
      continue;
    }
    if (kind !== "text") {
      const fill =
        facts.missing > 0 && missing !== "impute"
          ? facts.sum / (kept - facts.missing) + facts.shift
          : undefined;
      encodings.push({ ...own, kind, ...(fill !== undefined && { fill }) });
      sources.push({ staged: c });
      continue;
    }
    const { baseline, others } = rankLevels(levels, facts);
    encodings.push({
      ...own,
      kind,
      baseline: levels[baseline],
      levels: others.map((code) => levels[code]),
    });
    const open = facts.missing > 0 && missing === "impute";
    if (open && others.length >= MAX_LEVELS) {
      throw new SparrowError(
        `${table.name}: "${name}" is text with missing values (${whichRows(facts)}) and ${others.length + 1} different ones, too many to draw from; leave it out with ${option("exclude")}, use ${option("missing", "drop")} or ${option("missing", "mean")}, or give missing values a category of their own.`,
      );
    }
    for (const level of others) sources.push({ staged: c, level, ...(open && { open }) });
    texts.push({ name, values: others.length + 1, baseline: levels[baseline], other: otherOf(cells) });
  }
  notes.push(...textNotes(texts));
  notes.push(...dateNotes([...encodings, target.encoding]));
  notes.push(...leftOutNotes({ empty, tiny, constant }, settings.numbered));
  if (sources.length === 0) {
    throw new SparrowError(
      `${table.name}: every column besides the target is constant; there is nothing to select.`,
    );
  }
  const encoding: Encoding = {
    target: target.encoding,
    columns: encodings,
    missing,
    ...(table.asked && { asked: table.asked }),
  };
  refuseSameNames(table.name, encoding);
  notes.push(...sparseNotes(reading, settings, kept));
  const treated = treatedAs(reading, encodings, settings, kept);
  return {
    encoding,
    ...(treated && { treated }),
    target: target.judged,
    notes,
    sources,
    ...(target.success !== undefined && { success: target.success }),
  };
}

/** Columns that say nothing, by what is the matter with them. */
interface LeftOut {
  readonly empty: readonly string[];
  readonly tiny: readonly string[];
  readonly constant: readonly string[];
}

function leftOutNotes({ empty, tiny, constant }: LeftOut, numbered: boolean): string[] {
  const notes: string[] = [];
  if (empty.length > 0)
    notes.push(`${namesText(empty)} ${counted(empty, "has", "have")} no value in any row: left out.`);
  if (tiny.length > 0)
    notes.push(
      `${namesText(tiny)} ${counted(tiny, "is", "are")} too small for single precision, which takes every value for zero: left out. Multiply ${counted(tiny, "it", "them")} by a large number.`,
    );
  if (constant.length > 0) {
    const which = numbered
      ? `${constant.length} ${counted(constant, "column", "columns")}`
      : namesText(constant);
    notes.push(`${which} ${counted(constant, "has", "have")} the same value in every row: left out.`);
  }
  return notes;
}

function dateNotes(columns: readonly { readonly column: string; readonly kind: string }[]): string[] {
  const dates = columns.filter(({ kind }) => kind === "date").map(({ column }) => column);
  if (dates.length === 0) return [];
  return [`${namesText(dates)} ${counted(dates, "is a date", "are dates")}: counted in days.`];
}

function treatedAs(
  { facts, withoutPredictor, apart }: Reading,
  encodings: readonly ColumnEncoding[],
  { table, columns, missing }: EncodeSettings,
  kept: number,
): Treated | undefined {
  if (missing === "drop" && withoutPredictor > 0) {
    return { rule: "drop", rows: kept + withoutPredictor, kept, ...(apart && { apart }) };
  }
  if (missing !== "mean") return undefined;
  const used = new Set(encodings.map(({ column }) => column));
  const filled = columns
    .slice(0, -1)
    .map((c, i) => [table.columns[c].name, facts[i].missing / kept] as const)
    .filter(([name, share]) => share > 0 && used.has(name));
  return filled.length > 0 ? { rule: "mean", shares: Object.fromEntries(filled) } : undefined;
}

/** Columns with less than this share of their values are said to be nearly empty. */
const SPARSE = 0.1;

function sparseNotes({ facts }: Reading, { table, columns }: EncodeSettings, kept: number): string[] {
  const sparse = columns
    .slice(0, -1)
    .flatMap((c, i) =>
      kept - facts[i].missing < SPARSE * kept && facts[i].missing < kept ? [{ c, i }] : [],
    );
  if (sparse.length === 0) return [];
  const names = sparse.map(({ c }) => table.columns[c].name);
  const [{ i }] = sparse;
  const many = names.length === 1 ? `${kept - facts[i].missing} of ${kept}` : "less than a tenth of the";
  return [`${namesText(names)} ${counted(names, "has", "have")} a value in ${many} rows only.`];
}

function refuseSameNames(table: string, encoding: Encoding): void {
  const seen = new Set<string>();
  for (const name of variableNames(encoding)) {
    if (!seen.has(name)) {
      seen.add(name);
      continue;
    }
    throw new SparrowError(
      `${table}: two variables would be called "${name}", a column and a value of another one; rename the column, or leave one out with ${option("exclude")}.`,
      "column",
    );
  }
}

function reportMissing(reading: Reading, { table, columns, missing }: EncodeSettings, notes: string[]): void {
  if (missing === "drop") {
    const count = reading.withoutPredictor;
    if (count > 0) notes.push(`${rowsText(count)} with missing values ${are(count)} left out.`);
    return;
  }
  const holes: number[] = [];
  for (let c = 0; c < columns.length - 1; c++) if (reading.facts[c].missing > 0) holes.push(c);
  if (holes.length === 0) return;
  const shown = holes
    .slice(0, 5)
    .map((c) => `"${table.columns[columns[c]].name}" (${whichRows(reading.facts[c])})`);
  const more = holes.length > 5 ? ` and ${holes.length - 5} more columns` : "";
  const listed = `${shown.join(", ")}${more}`;
  if (missing === "error") {
    throw new SparrowError(
      `${table.name} has missing values in ${listed}; sparrow fit can draw them along with the model (${option("missing", "impute")}), ${option("missing", "drop")} leaves such rows out, ${option("missing", "mean")} puts the column's mean in their place, and ${option("exclude")} leaves columns out.`,
    );
  }
  // Whoever draws them will say so.
  if (missing === "impute") return;
  notes.push(
    `Missing values in ${listed} are replaced by the column's mean, in a text by its most frequent value.`,
  );
}

export function encodeTarget(
  reading: Pick<Reading, "target" | "facts">,
  { table, columns, family: asked, plain }: TargetSettings,
): { encoding: TargetEncoding; judged: Target; success?: number } {
  const { name, kind = "number", levels = [], reading: cells } = table.columns[columns[columns.length - 1]];
  const { values } = reading.target;
  const { only, shift } = reading.facts[columns.length - 1];
  if (only !== undefined && !plain) {
    throw new SparrowError(`${table.name}: the target "${name}" is constant; there is nothing to explain.`);
  }
  if (kind === "text") checkTextTarget(table.name, name, values.length, asked);
  // Of two texts the later one in the alphabet counts as 1, of two numbers the larger one.
  const shown = (value: number) => (kind === "text" ? levels[value] : value);
  const [zero, one] = [...values].sort((a, b) => (shown(a) < shown(b) ? -1 : 1));
  const simple = kind === "boolean" || (kind !== "text" && zero === 0 && one === 1);
  const coded: TargetEncoding = { column: name, kind, ...(cells && { reading: cells }) };
  const encoding: TargetEncoding = simple ? coded : { ...coded, values: [shown(zero), shown(one)] };
  const judged = judgeTarget(
    kind === "text"
      ? { shift: 0, least: 0, most: 1 }
      : reading.target.as((value) => Math.fround(value - shift + 0), shift),
    asked,
    targetWords(encoding),
  );
  if (!judged.family.target.classes || values.length !== 2) return { encoding: coded, judged };
  // Numbers stay as they are: the model scales them, and another family may want them.
  return { encoding, judged, ...(kind === "text" && { success: Math.fround(one) }) };
}

function checkTextTarget(table: string, name: string, values: number, asked: FamilyName | "auto"): void {
  const fail = (message: string): never => {
    throw new SparrowError(`${table}: the target "${name}" ${message}`);
  };
  if (values > 2) fail("holds text with more than two values; choose a target of numbers or of two values.");
  if (asked === "auto" || familyNamed(asked).target.classes) return;
  const fitting = familyNames
    .filter((each) => familyNamed(each).target.classes)
    .map((each) => option("family", each));
  fail(`holds text, which ${option("family", asked)} cannot explain; use ${fitting.join(" or ")}.`);
}

/** What of the target counts as 1 goes without saying where it is a 1. */
export function targetWords({ column, kind, values }: TargetEncoding): TargetWords {
  const one = values?.[1];
  const shown = typeof one === "string" ? `"${one}"` : one?.toString();
  return { name: column, success: kind === "boolean" ? "true (or yes)" : shown };
}

/** The most frequent level, and the others in the order of the alphabet, by their codes. */
export function rankLevels(levels: readonly string[], { counts }: Pick<ColumnFacts, "counts">) {
  const present = levels.map((_, code) => code).filter((code) => (counts[code] ?? 0) > 0);
  present.sort((a, b) => (levels[a] < levels[b] ? -1 : 1));
  const baseline = present.reduce((best, code) => (counts[code] > counts[best] ? code : best));
  return { baseline, others: present.filter((code) => code !== baseline) };
}

function rowsText(count: number): string {
  return `${count} ${count === 1 ? "row" : "rows"}`;
}

function whichRows({ missing, firstMissing }: { missing: number; firstMissing: number }): string {
  // Rows of a database have no numbers.
  if (firstMissing === 0) return rowsText(missing);
  return missing === 1 ? `row ${firstMissing}` : `${missing} rows, the first is row ${firstMissing}`;
}

function are(count: number): string {
  return count === 1 ? "is" : "are";
}

export function counted(names: readonly string[], one: string, many: string): string {
  return names.length === 1 ? one : many;
}
