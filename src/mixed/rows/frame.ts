/** From a table and a formula to the rows in memory: variables, levels, target, weights and offset. */

import { SparrowError } from "../../errors.js";
import { refuseRounded } from "../../tables/judge/rounded.js";
import { labelOf } from "../../tables/labels.js";
import { noColumn } from "../../tables/named/no-column.js";
import { beyondNumbers, isUsable } from "../../tables/read-errors.js";
import type { ColumnKind, ColumnTable } from "../../tables/table.js";
import { option } from "../../wording.js";
import { codings } from "../formula/codings.js";
import { categoryOf, type Formula } from "../formula/formula.js";
import {
  categories,
  type Encoded,
  encode,
  levelsOf,
  multiplied,
  numeric,
  type Raw,
  type Variable,
} from "../formula/variables.js";
import { Gaps } from "../read/gaps.js";
import { emptyColumn, lacking, saysNothing, strangeColumn } from "../read/left-out.js";
import { INTERCEPT, refuseSameNames } from "../read/same-names.js";

export interface FrameTerm {
  /** `batch:cask` where it is by both. */
  readonly group: string;
  /** The columns of the grouping. */
  readonly columns: readonly string[];
  readonly variables: readonly Variable[];
  readonly levels: readonly string[];
  readonly codes: Int32Array;
}

export interface Frame {
  readonly rows: number;
  readonly fixed: readonly Variable[];
  readonly terms: readonly FrameTerm[];
  readonly y: Float64Array;
  /** Absent for numbers. */
  readonly targetKind?: ColumnKind;
  /** The two texts of a target of words, that which counts as 1 last. */
  readonly classes?: readonly [string, string];
  readonly weights?: Float64Array;
  readonly trials?: Float64Array;
  readonly offset?: Float64Array;
  /** Which row of the data, from 1, the i-th of these is. */
  rowOf(i: number): number;
  /** The values of every column of categories among the effects. */
  readonly categories: Readonly<Record<string, readonly string[]>>;
  /** What was left out or made of texts, in sentences. */
  readonly warnings: readonly string[];
  readonly notes: readonly string[];
}

export interface FrameSettings {
  readonly formula: Formula;
  readonly weights?: string | undefined;
  readonly trials?: string | undefined;
  readonly offset?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((rows: number, share?: number) => void) | undefined;
}

export async function readFrame(table: ColumnTable, settings: FrameSettings): Promise<Frame> {
  const { formula } = settings;
  const extra = refusedTarget(settings);
  const predictors = new Set([
    ...formula.fixed.flat(),
    ...formula.terms.flatMap(({ columns }) => columns.flat()),
  ]);
  const groups = formula.terms.flatMap(({ group }) => group);
  const named = [...predictors].map((name) => categoryOf(name) ?? name);
  const names = [...new Set([formula.target, ...named, ...groups, ...extra])];
  const { raw, rowOf, warnings, said } = await readColumns(table, names, settings);
  const column = (name: string): Raw => raw.get(name) as Raw;
  const rows = column(formula.target).values.length;
  if (rows === 0)
    throw new SparrowError(`${table.name} has no row in which nothing is missing: nothing to fit.`, "data");
  const notes = new Set<string>(said);
  const encoded = new Map(
    [...predictors].map((name) => {
      const category = categoryOf(name);
      const raw = category === undefined ? column(name) : categories(column(category));
      return [name, encode(raw, table.name, notes)];
    }),
  );
  const variablesOf = (products: readonly (readonly string[])[], withIntercept: boolean): Variable[] => {
    const ones = withIntercept ? [{ name: INTERCEPT, parts: [], values: undefined }] : [];
    const coded = codings(products, withIntercept, (name) => encoded.get(name)?.levels !== undefined);
    const out = coded.map(({ product, whole }) =>
      multiplied(
        product.map((name) => (encoded.get(name) as Encoded).variables(whole.has(name))),
        rows,
      ),
    );
    const all = [...ones, ...out.flatMap((variables, at) => variables.slice(Number(coded[at].isSurplus)))];
    refuseSameNames(
      table.name,
      all.map(({ name }) => name),
    );
    return all;
  };
  const numbers = (name: string | undefined): Float64Array | undefined =>
    name === undefined ? undefined : numeric(column(name), table.name);
  const terms = formula.terms.map(({ group, intercept, columns }) => ({
    group: group.join(":"),
    columns: group,
    variables: variablesOf(columns, intercept),
    ...levelsOf(group.map(column), rows),
  }));
  refuseTerms(terms);
  const fixed = variablesOf(formula.fixed, formula.intercept);
  const [weights, trials, offset] = [settings.weights, settings.trials, settings.offset].map(numbers);
  // Booleans are numbers where they have a baseline: nobody asks for their levels there.
  const asked = new Set(
    [...fixed, ...terms.flatMap(({ variables }) => variables)].flatMap(({ parts }) =>
      parts.flatMap(({ column, level }) => (level === undefined ? [] : [column])),
    ),
  );
  return {
    rows,
    fixed,
    terms,
    ...targetOf(column(formula.target), table.name),
    ...(weights && { weights }),
    ...(trials && { trials }),
    ...(offset && { offset }),
    rowOf,
    categories: Object.fromEntries(
      [...encoded.values()].flatMap(({ name, levels }) =>
        levels && asked.has(name) ? [[name, levels]] : [],
      ),
    ),
    warnings,
    notes: [...notes],
  };
}

