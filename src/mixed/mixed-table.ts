/** A mixed model of a table. */

import { SparrowError } from "../errors.js";
import { familyNamed } from "../families/register.js";
import { targetName } from "../selection/data/columns.js";
import { readingProgress } from "../selection/data/reading-progress.js";
import type { DataRecord } from "../selection/run.js";
import type { Encoding } from "../store/layout/encoding.js";
import { checksummed } from "../tables/checksum.js";
import { asideSentences, namesText } from "../tables/judge/remarks.js";
import { entryColumns, someColumns } from "../tables/some-columns.js";
import type { ColumnTable, Table } from "../tables/table.js";
import { option } from "../wording.js";
import type { Crew } from "../workers/crew.js";
import { isSpreadLost } from "./check.js";
import { fitMixed, type MixedFit } from "./fit.js";
import { parseFormula } from "./formula/formula.js";
import { checkOptions, lawOf, type MixedOptions } from "./options.js";
import { type GroupedBy, grouped } from "./read/grouped.js";
import { wordsOfMixed } from "./read/words-of-mixed.js";
import { formulaOf, rowsTable, simpleParts } from "./rows/rows-table.js";

/** Beyond this many, the fixed columns have to be named: the cross-products grow with their square. */
const MANY = 40;

/** A fit of a mixed model with a record of the data: what a run folder holds. */
export interface MixedRun extends MixedFit {
  /** What the data were: enough to tell whether two runs saw the same. */
  readonly data: DataRecord;
}

/** Target and group may be left to a table that knows them. */
export function mixedTable(
  table: Table,
  options: Partial<MixedOptions>,
  crew?: Crew,
  groupedBy: GroupedBy = grouped,
): Promise<MixedRun> {
  const {
    formula,
    target = table.target,
    group = table.by === "columns" ? table.group : undefined,
  } = options;
  const named = formula === undefined ? { ...options, target, group } : options;
  return wordsOfMixed(named, () => fitTable(table, options, crew, groupedBy));
}

async function fitTable(
  table: Table,
  options: Partial<MixedOptions>,
  crew: Crew | undefined,
  groupedBy: GroupedBy,
): Promise<MixedRun> {
  checkOptions(options);
  const formula = options.formula === undefined ? undefined : parseFormula(options.formula);
  const simple = formula && simpleParts(formula);
  if (formula && (!simple || needsRows(options))) return rowsTable(table, formula, options, crew);
  const from = performance.now();
  const parts = simple ? { ...simple, left: [], notes: [] } : await partsOf(table, options);
  const { target, group, fixed, random } = parts;
  const said = [...parts.notes, ...(parts.left.length > 0 ? [leftOut(parts.left)] : [])];
  const byRows = () => rowsTable(table, formulaOf(parts), options, crew, said);
  if (needsRows(options) || isText(table, target)) return byRows();
  const columns = [...new Set([...fixed, ...random])];
  const byColumns = table.by === "columns" ? table : someColumns(table, [group, ...columns]);
  const watched = checksummed(byColumns);
  const {
    data,
    variables,
    encodings,
    warnings,
    judged,
    notes: encoded,
    someRows,
    checksum = watched.checksum(),
  } = await groupedBy(watched.table, {
    target,
    group,
    columns,
    signal: options.signal,
    onProgress: readingProgress(options, table),
  });
  const isPaper = options.preset === "paper";
  const isOfAnotherFamily = !judged.family.quadratic;
  const isOpen = (options.family ?? "auto") === "auto";
  if (isOfAnotherFamily && isOpen && !isPaper) return byRows();
  if (lawOf(options).law !== "inverse-wishart" && isSpreadLost(data)) return byRows();
  const asNumbers = `"${target}" holds two values, or counts, which ${option("preset", "paper")} takes for plain numbers.`;
  const remarks = isOfAnotherFamily ? (isPaper ? [asNumbers] : []) : isOpen ? judged.remarks : [];
  const notes = [...said, ...encoded, ...remarks];
  for (const sentence of [...notes, ...warnings]) options.onMessage?.(sentence);
  const seconds = (performance.now() - from) / 1000;
  const spelledOut = (names: readonly string[]) => names.flatMap((name) => variables.get(name) ?? []);
  const { formula: _, ...others } = options;
  const spelledOptions = {
    ...others,
    target,
    group,
    fixed: spelledOut(fixed),
    random: spelledOut(random),
  };
  crew?.journal?.onData(checksum);
  const fit = await fitMixed(data, spelledOptions, crew, someRows);
  const { result } = fit;
  const { kind = "number", reading } = byColumns.columns.find(({ name }) => name === target) ?? {};
  const encoding: Encoding = {
    target: { column: target, kind, ...(reading && { reading }) },
    columns: encodings,
    missing: "drop",
    ...(byColumns.asked && { asked: byColumns.asked }),
  };
  return {
    ...fit,
    data: {
      name: table.name,
      rows: result.rows,
      columns: data.columns.slice(1),
      checksum,
    },
    predictor: () => ({ ...fit.predictor(), encoding }),
    result: {
      ...result,
      ...(notes.length > 0 && { notes }),
      diagnostics: { ...result.diagnostics, warnings: [...warnings, ...result.diagnostics.warnings] },
      timing: { read: seconds, ...result.timing },
    },
  };
}

