/**
 * Rows at hand: a sample by the hash of a row's key and the seed, so that the same table gives the same rows, in the same
 * order, however many machines it lies on. They come as variables, numbers already.
 */

import { SparrowError } from "../errors.js";
import type { FamilyName } from "../families/register.js";
import type { Sample } from "../selection/data/read.js";
import { screenStore } from "../selection/data/screen-store.js";
import { columnRows } from "../store/build/column-rows.js";
import { layOut } from "../store/build/lay-out.js";
import { readColumns } from "../store/build/read-columns.js";
import type { BlockRows } from "../store/build/read-table.js";
import { memoryStage } from "../store/build/row-stage.js";
import type { Surroundings } from "../store/open/room.js";
import type { Chunk, ColumnTable } from "../tables/table.js";
import { localPool } from "../workers/pool.js";
import type { Asker } from "./asker.js";
import { HASHES } from "./engine.js";
import { areTold, inBlocks } from "./in-blocks.js";
import { PURPOSES, sampleQueries } from "./plan/planned.js";
import { where } from "./question.js";
import { type AskedData, hashed } from "./reading/read.js";

/** A search looks at no more rows than this at a time, five times over. */
const MOST_ROWS = 100_000;
/** The share of the memory that they may take up, as they come and as they are kept. */
const SHARE = 0.1;
const LEAST_ROWS = 2000;

export function sampleSize(rows: number, columns: number, memory: number): number {
  const affordable = Math.floor((SHARE * memory) / (8 * (columns + 1)));
  return Math.min(rows, Math.max(LEAST_ROWS, Math.min(MOST_ROWS, affordable)));
}

export interface SampleSettings {
  readonly seed: number;
  readonly rows: number;
  readonly family: FamilyName;
  readonly blockRows: BlockRows;
  readonly signal?: AbortSignal | undefined;
}

export async function sampleOf(
  data: AskedData,
  settings: SampleSettings,
  { kernels, threads, scratch }: Surroundings,
): Promise<Sample> {
  const table = await sampledVariables(data, settings);
  const columns = table.columns.length;
  const { seed, family, blockRows, signal } = settings;
  const stage = memoryStage(columnRows(columns), seed);
  try {
    const predictors = Array.from({ length: columns - 1 }, (_, j) => j);
    const imported = await readColumns(
      { table, predictors, target: columns - 1, seed, family, plain: true, blockRows, signal },
      stage,
    );
    const store = await layOut(imported, kernels, scratch * threads);
    return { store, target: imported.target, screen: await screenStore(store, localPool(store)) };
  } finally {
    stage.close();
  }
}

/** The condition that picks about so many of so many rows; none where all are wanted. */
export function picking(
  data: Pick<AskedData, "asker" | "key">,
  wanted: number,
  of: number,
  seed: number,
): string[] {
  const { engine } = data.asker.rows;
  return wanted >= of
    ? []
    : [`${hashed(engine, data.key, seed, "sample")} < ${Math.round((wanted / of) * HASHES)}`];
}

async function sampledVariables(
  data: AskedData,
  { seed, rows: wanted }: SampleSettings,
): Promise<ColumnTable> {
  const { asker, names, rows } = data;
  const { engine, conditions } = asker.rows;
  const picked = asker.about({ engine, conditions: [...conditions, ...picking(data, wanted, rows, seed)] });
  const [count] = await picked.sums("how many rows the sample has", { layers: [], aggregates: ["count(*)"] });
  if (count < 3) {
    throw new SparrowError(
      `A sample of ${wanted} rows of ${engine.name} came to ${count}: its rows cannot be told apart by their values; give it a column that names them.`,
    );
  }
  return {
    by: "columns",
    name: engine.name,
    // A target may have the name of a variable only if nobody asks by names.
    columns: [...names.map((name) => ({ name })), { name: data.encoded.encoding.target.column }],
    rows: count,
    chunks: (wantedColumns) => variableRows(picked, data, wantedColumns, { seed, count }),
  };
}

/** All columns at once, or in blocks where they are many. */
async function* variableRows(
  asker: Asker,
  data: AskedData,
  columns: readonly number[],
  sampled: { readonly seed: number; readonly count: number },
): AsyncIterable<Chunk> {
  const { engine } = asker.rows;
  const width = engine.limits.columns;
  const rowsOf = (some: readonly number[]) => someRows(asker, data, some, sampled);
  const hash = hashed(engine, data.key, sampled.seed, "sample");
  const isOne = columns.length <= width || !(await areTold(asker, hash, sampled.count));
  asker.plan(PURPOSES.sample, isOne ? 1 : sampleQueries(columns.length, engine.limits));
  if (isOne) yield* rowsOf(columns);
  else yield* inBlocks(columns, width, sampled.count, rowsOf) as AsyncIterable<Chunk>;
}

async function* someRows(
  asker: Asker,
  { expressions, key }: AskedData,
  columns: readonly number[],
  { seed, count }: { readonly seed: number; readonly count: number },
): AsyncIterable<Chunk> {
  const { engine, conditions } = asker.rows;
  const list = columns.map((c) => engine.dialect.number(expressions[c])).join(", ");
  const order = [hashed(engine, key, seed, "sample"), ...(engine.key ?? [])].join(", ");
  const sql = `SELECT ${list} FROM ${engine.table}${where(conditions)} ORDER BY ${order}`;
  const types = columns.map(() => "number" as const);
  for await (const chunk of asker.stream(PURPOSES.sample, sql, types, count)) yield chunk as Chunk;
}
