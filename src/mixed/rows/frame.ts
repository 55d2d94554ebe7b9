/** From a table and a formula to the rows in memory: variables, levels, target, weights and offset. */

import { SparrowError } from "../../errors.js";
import type { FormulaVariable } from "../../prediction/formula-predictor.js";
import { rankLevels } from "../../store/build/encode.js";
import { labelOf } from "../../tables/labels.js";
import { noColumn } from "../../tables/named/no-column.js";
import { beyondNumbers, isUsable } from "../../tables/read-errors.js";
import { refuseRounded } from "../../tables/rounded.js";
import type { ColumnKind, ColumnTable } from "../../tables/table.js";
import { option } from "../../wording.js";
import { codings } from "../formula/codings.js";
import { categoryOf, type Formula } from "../formula/formula.js";
import { emptyColumn, lacking, sameEverywhere, saysNothing, strangeColumn } from "../read/left-out.js";
import { INTERCEPT, refuseSameNames } from "../read/same-names.js";

export interface Variable extends FormulaVariable {
  /** Nothing for the intercept. */
  readonly values: Float64Array | undefined;
}

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

/** A column as it was read, in the rows where every column that is needed has a value. */
interface Raw {
  readonly name: string;
  readonly kind: ColumnKind;
  readonly values: Float64Array;
  /** What a text column's codes stand for. */
  readonly texts: readonly string[] | undefined;
  label(i: number): string;
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

/** Where rows were left out: for messages, that name the rows of the data. */
class Gaps {
  /** Of every gap: the rows used before it, and how many are missing in it. */
  private readonly gaps: { readonly before: number; count: number }[] = [];

  /** A row after so many that are used. */
  leaveOut(before: number): void {
    const last = this.gaps.at(-1);
    if (last?.before === before) last.count += 1;
    else this.gaps.push({ before, count: 1 });
  }

  rowOf(i: number): number {
    return this.gaps.reduce((row, { before, count }) => row + (before <= i ? count : 0), i + 1);
  }
}

function grown(values: Float64Array, least: number): Float64Array {
  const larger = new Float64Array(Math.max(least, 2 * values.length));
  larger.set(values);
  return larger;
}

const isNumber = (text: string): boolean => text.trim() !== "" && Number.isFinite(Number(text));

/** The numbers of a column, also of one that was read as text because it names groups as well. */
function numeric(raw: Raw, table: string): Float64Array {
  if (!raw.texts) return raw.values;
  if (raw.texts.every(isNumber)) return raw.values.map((code) => Number(raw.texts?.[code]));
  throw new SparrowError(`${table}: column "${raw.name}" holds text, where numbers are needed.`, "data");
}

/** The same column with its values as texts. */
function categories(raw: Raw): Raw & { readonly isCategory: true } {
  const { levels, codes } = levelsOf([raw], raw.values.length);
  return { ...raw, values: Float64Array.from(codes), texts: levels, isCategory: true };
}

interface Encoded {
  /** The column. */
  readonly name: string;
  /** The values of a category that come. */
  readonly levels?: readonly string[];
  /** `whole` asks for one variable a level, without a baseline. */
  variables(whole: boolean): readonly Variable[];
}

function encode(raw: Raw & { readonly isCategory?: true }, table: string, notes: Set<string>): Encoded {
  const { name, texts } = raw;
  if (!texts || (!raw.isCategory && texts.every(isNumber))) {
    const values = numeric(raw, table);
    if (values.every((value) => value === values[0])) {
      throw sameEverywhere(name);
    }
    const number: Variable = { name, parts: [{ column: name }], values };
    return raw.kind === "boolean" ? logical(number) : { name, variables: () => [number] };
  }
  const counts = new Array<number>(texts.length).fill(0);
  for (const code of raw.values) counts[code] += 1;
  const { baseline, others } = rankLevels(texts, { counts });
  if (others.length === 0) {
    throw sameEverywhere(name);
  }
  const compared = `"${name}" has ${others.length + 1} categories: compared with "${texts[baseline]}", the most frequent.`;
  const variable = (code: number): Variable => ({
    name: `${name}=${texts[code]}`,
    parts: [{ column: name, level: texts[code] }],
    values: raw.values.map((value) => Number(value === code)),
  });
  return {
    name,
    levels: [baseline, ...others].map((code) => texts[code]),
    variables(whole) {
      if (!whole) notes.add(compared);
      return (whole ? [baseline, ...others] : others).map(variable);
    },
  };
}

/** As in R a column of booleans is a category: one number against false, but for where no baseline is left out. */
function logical(number: Variable): Encoded {
  const { name } = number;
  const levels = [0, 1].map((value) => labelOf({ name, kind: "boolean" }, value));
  const variable = (level: string, value: number): Variable => ({
    name: `${name}=${level}`,
    parts: [{ column: name, level }],
    values: (number.values as Float64Array).map((own) => Number(own === value)),
  });
  return { name, levels, variables: (whole) => (whole ? levels.map(variable) : [number]) };
}

/** Every variable of the first column times every one of the second, and so on. */
function multiplied(columns: readonly (readonly Variable[])[], rows: number): Variable[] {
  let out: readonly Variable[] = columns[0];
  for (const next of columns.slice(1)) {
    out = out.flatMap((one) =>
      next.map((other) => ({
        name: `${one.name}:${other.name}`,
        parts: [...one.parts, ...other.parts],
        values: Float64Array.from(
          { length: rows },
          (_, i) => (one.values as Float64Array)[i] * (other.values as Float64Array)[i],
        ),
      })),
    );
  }
  return [...out];
}

/** Levels in the order of the alphabet. */
function levelsOf(columns: readonly Raw[], rows: number): { levels: string[]; codes: Int32Array } {
  const first = new Map<number | string, number>();
  const names: string[] = [];
  const codes = new Int32Array(rows);
  const key = (i: number): number | string =>
    columns.length === 1 ? columns[0].values[i] : columns.map(({ values }) => values[i]).join(":");
  for (let i = 0; i < rows; i++) {
    const at = key(i);
    let code = first.get(at);
    if (code === undefined) {
      code = names.length;
      first.set(at, code);
      names.push(columns.map((column) => column.label(i)).join(":"));
    }
    codes[i] = code;
  }
  const order = names
    .map((_, j) => j)
    .sort((a, b) => (names[a] < names[b] ? -1 : Number(names[a] > names[b])));
  const place = new Int32Array(order.length);
  order.forEach((code, j) => {
    place[code] = j;
  });
  return { levels: order.map((code) => names[code]), codes: codes.map((code) => place[code]) };
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
