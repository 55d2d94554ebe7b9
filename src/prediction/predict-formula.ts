/** Predictions of a mixed model by a formula for the rows of a table. */

import { gaussianScores } from "../diagnostics/predictive.js";
import { SparrowError } from "../errors.js";
import { familyNamed } from "../families/register.js";
import type { PredictOptions } from "../options/predict.js";
import { strangeLevel } from "../store/build/encoded-table.js";
import { countRows } from "../tables/count.js";
import { labelOf } from "../tables/labels.js";
import { isUsable } from "../tables/read-errors.js";
import type { ColumnTable, Table, TableColumn } from "../tables/table.js";
import { type FormulaPredictor, type FormulaVariable, formulaRows } from "./formula-predictor.js";
import { matchColumns, missingValue, at as pick, rowsWithTarget } from "./match-columns.js";
import type { MixedPredictResult } from "./predict-mixed.js";

export async function predictFormula(
  predictor: FormulaPredictor,
  table: Table,
  options: Pick<PredictOptions, "signal" | "onProgress"> = {},
): Promise<MixedPredictResult> {
  if (table.by !== "columns") {
    throw new SparrowError(
      `${table.name} is a sparse file, which a formula cannot name columns of.`,
      "format",
    );
  }
  const { fixed, terms, offset, target } = predictor;
  const parts = [...fixed, ...terms.flatMap(({ variables }) => variables)].flatMap(
    (variable) => variable.parts,
  );
  const check = checkOf(predictor, parts);
  const groups = terms.flatMap(({ columns }) => columns);
  const needed = [...new Set([...parts.map(({ column }) => column), ...(offset ? [offset] : [])])];
  const names = [...new Set([...needed, ...groups])];
  const wanted = matchColumns(table, names);
  const at = table.columns.findIndex(({ name, problem }) => name === target && !problem);
  const scored = at >= 0 && familyNamed(predictor.family).quadratic && table.columns[at].kind !== "text";
  const rows = await countRows(table);
  const result = {
    rows,
    mean: new Float64Array(rows),
    meanLower: new Float64Array(rows),
    meanUpper: new Float64Array(rows),
    ...(familyNamed(predictor.family).prediction.interval && {
      observationLower: new Float64Array(rows),
      observationUpper: new Float64Array(rows),
    }),
    known: new Uint8Array(rows),
  };
  const y = scored ? new Float64Array(rows) : undefined;
  const predictRow = formulaRows(predictor);
  const [x, z] = [
    new Float64Array(fixed.length),
    terms.map(({ variables }) => new Float64Array(variables.length)),
  ];
  const placeOf = terms.map(levelPlaces);
  const place = new Map(names.map((name, c) => [name, c]));
  let done = 0;
  for await (const { columns, rows: count } of table.chunks(scored ? [...wanted, at] : wanted)) {
    options.signal?.throwIfAborted();
    for (let i = 0; i < count; i++) {
      const cell = (name: string): { column: TableColumn; value: number } => {
        const c = place.get(name) as number;
        return { column: table.columns[wanted[c]], value: columns[c][i] };
      };
      for (const name of needed) {
        check(table, name, cell(name), done + i);
      }
      fixed.forEach((variable, j) => {
        x[j] = productOf(variable, cell);
      });
      terms.forEach(({ variables }, t) => {
        variables.forEach((variable, k) => {
          z[t][k] = productOf(variable, cell);
        });
      });
      const levels = placeOf.map((find) => find(cell));
      const row = predictRow(x, z, levels, offset === undefined ? 0 : numberOf(cell(offset)));
      result.mean[done + i] = row.mean;
      result.meanLower[done + i] = row.lower;
      result.meanUpper[done + i] = row.upper;
      if (row.observation && result.observationLower && result.observationUpper) {
        [result.observationLower[done + i], result.observationUpper[done + i]] = row.observation;
      }
      result.known[done + i] = Number(levels.every((level) => level >= 0));
      if (y) y[done + i] = columns[wanted.length][i];
    }
    done += count;
    options.onProgress?.({ stage: "predict", done, total: rows });
  }
  const withTarget = y && rowsWithTarget(table, target, y);
  if (!withTarget || withTarget.length === 0) return result;
  return { ...result, scores: { all: gaussianScores(pick(y, withTarget), pick(result.mean, withTarget)) } };
}

/** Where the level of a row stands among those of the run; −1 where it does not. */
function levelPlaces({ columns, levels }: FormulaPredictor["terms"][number]) {
  const places = new Map(levels.map((name, j) => [name, j]));
  const find = (cells: readonly Cell[]): number => places.get(cells.map(nameOf).join(":")) ?? -1;
  if (columns.length > 1) return (cell: (name: string) => Cell) => find(columns.map(cell));
  /** Of codes that have been met: names are looked up once. */
  const found = new Map<number, number>();
  return (cell: (name: string) => Cell): number => {
    const only = cell(columns[0]);
    const at = found.get(only.value) ?? find([only]);
    found.set(only.value, at);
    return at;
  };
}

/** Refuses a cell that an effect can make nothing of. */
function checkOf({ categories = {}, offset }: FormulaPredictor, parts: FormulaVariable["parts"]) {
  const numbers = new Set(parts.flatMap(({ column, level }) => (level === undefined ? [column] : [])));
  if (offset) numbers.add(offset);
  const levels = new Map(Object.entries(categories).map(([name, known]) => [name, new Set(known)]));
  return (table: ColumnTable, name: string, cell: Cell, row: number): void => {
    if (!isUsable(cell.value)) throw missingValue(table, name, row, cell.value);
    const known = levels.get(name);
    if (known && !known.has(nameOf(cell))) throw strangeLevel(table, name, nameOf(cell), row);
    if (!numbers.has(name) || Number.isFinite(numberOf(cell))) return;
    throw new SparrowError(
      `${table.name}: column "${name}" holds "${nameOf(cell)}" in row ${row + 1}, where the run had numbers.`,
    );
  };
}

type Cell = { readonly column: TableColumn; readonly value: number };

const nameOf = ({ column, value }: Cell): string => (Number.isNaN(value) ? "" : labelOf(column, value));

/** Also of a column that is read as text because it names levels as well. */
const numberOf = (cell: Cell): number => (cell.column.kind === "text" ? Number(nameOf(cell)) : cell.value);

function productOf({ parts }: FormulaVariable, cell: (name: string) => Cell): number {
  let product = 1;
  for (const { column, level } of parts) {
    product *= level === undefined ? numberOf(cell(column)) : Number(nameOf(cell(column)) === level);
  }
  return product;
}
