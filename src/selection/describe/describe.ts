/** What each column of a table will become, before anything is fitted. */

import { TargetEvidence } from "../../families/evidence.js";
import { type FamilyName, nameOf } from "../../families/register.js";
import { checkDescribe, type DescribeOptions } from "../../options/describe.js";
import { emptyFacts } from "../../store/build/column-facts.js";
import { encodeTarget, rankLevels } from "../../store/build/encode.js";
import { asideSentences } from "../../tables/judge/remarks.js";
import { labelOf } from "../../tables/labels.js";
import { beyondNumbers, isBeyondNumbers, noRows } from "../../tables/read-errors.js";
import { entryColumns, someColumns } from "../../tables/some-columns.js";
import type { ColumnKind, ColumnTable, Table, TableColumn } from "../../tables/table.js";
import { columnRoles } from "../data/columns.js";
import { readingProgress } from "../data/reading-progress.js";
import { CoMoment } from "./co-moment.js";
import { ColumnSummary } from "./column-summary.js";
import { oddities } from "./oddities.js";

/** What `describe` returns. */
export interface Description {
  /** The file, or "the data". */
  readonly name: string;
  /** How many. */
  readonly rows: number;
  /** The column to explain, and the kind of target that it is, where one was named or the data know it. */
  readonly target?: TargetDescription;
  /** Variables that a fit would have. */
  readonly variables: number;
  /** In the order of the data. */
  readonly columns: readonly ColumnDescription[];
  /** What is to be said of the way in which the data were read. */
  readonly notes: readonly string[];
}

/** The column to explain. */
export interface TargetDescription {
  /** Its name. */
  readonly name: string;
  /** The kind of target that it is. */
  readonly family?: FamilyName;
  /** Why it cannot be explained. */
  readonly problem?: string;
}

/** What is in a column, and what becomes of it. */
export interface ColumnDescription {
  /** As the data have it. */
  readonly name: string;
  /** What it holds; absent where nothing can be made of it. */
  readonly kind?: ColumnKind;
  /** The part that it plays. */
  readonly role: "target" | "variable" | "aside" | "left out" | "unusable";
  /** Variables that it becomes. */
  readonly variables: number;
  /** Rows without a value. */
  readonly missing: number;
  /** The least of numbers, the first of dates, which are texts. */
  readonly least?: number | string;
  /** The largest, or the last. */
  readonly most?: number | string;
  /** Of numbers. */
  readonly mean?: number;
  /** Their standard deviation. */
  readonly sd?: number;
  /** Rows in parts of the range that are equally wide. */
  readonly histogram?: readonly number[];
  /** How many different values a text has. */
  readonly different?: number;
  /** The most frequent of them. */
  readonly values?: readonly { readonly value: string; readonly rows: number }[];
  /** What the others are compared with. */
  readonly baseline?: string;
  /** With the target, over the rows that hold both; absent where one of them is a text or does not vary. */
  readonly correlation?: number;
  /** What is odd about it. */
  readonly odd: readonly string[];
  /** Why it cannot be used as it is. */
  readonly problem?: string;
}

/** Values of a text that are listed. */
const LISTED = 10;

export async function describeTable(data: Table, options: DescribeOptions): Promise<Description> {
  checkDescribe(options);
  const table = data.by === "columns" ? data : await densely(data);
  const target = options.target ?? data.target;
  if (target !== undefined) checkTarget(table, target);
  const readable = [...table.columns.keys()].filter((c) => isReadable(table.columns[c]));
  const evidence = new TargetEvidence();
  const summaries = new Map(readable.map((c) => [c, new ColumnSummary(table.columns[c].kind === "text")]));
  const targetAt = readable.findIndex((c) => table.columns[c].name === target);
  const beside = new Map(readable.map((c) => [c, new CoMoment()]));
  const progress = readingProgress(options, table);
  let rows = 0;
  await eachChunk(table, readable, options, (columns, count, share) => {
    readable.forEach((c, i) => {
      summaries.get(c)!.look(columns[i], count);
      if (targetAt >= 0 && i !== targetAt) beside.get(c)!.look(columns[i], columns[targetAt], count);
    });
    for (let i = 0; targetAt >= 0 && i < count; i++) {
      const value = columns[targetAt][i];
      if (!Number.isNaN(value)) evidence.look(value);
    }
    rows += count;
    progress?.(rows, share);
  });
  if (rows === 0 && readable.length > 0) throw noRows(table.name);
  await eachChunk(table, readable, options, (columns, count) => {
    readable.forEach((c, i) => {
      if (table.columns[c].kind !== "text") summaries.get(c)!.place(columns[i], count);
    });
  });
  const twins = twinsOf(table, summaries);
  const isText = (c: number | undefined): boolean => c === undefined || table.columns[c].kind === "text";
  const columns = table.columns.map((column, c) => {
    const plain = described(column, summaries.get(c), { table: table.name, target, twin: twins.get(c) });
    const correlation = isText(c) || isText(readable[targetAt]) ? undefined : beside.get(c)?.correlation;
    return correlation === undefined ? plain : { ...plain, correlation };
  });
  return {
    name: table.name,
    rows,
    ...(target !== undefined && { target: targetOf(table, target, evidence, summaries) }),
    variables: columns.reduce((sum, column) => sum + column.variables, 0),
    columns,
    notes: [
      ...asideSentences(table.columns.filter(({ name }) => name !== target)),
      ...(table.remarks?.([...table.columns.keys()]) ?? []),
    ],
  };
}

