/** What is learnt of columns while a file is read, asked instead. */

import { SparrowError } from "../../errors.js";
import { TargetEvidence } from "../../families/evidence.js";
import { type ColumnFacts, emptyFacts, roundedShift } from "../../store/build/column-facts.js";
import { option } from "../../wording.js";
import type { Asker } from "../asker.js";
import { FACTS, factsAtOnce, factsQueries, PURPOSES } from "../plan/planned.js";
import { selectionSql, TARGET, variableName, written } from "../question.js";
import type { ColumnValues, Level } from "./column-values.js";

/** Beyond what single precision holds a file is refused, and the sample would be. */
const FLOAT32_MAX = 3.4028234663852886e38;

/** What is asked of a column of numbers; the products with the target only where that is one of numbers. */
export interface Numbers {
  readonly count: number;
  readonly sum: number;
  readonly squares: number;
  readonly least: number;
  readonly most: number;
  readonly cross: number;
}

export interface AskedFacts {
  readonly facts: ColumnFacts[];
  /** Columns that hold NaN. */
  readonly notNumbers: number[];
  readonly ends: number[];
  /** What was told of columns of numbers, by their places. */
  readonly numbers: ReadonlyMap<number, Numbers>;
}

/**
 * Facts of columns over the rows that are asked about, where `levels` tells of the texts among them; which hold NaN; and
 * the least and the largest number of each, two a column. Columns are asked as they are, which costs a third of looking
 * for NaN in every row: one that holds any has no sum, and only then is it looked for.
 */
export async function askFacts(
  asker: Asker,
  columns: readonly ColumnValues[],
  levels: ReadonlyMap<ColumnValues, readonly Level[]>,
  rows: number,
): Promise<AskedFacts> {
  const numbers = [...columns.keys()].filter((c) => !columns[c].isText);
  const last = columns[columns.length - 1];
  const target = last.isText ? undefined : last.unchecked;
  const found = await askNumbers(
    asker,
    numbers.map((c) => columns[c].unchecked),
    target,
  );
  const broken = numbers.filter((_, i) => !Number.isFinite(found[i].sum));
  const careful =
    broken.length === 0
      ? []
      : await askNumbers(
          asker,
          broken.map((c) => columns[c].value),
          target,
        );
  const isHole = await askNotNumbers(
    asker,
    broken.map((c) => columns[c]),
  );
  const known = new Map(numbers.map((c, i) => [c, found[i]]));
  broken.forEach((c, i) => {
    known.set(c, careful[i]);
  });
  const ends: number[] = [];
  const facts: ColumnFacts[] = [];
  for (const [c, column] of columns.entries()) {
    const own = known.get(c);
    if (!own) {
      facts.push(await textFacts(asker, column, levels.get(column) ?? [], rows));
      ends.push(Number.NaN, Number.NaN);
      continue;
    }
    facts.push(numberFacts(asker.rows.engine.name, column, own, rows));
    ends.push(own.least, own.most);
  }
  return { facts, notNumbers: broken.filter((_, i) => isHole[i]), ends, numbers: known };
}

async function askNumbers(
  asker: Asker,
  values: readonly string[],
  target: string | undefined,
): Promise<Numbers[]> {
  const layer = Object.fromEntries(values.map((value, c) => [variableName(c), `(${value})`]));
  const isCrossed = target !== undefined;
  const aggregates = values.flatMap((_, c) => {
    const v = variableName(c);
    const own = [`count(${v})`, `sum(${v})`, `sum(${v} * ${v})`, `min(${v})`, `max(${v})`];
    return isCrossed ? [...own, `sum(${v} * ${TARGET})`] : own;
  });
  const { limits } = asker.rows.engine;
  const each = isCrossed ? FACTS.crossed : FACTS.alone;
  const most = factsAtOnce(limits, each);
  asker.plan(PURPOSES.facts, factsQueries(values.length, isCrossed, limits));
  const layers = [{ ...layer, ...(isCrossed && { [TARGET]: `(${target})` }) }];
  const sums = new Float64Array(aggregates.length);
  for (let from = 0; from < aggregates.length; from += most) {
    const some = aggregates.slice(from, from + most);
    sums.set(await asker.sums(PURPOSES.facts, { layers, aggregates: some }), from);
  }
  return values.map((_, c) => {
    const [count, sum, squares, least, most, cross = Number.NaN] = sums.subarray(each * c, each * (c + 1));
    return { count, sum, squares, least, most, cross };
  });
}

/** Whether a column holds NaN, rather than infinite numbers alone. */
async function askNotNumbers(asker: Asker, columns: readonly ColumnValues[]): Promise<boolean[]> {
  if (columns.length === 0) return [];
  const { isNaN: isNotNumber } = asker.rows.engine.dialect;
  const raw = Object.fromEntries(columns.map(({ column }, c) => [`s_raw${c}`, `(${column.value})`]));
  const counts = await asker.sums("which columns hold NaN", {
    layers: [raw],
    aggregates: columns.map(({ column }, c) =>
      column.real ? `sum(CASE WHEN ${isNotNumber(`s_raw${c}`)} THEN 1 ELSE 0 END)` : "0",
    ),
  });
  return Array.from(counts, (count) => count > 0);
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
export async function askTexts(
  asker: Asker,
  { column, value }: Pick<ColumnValues, "column" | "value">,
): Promise<Map<string, number>> {
  const { engine } = asker.rows;
  const { text, number } = engine.dialect;
  const sql = selectionSql(asker.rows, {
    layers: [{ s_text: `(${value})` }],
    list: [text("s_text"), number("count(*)")],
    conditions: ["s_text IS NOT NULL"],
    tail: `GROUP BY s_text ORDER BY count(*) DESC, s_text LIMIT ${MOST_TEXTS + 1}`,
  });
  const found = await asker.all(PURPOSES.texts, sql, ["text", "number"]);
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
  { value }: Pick<ColumnValues, "value">,
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
