/** What is learnt of columns while a file is read, asked instead. */

import { SparrowError } from "../../errors.js";
import { TargetEvidence } from "../../families/evidence.js";
import { type ColumnFacts, emptyFacts, roundedShift } from "../../store/build/column-facts.js";
import { option } from "../../wording.js";
import type { Asker } from "../asker.js";
import type { Limits } from "../engine.js";
import { selectionSql, variableName, written } from "../question.js";
import type { ColumnValues, Level } from "./column-values.js";

/** Beyond what single precision holds a file is refused, and the sample would be. */
const FLOAT32_MAX = 3.4028234663852886e38;

const NUMBERS = ["count", "sum", "squares", "least", "most", "notNumbers"] as const;
export const FACTS = NUMBERS.length;
type Numbers = Record<(typeof NUMBERS)[number], number>;

/**
 * Facts of columns over the rows that are asked about, where `levels` tells of the texts among them; which hold NaN; and
 * the least and the largest number of each, two a column.
 */
export async function askFacts(
  asker: Asker,
  columns: readonly ColumnValues[],
  levels: ReadonlyMap<ColumnValues, readonly Level[]>,
  rows: number,
): Promise<{ facts: ColumnFacts[]; notNumbers: number[]; ends: number[] }> {
  const layer = Object.fromEntries(columns.map(({ value }, c) => [variableName(c), `(${value})`]));
  const raw = Object.fromEntries(columns.map(({ column }, c) => [`s_raw${c}`, `(${column.value})`]));
  const { isNaN: isNotNumber } = asker.rows.engine.dialect;
  const aggregates = columns.flatMap(({ isText, column }, c) => {
    const v = variableName(c);
    if (isText) return [];
    const bad = column.real ? `sum(CASE WHEN ${isNotNumber(`s_raw${c}`)} THEN 1 ELSE 0 END)` : "0";
    return [`count(${v})`, `sum(${v})`, `sum(${v} * ${v})`, `min(${v})`, `max(${v})`, bad];
  });
  const most = factsAtOnce(asker.rows.engine.limits);
  const sums = new Float64Array(aggregates.length);
  for (let from = 0; from < aggregates.length; from += most) {
    const some = aggregates.slice(from, from + most);
    sums.set(
      await asker.sums("what each column holds", { layers: [{ ...layer, ...raw }], aggregates: some }),
      from,
    );
  }
  let at = 0;
  const ends: number[] = [];
  const notNumbers: number[] = [];
  const facts: ColumnFacts[] = [];
  for (const [c, column] of columns.entries()) {
    if (column.isText) {
      facts.push(await textFacts(asker, column, levels.get(column) ?? [], rows));
      ends.push(Number.NaN, Number.NaN);
      continue;
    }
    const found = Object.fromEntries(NUMBERS.map((name, i) => [name, sums[at + i]])) as Numbers;
    at += NUMBERS.length;
    if (found.notNumbers > 0) notNumbers.push(c);
    facts.push(numberFacts(asker.rows.engine.name, column, found, rows));
    ends.push(found.least, found.most);
  }
  return { facts, notNumbers, ends };
}

/** All of a column in one query: it is read once. */
export function factsAtOnce({ aggregates }: Limits): number {
  return FACTS * Math.max(1, Math.floor(aggregates / FACTS));
}

function numberFacts(table: string, { column }: ColumnValues, found: Numbers, rows: number): ColumnFacts {
  const { count, sum, squares, least, most } = found;
  if (count === 0) return { ...emptyFacts(), missing: rows };
  const largest = Math.max(Math.abs(least), Math.abs(most));
  if (!(largest <= FLOAT32_MAX)) {
    const what =
      largest === Number.POSITIVE_INFINITY
        ? "is infinite in some rows"
        : "holds numbers beyond single precision";
    throw new SparrowError(
      `${table}: column "${column.name}" ${what}; leave those rows out, or the column with ${option("exclude", [column.name])}.`,
    );
  }
  const mean = sum / count;
  const variance = squares / count - mean * mean;
  // Far from zero nothing is left of the difference; the range tells the scale as well.
  const spread = variance > 1e-9 * mean * mean ? variance : ((most - least) / 4) ** 2;
  const shift = least === most ? 0 : roundedShift(mean, spread);
  return {
    ...emptyFacts(),
    shift,
    missing: rows - count,
    sum: sum - count * shift,
    only: least === most ? least : undefined,
  };
}

async function textFacts(
  asker: Asker,
  column: ColumnValues,
  levels: readonly Level[],
  rows: number,
): Promise<ColumnFacts> {
  const counted = await askTexts(asker, column);
  const counts = levels.map(({ spelt }) => spelt.reduce((sum, text) => sum + (counted.get(text) ?? 0), 0));
  const filled = counts.reduce((sum, count) => sum + count, 0);
  const present = counts.flatMap((count, code) => (count > 0 ? [code] : []));
  return {
    ...emptyFacts(),
    missing: rows - filled,
    only: present.length > 1 ? undefined : (present[0] ?? Number.NaN),
    counts,
  };
}

/** More different texts than this are no categories. */
const MOST_TEXTS = 1000;

/** The different texts of a column and how many rows have each. */
export async function askTexts(asker: Asker, { column, value }: ColumnValues): Promise<Map<string, number>> {
  const { engine } = asker.rows;
  const { text, number } = engine.dialect;
  const sql = selectionSql(asker.rows, {
    layers: [{ s_text: `(${value})` }],
    list: [text("s_text"), number("count(*)")],
    conditions: ["s_text IS NOT NULL"],
    tail: `GROUP BY s_text ORDER BY count(*) DESC, s_text LIMIT ${MOST_TEXTS + 1}`,
  });
  const found = await asker.all("the levels of a text", sql, ["text", "number"]);
  if (found.length > MOST_TEXTS) {
    throw new SparrowError(
      `${engine.name}: column "${column.name}" has more than ${MOST_TEXTS} different texts, too many to be categories; leave it out with ${option("exclude", [column.name])}.`,
      "column",
    );
  }
  return new Map(found.map(([text, count]) => [String(text), Number(count)]));
}

/** Values of a target of whole numbers that are told one by one. */
const MOST_COUNTS = 100_000;

/** What there is to know of a target of numbers, given its ends. */
export async function askTarget(
  asker: Asker,
  { value }: ColumnValues,
  [least, most]: readonly number[],
): Promise<TargetEvidence> {
  const evidence = new TargetEvidence();
  const layers = [{ s_y: `(${value})` }];
  const between = `min(CASE WHEN s_y > ${written(least)} AND s_y < ${written(most)} THEN s_y ELSE NULL END)`;
  const apart = "abs(s_y - round(s_y)) > 1e-6 * (abs(s_y) + 1)";
  const fraction = `min(CASE WHEN ${apart} THEN s_y ELSE NULL END)`;
  const [middle, broken] = await asker.sums("what the target is", {
    layers,
    aggregates: [between, fraction],
  });
  if (Number.isNaN(broken) && least >= 0) {
    const { number } = asker.rows.engine.dialect;
    const sql = selectionSql(asker.rows, {
      layers,
      list: [number("s_y"), number("count(*)")],
      tail: `GROUP BY s_y ORDER BY s_y LIMIT ${MOST_COUNTS}`,
    });
    for (const [count, rows] of await asker.all("how often the target has each value", sql, [
      "number",
      "number",
    ]))
      evidence.look(Number(count), Number(count), Number(rows));
    return evidence;
  }
  for (const one of [least, middle, most, broken]) if (!Number.isNaN(one)) evidence.look(one);
  return evidence;
}
