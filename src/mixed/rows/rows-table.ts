/** A mixed model of a table by its rows: the way of formulas, and of targets that are no plain numbers. */

import { SparrowError } from "../../errors.js";
import { readingProgress } from "../../selection/data/reading-progress.js";
import { knownAs } from "../../store/layout/encoding.js";
import { checksummed } from "../../tables/checksum.js";
import type { ReadingHints } from "../../tables/judge/hints.js";
import { readingOf as readingAsked } from "../../tables/reading-asked.js";
import type { ColumnTable, Table } from "../../tables/table.js";
import { option } from "../../wording.js";
import type { Crew } from "../../workers/crew.js";
import { categoryOf, type Formula, parseFormula } from "../formula/formula.js";
import type { MixedRun, Parts } from "../mixed-table.js";
import type { MixedOptions } from "../options.js";
import { fitRows } from "./fit-rows.js";
import { readFrame } from "./frame.js";

export async function rowsTable(
  table: Table,
  formula: Formula,
  options: Partial<MixedOptions>,
  crew: Crew | undefined,
  said: readonly string[] = [],
): Promise<MixedRun> {
  if (table.by !== "columns") {
    throw new SparrowError(
      `${table.name} is a sparse file, which a formula cannot name columns of.`,
      "format",
    );
  }
  if (formula.terms.length === 0) {
    throw new SparrowError(`The formula has no grouping: write (1 | group), or use \`fit\`.`, "option");
  }
  if (options.prior === "inverse-wishart") {
    throw new SparrowError(`${option("prior", "inverse-wishart")} is for one grouping of numbers.`, "option");
  }
  for (const sentence of said) options.onMessage?.(sentence);
  const from = performance.now();
  const watched = checksummed(table);
  const frame = await readFrame(watched.table, {
    ...options,
    formula,
    onProgress: readingProgress(options, table),
  });
  for (const sentence of [...frame.notes, ...frame.warnings]) options.onMessage?.(sentence);
  const seconds = (performance.now() - from) / 1000;
  const { target } = formula;
  crew?.journal?.onData(watched.checksum());
  const fit = await fitRows(
    frame,
    { ...options, target, formula: options.formula ?? spelledOut(formula) },
    crew,
  );
  const { result } = fit;
  const notes = [...said, ...(result.notes ?? [])];
  const { notes: _, ...rest } = result;
  return {
    ...fit,
    predictor: () => ({ ...fit.predictor(), reading: readingOf(table, formula) }),
    data: {
      name: table.name,
      rows: frame.rows,
      columns: frame.fixed.flatMap(({ name, values }) => (values ? [name] : [])),
      checksum: watched.checksum(),
    },
    result: {
      ...rest,
      ...(notes.length > 0 && { notes }),
      diagnostics: { ...result.diagnostics, warnings: [...frame.warnings, ...result.diagnostics.warnings] },
      timing: { read: seconds, ...result.timing },
    },
  };
}

/** How the columns of a formula were read; those that name groups are read as they are written. */
function readingOf({ columns, asked }: ColumnTable, { target, fixed, terms }: Formula): ReadingHints {
  const groups = new Set(terms.flatMap(({ group }) => group));
  const named = [...fixed.flat(), ...terms.flatMap((term) => term.columns.flat())];
  const used = new Set([target, ...named.map((name) => categoryOf(name) ?? name)]);
  const own = columns
    .filter(({ name }) => used.has(name) && !groups.has(name))
    .map(({ name, kind = "number", reading }) => ({ column: name, kind, ...(reading && { reading }) }));
  return { ...asked, as: knownAs(own) };
}

/** One grouping with an intercept in all: what sums of products can do. */
export function simpleParts({
  target,
  intercept,
  fixed,
  terms,
}: Formula): Omit<Parts, "left" | "notes"> | undefined {
  const [term, ...others] = terms;
  if (!term || others.length > 0 || !intercept || !term.intercept || term.group.length > 1) return undefined;
  const products = [...fixed, ...term.columns];
  const needRows = ([name, ...more]: readonly string[]): boolean =>
    more.length > 0 || categoryOf(name) !== undefined || name === term.group[0];
  if (products.some(needRows)) return undefined;
  return { target, group: term.group[0], fixed: fixed.flat(), random: term.columns.flat() };
}

export function formulaOf({ target, group, fixed, random }: Parts): Formula {
  return {
    target,
    intercept: true,
    fixed: fixed.map((name) => [name]),
    terms: [{ group: [group], intercept: true, columns: random.map((name) => [name]) }],
  };
}

function spelledOut({ target, fixed, terms, intercept }: Formula): string {
  const name = (column: string): string => (/^[\w.]+$/.test(column) ? column : `\`${column}\``);
  const sum = (one: boolean, columns: readonly (readonly string[])[]): string =>
    [one ? "1" : "0", ...columns.map((product) => product.map(name).join(":"))].join(" + ");
  const grouped = terms.map(
    (term) => `(${sum(term.intercept, term.columns)} | ${term.group.map(name).join(":")})`,
  );
  return `${name(target)} ~ ${[sum(intercept, fixed), ...grouped].join(" + ")}`;
}

/** How the columns of the groups, and those that somebody names, are read. */
export function mixedReading(options: Partial<MixedOptions>): ReadingHints {
  const asked = readingAsked(options);
  const keys = groupKeys(options);
  if (options.formula === undefined) return { ...asked, keys };
  const { fixed, terms } = parseFormula(options.formula);
  return { ...asked, keys, named: [...fixed.flat(), ...terms.flatMap((term) => term.columns.flat())] };
}

/** The columns that name groups, which are read as they are written. */
function groupKeys({ group, formula }: Pick<Partial<MixedOptions>, "group" | "formula">): string[] {
  if (formula === undefined) return group === undefined ? [] : [group];
  return [...new Set(parseFormula(formula).terms.flatMap((term) => term.group))];
}
