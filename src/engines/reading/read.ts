/** From an engine's table to variables: the same judgement and the same encoding as for a file, from questions alone. */

import { SparrowError } from "../../errors.js";
import { TargetEvidence } from "../../families/evidence.js";
import type { FitOptions } from "../../options/fit.js";
import { columnRoles } from "../../selection/data/columns.js";
import type { ColumnFacts } from "../../store/build/column-facts.js";
import { type Encoded, encode } from "../../store/build/encode.js";
import { variableNames } from "../../store/layout/encoding.js";
import { asideSentences, namesText } from "../../tables/judge/remarks.js";
import { type ReadingAsked, readingOf, sharedReading } from "../../tables/reading-asked.js";
import type { ColumnTable } from "../../tables/table.js";
import { option } from "../../wording.js";
import { type Asker, type AskerSettings, asker as newAsker } from "../asker.js";
import { type Engine, HASHES } from "../engine.js";
import { written } from "../question.js";
import { among, type ColumnValues, columnValues, type Level, levelsOf } from "./column-values.js";
import { describedSums } from "./described.js";
import { askFacts, askTarget, askTexts, type Numbers } from "./facts.js";
import { answerType, judged, refuseUnlike } from "./judged.js";

/** Rows that are asked about, as variables. */
export interface AskedData {
  /** About the rows that are fitted. */
  readonly asker: Asker;
  readonly rows: number;
  readonly encoded: Encoded;
  readonly names: readonly string[];
  /** Every variable as SQL, and the target last: float64, never missing. */
  readonly expressions: readonly string[];
  /** What is subtracted from each before it is squared. */
  readonly shift: Float64Array;
  /** Rows of every variable that stands for a level; undefined for numbers. */
  readonly entries: readonly (number | undefined)[];
  readonly notes: readonly string[];
  /** The rows that were set aside to score predictions on. */
  readonly heldOut: Asker | undefined;
  /** Expressions by which rows are told apart. */
  readonly key: readonly string[];
  /** Least and largest number of every column, as far as it has any. */
  readonly ends: readonly number[];
  /** Σu, Σu² and Σuy of every variable and of the target, as they follow from what columns hold; NaN where they do not. */
  readonly described: Float64Array;
}

/** All rows that were asked for. */
export function everyRow(engine: Engine, settings: AskerSettings): Asker {
  return newAsker({ engine, conditions: engine.where === undefined ? [] : [engine.where] }, settings);
}

export async function readAsked(everything: Asker, options: FitOptions): Promise<AskedData> {
  const { engine, conditions: given } = everything.rows;
  const table = await judged(everything, readingOf(options));
  const { predictors, target, aside } = columnRoles(table, options);
  const used = [...predictors, target];
  for (const c of used) refuseUnlike(engine.name, engine.columns[c], table.columns[c]);
  const key = engine.key ?? keyOf(engine, used);
  const { seed = 1, holdout, na } = options;
  const isHeld =
    holdout === undefined
      ? undefined
      : `${hashed(engine, key, seed, "holdout")} < ${Math.round(holdout * HASHES)}`;
  const ours = everything.about({ engine, conditions: [...given, ...(isHeld ? [`NOT (${isHeld})`] : [])] });
  const [rows] = await ours.sums("how many rows there are", { layers: [], aggregates: ["count(*)"] });
  if (rows === 0) throw new SparrowError(`${engine.name} has no rows of data.`);
  const levels = new Map<ColumnValues, readonly Level[]>();
  const values: ColumnValues[] = [];
  for (const c of used) {
    const plain = columnValues(engine.dialect, engine.columns[c], { na });
    if (!plain.isText) {
      values.push(plain);
      continue;
    }
    const found = levelsOf([...(await askTexts(ours, plain)).keys()], na);
    const own = columnValues(engine.dialect, engine.columns[c], { holes: found.holes });
    levels.set(own, found.levels);
    values.push(own);
  }
  const known = await askKept(ours, values, levels, { rows, options });
  const { facts, kept, asker } = known;
  const targetValues = values[values.length - 1];
  const encoded = encode(
    {
      rows,
      withoutTarget: known.withoutTarget,
      withoutPredictor: known.withoutPredictor,
      facts,
      target: targetValues.isText
        ? textTarget(facts[facts.length - 1])
        : await askTarget(asker, targetValues, known.ends.slice(-2)),
    },
    {
      table: withLevels(table, used, values, levels, readingOf(options)),
      columns: used,
      numbered: false,
      missing: known.missing,
      family: options.family ?? "auto",
    },
  );
  asker.expect(kept);
  return {
    asker,
    rows: kept,
    encoded,
    names: variableNames(encoded.encoding),
    expressions: expressionsOf(engine, encoded, values, { levels, facts }),
    shift: shiftOf(encoded, facts),
    entries: encoded.sources.map(({ staged, level }) =>
      level === undefined ? undefined : facts[staged].counts[level],
    ),
    notes: [...asideSentences(aside.map((c) => table.columns[c])), ...encoded.notes],
    heldOut:
      isHeld === undefined
        ? undefined
        : everything.about({ engine, conditions: [...given, isHeld, targetValues.present] }),
    key,
    ends: known.ends,
    described: describedSums(encoded, known, kept),
  };
}

/** A whole number for every row that depends on the row, the seed and what it is for. */
export function hashed({ dialect }: Engine, key: readonly string[], seed: number, purpose: string): string {
  return dialect.hash([...key, dialect.literal(`${purpose} ${seed}`)]);
}

/** Columns that tell rows apart where the engine has no names for them: numbers with a fraction do best. */
const MOST_KEYS = 16;

