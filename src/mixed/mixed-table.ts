/** A mixed model of a table. */

import { SparrowError } from "../errors.js";
import { targetName } from "../selection/data/columns.js";
import { readingProgress } from "../selection/data/reading-progress.js";
import type { DataRecord } from "../selection/run.js";
import type { Encoding } from "../store/layout/encoding.js";
import { checksummed } from "../tables/checksum.js";
import { entryColumns, someColumns } from "../tables/some-columns.js";
import type { ColumnTable, Table } from "../tables/table.js";
import { option, spelt } from "../wording.js";
import type { Crew } from "../workers/crew.js";
import { fitMixed, type MixedFit } from "./fit.js";
import { checkOptions, type MixedOptions } from "./options.js";
import { grouped } from "./read/grouped.js";

/** Beyond this many, the fixed columns have to be named: the cross-products grow with their square. */
const MANY = 40;

/** A fit of a mixed model with a record of the data: what a run folder holds. */
export interface MixedRun extends MixedFit {
  /** What the data were: enough to tell whether two runs saw the same. */
  readonly data: DataRecord;
}

/** Target and group may be left to a table that knows them. */
export async function mixedTable(
  table: Table,
  options: Partial<MixedOptions>,
  crew?: Crew,
): Promise<MixedRun> {
  checkOptions(options);
  const from = performance.now();
  const { target, group, fixed, random } = await partsOf(table, options);
  const columns = [...new Set([...fixed, ...random])];
  const byColumns = table.by === "columns" ? table : someColumns(table, [group, ...columns]);
  const watched = checksummed(byColumns);
  const { data, variables, encodings, warnings, notes } = await grouped(watched.table, {
    target,
    group,
    columns,
    signal: options.signal,
    onProgress: readingProgress(options, table),
  }).catch((error) => {
    throw inOwnWords(error);
  });
  for (const sentence of [...notes, ...warnings]) options.onMessage?.(sentence);
  const seconds = (performance.now() - from) / 1000;
  const spelledOut = (names: readonly string[]) => names.flatMap((name) => variables.get(name) ?? []);
  const spelledOptions = {
    ...options,
    target,
    group,
    fixed: spelledOut(fixed),
    random: spelledOut(random),
  };
  crew?.journal?.onData(watched.checksum());
  const fit = await fitMixed(data, spelledOptions, crew);
  const { result } = fit;
  const kind = byColumns.columns.find(({ name }) => name === target)?.kind ?? "number";
  const encoding: Encoding = { target: { column: target, kind }, columns: encodings, missing: "drop" };
  return {
    ...fit,
    data: {
      name: table.name,
      rows: result.rows,
      columns: data.columns.slice(1),
      checksum: watched.checksum(),
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

interface Parts {
  readonly target: string;
  readonly group: string;
  readonly fixed: readonly string[];
  readonly random: readonly string[];
}

/** Which column plays which part. Where the source knows its groups, every effect may differ between them. */
async function partsOf(table: Table, options: Partial<MixedOptions>): Promise<Parts> {
  const target = targetName(table, options.target);
  const known = table.by === "columns" ? table.group : undefined;
  const group = options.group ?? known;
  if (group === undefined) {
    throw new SparrowError(`${option("group")} is missing: name the column of the groups.`, "option");
  }
  const isOwn = known !== undefined && group === known && target === table.target;
  const isOpen = options.fixed === undefined || (options.random === undefined && isOwn);
  const rest = isOpen ? await remaining(table, target, group, options) : [];
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
  return { target, group, fixed, random };
}

/** Every column of numbers that has no other part to play. */
async function remaining(
  table: Table,
  target: string,
  group: string,
  { random = [], onMessage }: Partial<MixedOptions>,
): Promise<string[]> {
  const all: ColumnTable["columns"] = table.by === "columns" ? table.columns : await entryColumns(table);
  const others = all.filter(({ name }) => name !== target && name !== group);
  const isNumber = ({ kind = "number", problem }: ColumnTable["columns"][number]) =>
    problem === undefined && kind === "number";
  const fixed = others.filter(isNumber).map(({ name }) => name);
  if (fixed.length > MANY) {
    throw new SparrowError(
      `${table.name} has ${fixed.length} columns of numbers: name those to use with ${option("fixed")}.`,
      "option",
    );
  }
  const left = others.filter((column) => !isNumber(column) && !random.includes(column.name));
  if (left.length > 0) {
    onMessage?.(`Not columns of numbers, so left out: ${left.map(({ name }) => name).join(", ")}.`);
  }
  return fixed;
}

/** Readers advise to exclude columns; here they are left out by naming others. */
function inOwnWords(error: unknown): unknown {
  if (!(error instanceof SparrowError)) return error;
  const message = spelt(error.marked, (name, value) =>
    name === "exclude" ? `${option("fixed")} and ${option("random")}` : option(name, value),
  );
  return new SparrowError(message, error.code);
}