/** What sums of products by group cannot do. */
function needsRows({ family = "auto", weights, trials, offset }: Partial<MixedOptions>): boolean {
  const other = family !== "auto" && !familyNamed(family).quadratic;
  return other || weights !== undefined || trials !== undefined || offset !== undefined;
}

function isText(table: Table, target: string): boolean {
  return table.by === "columns" && table.columns.some(({ name, kind }) => name === target && kind === "text");
}

export interface Parts {
  readonly target: string;
  readonly group: string;
  readonly fixed: readonly string[];
  readonly random: readonly string[];
  /** Columns that have no part because they hold no numbers. */
  readonly left: readonly string[];
  /** What was set aside, in sentences. */
  readonly notes: readonly string[];
}

const leftOut = (names: readonly string[]): string =>
  `Not columns of numbers, so left out: ${namesText(names)}. Name them in ${option("fixed")} to have them.`;

/** Which column plays which part. Where the source knows its groups, every effect may differ between them. */
async function partsOf(table: Table, options: Partial<MixedOptions>): Promise<Parts> {
  const target = targetName(table, options.target);
  const known = table.by === "columns" ? table.group : undefined;
  const group = options.group ?? known;
  if (group === undefined) {
    throw new SparrowError(`${option("group")} is missing: name the column of the groups.`, "option");
  }
  if (group === target) {
    throw new SparrowError(
      `"${target}" is the target and cannot name the groups as well: name another ${option("group")}.`,
      "column",
    );
  }
  const isOwn = known !== undefined && group === known && target === table.target;
  const isOpen = options.fixed === undefined || (options.random === undefined && isOwn);
  const {
    columns: rest,
    left,
    notes,
  } = isOpen ? await remaining(table, target, group, options) : { columns: [], left: [], notes: [] };
  const fixed = options.fixed ?? rest;
  const random = options.random ?? (isOwn ? rest : []);
  for (const name of [...fixed, ...random]) {
    if (name === target || name === group) {
      throw new SparrowError(
        `Column "${name}" cannot be a predictor as well: take it out of ${option("fixed")} and ${option("random")}.`,
        "column",
      );
    }
  }
  return { target, group, fixed, random, left, notes };
}

/** Every column of numbers that has no other part to play. */
async function remaining(
  table: Table,
  target: string,
  group: string,
  { random = [] }: Partial<MixedOptions>,
): Promise<Pick<Parts, "left" | "notes"> & { readonly columns: readonly string[] }> {
  const all: ColumnTable["columns"] = table.by === "columns" ? table.columns : await entryColumns(table);
  const others = all.filter(({ name }) => name !== target && name !== group);
  const isNumber = ({ kind = "number", problem }: ColumnTable["columns"][number]) =>
    problem === undefined && kind === "number";
  const aside = others.filter(({ aside, name }) => aside !== undefined && !random.includes(name));
  const fixed = others
    .filter((column) => isNumber(column) && !aside.includes(column))
    .map(({ name }) => name);
  if (fixed.length > MANY) {
    throw new SparrowError(
      `${table.name} has ${fixed.length} columns of numbers: name those to use with ${option("fixed")}.`,
      "option",
    );
  }
  const left = others.filter(
    (column) => !isNumber(column) && !aside.includes(column) && !random.includes(column.name),
  );
  return { columns: fixed, left: left.map(({ name }) => name), notes: asideSentences(aside) };
}
