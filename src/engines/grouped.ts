/** Sums of products by group, asked of an engine: what a mixed model of one grouping needs to know of all rows. */

import { createHash } from "node:crypto";
import { judgeTarget, type Target } from "../families/target.js";
import { packedSize } from "../math/packed.js";
import { type CrossProducts, emptyCrossProducts } from "../mixed/model/crossproducts.js";
import { numberVariables, textVariables, type Variables } from "../mixed/read/categories.js";
import {
  type GroupedBy,
  groupedNotes,
  missingWarnings,
  nothingToFit,
  placesOf,
} from "../mixed/read/grouped.js";
import { INTERCEPT, refuseSameNames } from "../mixed/read/same-names.js";
import { MissingWords } from "../tables/cells/missing-words.js";
import { refuseRounded } from "../tables/judge/rounded.js";
import { labelOf } from "../tables/labels.js";
import type { TableColumn } from "../tables/table.js";
import { type Asker, changed, usedLayers } from "./asker.js";
import type { Dialect, EngineColumn } from "./engine.js";
import { selectionSql, variableName, written } from "./question.js";
import { among, columnValues, type Level, levelsOf } from "./reading/column-values.js";
import { askTarget, askTexts } from "./reading/facts.js";
import { answerType, refuseUnlike } from "./reading/judged.js";

/** A column that has a part in the model, and a condition that holds where it has a value. */
interface Part {
  readonly column: EngineColumn;
  readonly present: string;
  /** Of a text. */
  readonly levels?: readonly Level[];
}

export function groupedAsked(asker: Asker): GroupedBy {
  return async (table, settings) => {
    const { target, columns } = settings;
    const { engine, conditions } = asker.rows;
    const places = placesOf(table, settings);
    const parts: Part[] = [];
    for (const [i, place] of places.entries()) {
      const column = engine.columns[place];
      const isGroup = i === places.length - 1;
      if (!isGroup) refuseUnlike(engine.name, column, table.columns[place]);
      parts.push(await partOf(asker, column, isGroup));
    }
    const { rows, kept, missing } = await askMissing(asker, parts);
    const whole = asker.about({
      engine,
      conditions: [...conditions, ...parts.map(({ present }) => present)],
    });
    const variables: Variables[] = [];
    for (const [i, place] of places.slice(0, columns.length).entries())
      variables.push(
        await variablesOf(whole, parts[i], table.columns[place], () => numberVariables(table, place)),
      );
    const expressions = [
      ...variables.flatMap((each, i) => expressionsOf(engine.dialect, parts[i], each)),
      parts[columns.length].column.value,
    ];
    const sums = await askSums(whole, expressions, parts[places.length - 1].column, kept);
    const names = [INTERCEPT, ...variables.flatMap((each) => each.names)];
    refuseSameNames(table.name, names);
    const group = table.columns[places[places.length - 1]];
    for (const value of sums.keys()) if (typeof value === "number") refuseRounded(table.name, group, value);
    const data = crossProducts(sums, { names, target, group });
    if (data.groups.length === 0) throw nothingToFit(table);
    const used = data.rows.reduce((sum, n) => sum + n, 0);
    // Groups that are called by a word for a missing value.
    missing[places.length - 1] += kept - used;
    return {
      data,
      rows: used,
      judged: await judgedTarget(whole, target, parts[columns.length].column),
      variables: new Map(columns.map((name, c) => [name, variables[c].names])),
      encodings: variables.map(({ encoding }) => encoding),
      warnings: missingWarnings(table, places, missing, rows),
      notes: groupedNotes(table, places, variables),
      checksum: checksumOf(data),
    };
  };
}

/** Numbers must be finite: a NaN is larger or smaller than everything, as the database likes it. */
const LARGEST = written(Number.MAX_VALUE);

async function partOf(asker: Asker, column: EngineColumn, isGroup: boolean): Promise<Part> {
  if (answerType(column.type) !== "text") return { column, present: `abs(${column.value}) <= ${LARGEST}` };
  const { dialect } = asker.rows.engine;
  // Groups may be many: those that mean a missing value are left out when they have come.
  if (isGroup) return { column, present: `${column.value} IS NOT NULL` };
  const found = levelsOf([...(await askTexts(asker, columnValues(dialect, column, {}))).keys()], undefined);
  return { column, present: columnValues(dialect, column, found).present, levels: found.levels };
}

async function askMissing(asker: Asker, parts: readonly Part[]) {
  const layers = [Object.fromEntries(parts.map(({ present }, i) => [`s_has${i}`, `(${present})`]))];
  const every = parts.map((_, i) => `s_has${i}`).join(" AND ");
  const [rows, kept, ...counts] = await asker.sums("how many rows can be used", {
    layers,
    aggregates: [
      "count(*)",
      `sum(CASE WHEN ${every} THEN 1 ELSE 0 END)`,
      ...parts.map((_, i) => `sum(CASE WHEN s_has${i} THEN 0 ELSE 1 END)`),
    ],
  });
  return { rows, kept, missing: Float64Array.from(counts) };
}