/** The columns that options name, none of which is the target. */
function refusedTarget({ formula: { target }, ...settings }: FrameSettings): string[] {
  return (["weights", "trials", "offset"] as const).flatMap((role) => {
    const name = settings[role];
    if (name !== target) return name ?? [];
    throw new SparrowError(
      `"${name}" is the target, which ${option(role, name)} cannot be as well.`,
      "option",
    );
  });
}

function refuseTerms(terms: readonly FrameTerm[]): void {
  terms.forEach(({ group, levels, variables }, t) => {
    if (levels.length < 2) {
      throw new SparrowError(`"${group}" has one level: nothing can differ between its levels.`, "data");
    }
    for (const other of terms.slice(0, t)) {
      const twice = variables.find(({ name }) => other.variables.some((variable) => variable.name === name));
      if (other.group === group && twice) {
        throw new SparrowError(
          `"${twice.name}" differs twice by "${group}": leave one of them out.`,
          "option",
        );
      }
    }
  });
}

async function readColumns(
  table: ColumnTable,
  names: readonly string[],
  { formula, signal, onProgress, weights, trials }: FrameSettings,
): Promise<{ raw: Map<string, Raw>; rowOf: Frame["rowOf"]; warnings: string[]; said: string[] }> {
  const places = names.map((name) => {
    const at = table.columns.findIndex((each) => each.name === name);
    if (at < 0) {
      throw noColumn(
        table.name,
        categoryOf(name) ?? name,
        table.columns.map((each) => each.name),
      );
    }
    const { problem, refusal } = table.columns[at];
    if (refusal !== undefined) throw new SparrowError(refusal, "data");
    if (problem === undefined) return at;
    throw strangeColumn(table.name, name, problem);
  });
  // A row of no weight says nothing, nor does one without a trial and so without a success.
  const [weight, trial] = [weights, trials].map((name) =>
    names.findIndex((each, c) => each === name && table.columns[places[c]].kind !== "text"),
  );
  const idle = new Float64Array(names.length);
  let stored: Float64Array[] = names.map(() => new Float64Array(1024));
  const missing = new Float64Array(names.length);
  let [rows, seen] = [0, 0];
  const gaps = new Gaps();
  for await (const { rows: count, columns, share } of table.chunks(places)) {
    signal?.throwIfAborted();
    if (rows + count > stored[0].length) stored = stored.map((values) => grown(values, rows + count));
    for (let i = 0; i < count; i++) {
      let isWhole = true;
      for (let c = 0; c < columns.length; c++) {
        if (isUsable(columns[c][i])) continue;
        if (!Number.isNaN(columns[c][i]))
          throw beyondNumbers(table.name, names[c], columns[c][i], seen + i + 1);
        missing[c] += 1;
        isWhole = false;
      }
      if (!isWhole) {
        gaps.leaveOut(rows);
        continue;
      }
      const isZero = (c: number): boolean => c >= 0 && columns[c][i] === 0;
      if (isZero(weight) || (isZero(trial) && isZero(0))) {
        idle[isZero(weight) ? weight : trial] += 1;
        gaps.leaveOut(rows);
        continue;
      }
      for (let c = 0; c < columns.length; c++) stored[c][rows] = columns[c][i];
      rows++;
    }
    seen += count;
    onProgress?.(seen, share);
  }
  const isGroup = (name: string): boolean => formula.terms.some(({ group }) => group.includes(name));
  const asWords = (name: string): string => `use ${option("text", [name])}`;
  const raw = names.map((name, c): [string, Raw] => {
    const column = table.columns[places[c]];
    const values = stored[c].slice(0, rows);
    const texts = column.kind === "text" ? (column.levels ?? []) : undefined;
    return [
      name,
      {
        name,
        kind: column.kind ?? "number",
        values,
        texts,
        label(i) {
          refuseRounded(table.name, column, values[i], isGroup(name) ? undefined : asWords(name));
          return labelOf(column, values[i]);
        },
      },
    ];
  });
  const empty = missing.indexOf(seen);
  if (seen > 0 && empty >= 0) throw emptyColumn(table.name, names[empty]);
  const warnings = names.flatMap((name, c) => [
    ...(missing[c] > 0 ? [lacking(missing[c], seen, "value", name)] : []),
    ...(idle[c] > 0 ? [saysNothing(idle[c], seen, name)] : []),
  ]);
  return {
    raw: new Map(raw),
    rowOf: (i) => gaps.rowOf(i),
    warnings,
    said: table.remarks?.(places) ?? [],
  };
}

function grown(values: Float64Array, least: number): Float64Array {
  const larger = new Float64Array(Math.max(least, 2 * values.length));
  larger.set(values);
  return larger;
}

function targetOf(
  { name, kind, values, texts }: Raw,
  table: string,
): Pick<Frame, "y" | "classes" | "targetKind"> {
  if (!texts) return { y: values, targetKind: kind };
  const present = [...new Set(values)].map((code) => texts[code]).sort();
  if (present.length !== 2) {
    throw new SparrowError(
      `${table}: the target "${name}" holds text with ${present.length} values; a mixed model explains numbers or two values.`,
      "column",
    );
  }
  const classes: [string, string] = [present[0], present[1]];
  return { y: values.map((code) => Number(texts[code] === classes[1])), classes, targetKind: kind };
}