/** Sparse data are described by their columns. */
async function densely(data: Exclude<Table, ColumnTable>): Promise<ColumnTable> {
  const names = (await entryColumns(data)).slice(0, -1).map(({ name }) => name);
  return someColumns(data, names);
}

function checkTarget({ name, columns }: ColumnTable, target: string): void {
  // The same sentence, with the same advice, as a fit has for it.
  const plain = columns.map((column) => ({ name: column.name }));
  if (!columns.some((column) => column.name === target)) columnRoles({ name, columns: plain }, { target });
}

const isReadable = ({ problem, refusal }: TableColumn): boolean =>
  problem === undefined && refusal === undefined;

async function eachChunk(
  table: ColumnTable,
  columns: readonly number[],
  { signal }: DescribeOptions,
  look: (columns: readonly ArrayLike<number>[], rows: number, share?: number) => void,
): Promise<void> {
  if (columns.length === 0) return;
  for await (const chunk of table.chunks(columns)) {
    signal?.throwIfAborted();
    look(chunk.columns, chunk.rows, chunk.share);
  }
}

/** Of columns that hold the same, each but the first with the name of the first. */
function twinsOf(table: ColumnTable, summaries: ReadonlyMap<number, ColumnSummary>): Map<number, string> {
  const first = new Map<string, string>();
  const twins = new Map<number, string>();
  for (const [c, summary] of summaries) {
    if (summary.least === summary.most || summary.filled === 0) continue;
    const { name, kind, levels } = table.columns[c];
    const key = `${kind} ${summary.identity} ${levels?.join("\n") ?? ""}`;
    const known = first.get(key);
    if (known === undefined) first.set(key, name);
    else twins.set(c, known);
  }
  return twins;
}

function targetOf(
  table: ColumnTable,
  name: string,
  evidence: TargetEvidence,
  summaries: ReadonlyMap<number, ColumnSummary>,
): TargetDescription {
  const at = table.columns.findIndex((column) => column.name === name);
  const { refusal, problem } = table.columns[at];
  if (refusal !== undefined || problem !== undefined) return { name, problem: refusal ?? `holds ${problem}` };
  const summary = summaries.get(at)!;
  const beyond = refusedNumbers(table.name, name, summary);
  if (beyond !== undefined) return { name, problem: beyond };
  const only = summary.least === summary.most ? summary.least : undefined;
  try {
    const { judged } = encodeTarget(
      { target: evidence, facts: [{ ...emptyFacts(), only }] },
      { table, columns: [at], family: "auto" },
    );
    return { name, family: nameOf(judged.family) };
  } catch (error) {
    return { name, problem: (error as { marked?: string }).marked ?? (error as Error).message };
  }
}

/** What no fit takes. */
function refusedNumbers(
  table: string,
  name: string,
  { filled, least, most }: ColumnSummary,
): string | undefined {
  const far = Math.abs(least) > Math.abs(most) ? least : most;
  return filled > 0 && isBeyondNumbers(far) ? beyondNumbers(table, name, far).marked : undefined;
}

function described(
  column: TableColumn,
  summary: ColumnSummary | undefined,
  {
    table,
    target,
    twin,
  }: { readonly table: string; readonly target: string | undefined; readonly twin: string | undefined },
): ColumnDescription {
  const { name, kind = "number", aside } = column;
  if (!summary) {
    const problem = column.refusal ?? `holds ${column.problem}`;
    return {
      name,
      role: "unusable",
      variables: 0,
      missing: 0,
      odd: [],
      problem,
      ...(column.refusal !== undefined && { kind }),
    };
  }
  const beyond = refusedNumbers(table, name, summary);
  if (beyond !== undefined && !aside) {
    const { missing } = summary;
    return { name, kind, role: "unusable", variables: 0, missing, odd: [], problem: beyond };
  }
  const odd = [...(aside ? [aside.words] : []), ...oddities(column, summary, twin)];
  const isFlat = summary.filled === 0 || summary.least === summary.most;
  const role = name === target ? "target" : aside ? "aside" : isFlat ? "left out" : "variable";
  const common = { name, kind, role, missing: summary.missing, odd } as const;
  if (kind === "text") return { ...common, ...texts(column, summary, role === "variable") };
  return {
    ...common,
    variables: role === "variable" ? 1 : 0,
    ...(summary.filled > 0 && range(column, summary)),
  };
}

function range(column: TableColumn, summary: ColumnSummary): Partial<ColumnDescription> {
  const { least, most, mean, sd, histogram } = summary;
  const isDate = column.kind === "date";
  return {
    least: isDate ? labelOf(column, least) : least,
    most: isDate ? labelOf(column, most) : most,
    ...(!isDate && { mean, sd }),
    ...(least < most && { histogram }),
  };
}

function texts(
  { levels = [] }: TableColumn,
  summary: ColumnSummary,
  isVariable: boolean,
): Pick<ColumnDescription, "variables" | "different" | "values" | "baseline"> {
  const counts: number[] = levels.map((_, code) => summary.counts?.get(code) ?? 0);
  const order = [...counts.keys()]
    .filter((code) => counts[code] > 0)
    .sort((a, b) => counts[b] - counts[a] || a - b);
  const values = order.slice(0, LISTED).map((code) => ({ value: levels[code], rows: counts[code] }));
  if (!isVariable || order.length === 0) return { variables: 0, different: order.length, values };
  const { baseline, others } = rankLevels(levels, { counts });
  return { variables: others.length, different: order.length, values, baseline: levels[baseline] };
}