async function variablesOf(
  asker: Asker,
  { column, levels }: Part,
  judged: TableColumn,
  ofNumber: () => Variables,
): Promise<Variables> {
  if (!levels) return ofNumber();
  const found = await askTexts(asker, columnValues(asker.rows.engine.dialect, column, {}));
  const counts = levels.map(({ spelt }) => spelt.reduce((sum, text) => sum + (found.get(text) ?? 0), 0));
  return textVariables({ ...judged, levels: levels.map(({ name }) => name) }, counts);
}

/** A number, or a one for every level that has a variable. */
function expressionsOf(dialect: Dialect, { column, levels }: Part, { places, names }: Variables): string[] {
  if (!levels || !places) return [column.value];
  return names.map((_, v) => {
    const { spelt } = levels[places.indexOf(v)];
    return `CASE WHEN ${among(dialect, column.value, spelt)} THEN 1e0 ELSE 0e0 END`;
  });
}

/** By group, as the database has it: the packed triangle of [1 X y]. */
type Sums = Map<number | string | null, Float64Array>;

async function askSums(
  asker: Asker,
  expressions: readonly string[],
  group: EngineColumn,
  expected: number,
): Promise<Sums> {
  const { engine } = asker.rows;
  const { number, text } = engine.dialect;
  const width = expressions.length + 1;
  const layers = [
    {
      ...Object.fromEntries(expressions.map((sql, i) => [variableName(i + 1), `(${sql})`])),
      s_group: `(${group.value})`,
    },
  ];
  const isText = answerType(group.type) === "text";
  const products = Array.from({ length: width }, (_, j) =>
    Array.from({ length: j + 1 }, (_, k) => [j, k].filter((i) => i > 0).map(variableName)),
  ).flat();
  const sums: Sums = new Map();
  const most = engine.limits.aggregates - 1;
  for (let from = 0; from < products.length; from += most) {
    const some = products.slice(from, from + most);
    const list = [
      isText ? text("s_group") : number("s_group"),
      number("count(*)"),
      ...some.map((names) => number(names.length === 0 ? "count(*)" : `sum(${names.join(" * ")})`)),
    ];
    const sql = selectionSql(asker.rows, {
      layers: usedLayers(layers, list),
      list,
      tail: "GROUP BY s_group",
    });
    const types = list.map((_, i) => (i === 0 && isText ? ("text" as const) : ("number" as const)));
    let rows = 0;
    for (const [name, count, ...values] of await asker.all("sums of products by group", sql, types)) {
      rows += Number(count);
      const own = sums.get(name) ?? new Float64Array(packedSize(width));
      sums.set(name, own);
      own.set(values as number[], from);
    }
    if (rows !== expected) throw changed(engine.name, expected, rows);
  }
  return sums;
}

/** In the alphabetical order of the groups' names; spellings that differ in blanks alone are one. */
function crossProducts(
  sums: Sums,
  { names, target, group }: { names: readonly string[]; target: string; group: TableColumn },
): CrossProducts {
  const missing = new MissingWords(undefined);
  const byName = new Map<string, Float64Array[]>();
  for (const [value, own] of sums) {
    const name =
      typeof value === "string" ? value.trim() : labelOf({ ...group, kind: numberKind(group) }, value!);
    if (typeof value === "string" && missing.inText(name)) continue;
    byName.set(name, [...(byName.get(name) ?? []), own]);
  }
  const groups = [...byName.keys()].sort((a, b) => (a < b ? -1 : Number(a > b)));
  const data = emptyCrossProducts(names, target, groups);
  groups.forEach((name, g) => {
    for (const own of byName.get(name)!)
      for (let e = 0; e < data.stride; e++) data.values[g * data.stride + e] += own[e];
    data.rows[g] = data.values[g * data.stride];
  });
  return data;
}

const numberKind = ({ kind = "number" }: TableColumn) => (kind === "text" ? "number" : kind);

async function judgedTarget(asker: Asker, name: string, { value }: EngineColumn): Promise<Target> {
  const ends = await asker.sums("the ends of the target", {
    layers: [{ s_y: `(${value})` }],
    aggregates: ["min(s_y)", "max(s_y)"],
  });
  const evidence = await askTarget(asker, { value }, [...ends]);
  return judgeTarget(
    evidence.as((y) => y, 0),
    "auto",
    { name },
  );
}

/** Counts are the same in whatever order rows are summed. */
function checksumOf({ columns, groups, rows }: CrossProducts): string {
  const told = JSON.stringify([columns, groups, [...rows]]);
  return createHash("sha256").update(told).digest("hex").slice(0, 16);
}