export function keyOf({ columns, dialect }: Engine, used: readonly number[]): string[] {
  const own = used.map((c) => columns[c]);
  const sorted = [...own.filter(({ real }) => real), ...own.filter(({ real }) => !real)];
  return sorted
    .slice(0, MOST_KEYS)
    .map(({ value, type }) =>
      answerType(type) === "text" ? `coalesce(${dialect.text(value)}, '')` : dialect.number(value),
    );
}

interface Kept {
  readonly asker: Asker;
  readonly kept: number;
  readonly facts: readonly ColumnFacts[];
  readonly ends: readonly number[];
  readonly numbers: ReadonlyMap<number, Numbers>;
  readonly withoutTarget: number;
  readonly withoutPredictor: number;
  readonly missing: "error" | "drop" | "mean";
}

/** The rows that can be fitted, and what they hold. */
async function askKept(
  ours: Asker,
  values: readonly ColumnValues[],
  levels: ReadonlyMap<ColumnValues, readonly Level[]>,
  { rows, options }: { readonly rows: number; readonly options: FitOptions },
): Promise<Kept> {
  const { engine, conditions } = ours.rows;
  const count = async (asker: Asker) =>
    (await asker.sums("how many rows can be used", { layers: [], aggregates: ["count(*)"] }))[0];
  const having = ours.about({ engine, conditions: [...conditions, values[values.length - 1].present] });
  const first = await count(having);
  // A condition that always holds costs as much as one that does not.
  const withTarget = first === rows ? ours : having;
  const found = await askFacts(withTarget, values, levels, first);
  const holes = values.slice(0, -1).filter((_, c) => found.facts[c].missing > 0);
  const notNumbers = found.notNumbers.filter((c) => c < values.length - 1).map((c) => values[c].column.name);
  const missing = ruleFor(
    engine.name,
    options,
    holes.map(({ column }) => column.name),
    notNumbers,
  );
  const common = { missing, withoutTarget: rows - first };
  if (missing !== "drop" || holes.length === 0)
    return { ...found, ...common, asker: withTarget, kept: first, withoutPredictor: 0 };
  const whole = ours.about({
    engine,
    conditions: [...withTarget.rows.conditions, ...holes.map(({ present }) => present)],
  });
  const kept = await count(whole);
  return {
    ...(await askFacts(whole, values, levels, kept)),
    ...common,
    asker: whole,
    kept,
    withoutPredictor: first - kept,
  };
}

/** Holes are drawn by those who have the rows. */
function ruleFor(
  name: string,
  { missing }: FitOptions,
  holes: readonly string[],
  notNumbers: readonly string[],
): Kept["missing"] {
  if (missing === "drop" || missing === "mean") return missing;
  if (holes.length === 0) return "error";
  const what =
    missing === undefined && notNumbers.length > 0
      ? `holds NaN in ${namesText(notNumbers)}`
      : `has missing values in ${namesText(holes)}`;
  throw new SparrowError(
    `${name} ${what}, and values are not drawn inside a database; ${option("missing", "drop")} leaves such rows out, ${option("missing", "mean")} puts the column's mean in their place, and ${option("exclude")} leaves columns out.`,
  );
}

function textTarget({ counts }: ColumnFacts): TargetEvidence {
  const evidence = new TargetEvidence();
  counts.forEach((rows, code) => {
    if (rows > 0) evidence.look(code, code, rows);
  });
  return evidence;
}

function withLevels(
  table: ColumnTable,
  used: readonly number[],
  values: readonly ColumnValues[],
  levels: ReadonlyMap<ColumnValues, readonly Level[]>,
  hints: ReadingAsked,
): Pick<ColumnTable, "name" | "columns" | "asked"> {
  const byColumn = new Map(used.map((c, i) => [c, levels.get(values[i])]));
  const asked = sharedReading(hints);
  return {
    ...table,
    ...(asked && { asked }),
    columns: table.columns.map((column, c) => {
      const own = byColumn.get(c);
      return own ? { ...column, levels: own.map(({ name }) => name) } : column;
    }),
  };
}

/** Every variable, and the target last. */
function expressionsOf(
  { dialect }: Engine,
  { encoding, sources, success }: Encoded,
  values: readonly ColumnValues[],
  { levels, facts }: { levels: ReadonlyMap<ColumnValues, readonly Level[]>; facts: readonly ColumnFacts[] },
): string[] {
  const isLevel = (of: ColumnValues, code: number): string =>
    `CASE WHEN ${among(dialect, of.column.value, levels.get(of)![code].spelt)} THEN 1e0 ELSE 0e0 END`;
  const fills = new Map(
    encoding.columns.map((code) => [code.column, "fill" in code ? code.fill : undefined]),
  );
  const variables = sources.map(({ staged, level }) => {
    const own = values[staged];
    if (level !== undefined) return isLevel(own, level);
    // Where nothing is missing nobody has to look for it.
    if (facts[staged].missing === 0) return own.column.value;
    const fill = fills.get(own.column.name);
    return fill === undefined ? own.value : `coalesce(${own.value}, ${written(fill)})`;
  });
  const target = values[values.length - 1];
  return [...variables, success === undefined ? target.column.value : isLevel(target, success)];
}

/** Levels are zeros and ones: they stay what they are. */
function shiftOf({ sources, success }: Encoded, facts: readonly ColumnFacts[]): Float64Array {
  const target = facts[facts.length - 1];
  return Float64Array.from([
    ...sources.map(({ staged, level }) => (level === undefined ? facts[staged].shift : 0)),
    success === undefined ? target.shift : 0,
  ]);
}
