/** Cross-products by fold, asked of an engine: rows are put into folds by their hash. */

import type { GramSource, Sums } from "../peers/gram-source.js";
import { addedSums } from "../peers/gram-source.js";
import type { AskedVariables } from "./asked-variables.js";
import { type Asker, changed, usedLayers } from "./asker.js";
import { rectangleTiles } from "./plan/products.js";
import { selectionSql, variableName } from "./question.js";
import { hashed } from "./reading/read.js";

export interface FoldedData {
  readonly asker: Asker;
  readonly variables: AskedVariables;
  readonly shift: Float64Array;
  readonly rows: number;
  readonly key: readonly string[];
  readonly seed: number;
}

/** With one fold, of all rows. */
export async function askedGramSource(data: FoldedData, folds: number): Promise<GramSource> {
  const { variables, shift } = data;
  const { columns } = variables;
  const { limits } = data.asker.rows.engine;
  const parts = await foldSums(data, folds);
  const loaded = new Map<number, { readonly folds: Float64Array[]; readonly total: Float64Array }>();
  const load = async (fresh: readonly number[]): Promise<void> => {
    const found = fresh.map(() => Array.from({ length: folds }, () => new Float64Array(columns)));
    const others = Array.from({ length: columns }, (_, k) => k).filter((k) => !loaded.has(k));
    for (const [k, known] of loaded)
      fresh.forEach((j, c) => {
        known.folds.forEach((own, f) => {
          found[c][f][k] = own[j];
        });
      });
    for (const { pairs } of rectangleTiles(fresh.length, others.length, limits)) {
      const aggregates = pairs.map(([a, b]) => `sum(${variableName(fresh[a])} * ${variableName(others[b])})`);
      const sums = await byFold(data, folds, "products of columns, by fold", aggregates);
      sums.forEach((own, f) => {
        pairs.forEach(([a, b], i) => {
          found[a][f][others[b]] = own[i];
        });
      });
    }
    fresh.forEach((j, c) => {
      const total = found[c][0].map((_, k) => found[c].reduce((sum, own) => sum + own[k], 0));
      loaded.set(j, { folds: found[c], total });
    });
  };
  return {
    columns,
    shift,
    folds: parts,
    total: addedSums(parts),
    has: (j) => loaded.has(j),
    async load(wanted) {
      const fresh = [...new Set(wanted)].filter((j) => !loaded.has(j));
      if (fresh.length > 0) await load(fresh);
    },
    column(j, fold) {
      const known = loaded.get(j)!;
      return fold === undefined ? known.total : known.folds[fold];
    },
    forget: () => loaded.clear(),
  };
}

/** Σu, Σu² and Σuy of every column, the target among them. */
async function foldSums(data: FoldedData, folds: number): Promise<Sums[]> {
  const { columns } = data.variables;
  const y = variableName(columns);
  const parts = Array.from({ length: folds }, () => ({
    rows: 0,
    sum: new Float64Array(columns + 1),
    squares: new Float64Array(columns + 1),
    target: new Float64Array(columns + 1),
  }));
  const { aggregates: most, columns: width } = data.asker.rows.engine.limits;
  const step = Math.max(1, Math.floor(Math.min((most - 1) / 3, width - 1)));
  for (let from = 0; from <= columns; from += step) {
    const some = Array.from({ length: Math.min(step, columns + 1 - from) }, (_, i) => from + i);
    const aggregates = some.flatMap((j) => {
      const u = variableName(j);
      return [`sum(${u})`, `sum(${u} * ${u})`, `sum(${u} * ${y})`];
    });
    const found = await byFold(data, folds, "sums of columns, by fold", ["count(*)", ...aggregates]);
    found.forEach(([rows, ...own], f) => {
      parts[f].rows = rows;
      some.forEach((j, i) => {
        [parts[f].sum[j], parts[f].squares[j], parts[f].target[j]] = own.slice(3 * i, 3 * i + 3);
      });
    });
  }
  return parts;
}

/** Aggregates of every fold, in their order; a fold without rows has zeros. */
async function byFold(
  { asker, variables, rows: expected, key, seed }: FoldedData,
  folds: number,
  purpose: string,
  aggregates: readonly string[],
): Promise<number[][]> {
  const { engine } = asker.rows;
  const { number } = engine.dialect;
  const all = Array.from({ length: variables.columns + 1 }, (_, j) => j);
  const layers = [{ ...variables.stored(all), s_fold: `(${hashed(engine, key, seed, "fold")} % ${folds})` }];
  const list = ["s_fold", "count(*)", ...aggregates].map((each) => number(each));
  const sql = selectionSql(asker.rows, { layers: usedLayers(layers, list), list, tail: "GROUP BY s_fold" });
  const out = Array.from({ length: folds }, () => aggregates.map(() => 0));
  let rows = 0;
  const types = list.map(() => "number" as const);
  for (const [fold, count, ...values] of (await asker.all(purpose, sql, types)) as number[][]) {
    rows += count;
    out[fold] = values;
  }
  if (rows !== expected) throw changed(engine.name, expected, rows);
  return out;
}
