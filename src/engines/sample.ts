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

/**
 * All columns at once; or some at a time, where that would be too much and the rows come in the same order every time:
 * they have names, or no two of them the same hash.
 */
async function* variableRows(
  asker: Asker,
  data: AskedData,
  columns: readonly number[],
  sampled: { readonly seed: number; readonly count: number },
): AsyncIterable<Chunk> {
  const { engine } = asker.rows;
  const isWide = columns.length > engine.limits.columns;
  if (!isWide || !(engine.key || (await areTold(asker, data, sampled)))) {
    yield* someRows(asker, data, columns, sampled);
    return;
  }
  const all: Float64Array[] = [];
  for (let from = 0; from < columns.length; from += engine.limits.columns) {
    const some = columns.slice(from, from + engine.limits.columns);
    const held = some.map(() => new Float64Array(sampled.count));
    let done = 0;
    for await (const chunk of someRows(asker, data, some, sampled)) {
      held.forEach((values, c) => {
        const own = chunk.columns[c] as Float64Array;
        values.set(own.subarray(0, chunk.rows), done);
      });
      done += chunk.rows;
    }
    all.push(...held);
  }
  yield { rows: sampled.count, columns: all };
}

/** Whether the rows of the sample have a hash each. */
async function areTold(
  asker: Asker,
  { key }: AskedData,
  { seed, count }: { readonly seed: number; readonly count: number },
): Promise<boolean> {
  const hash = hashed(asker.rows.engine, key, seed, "sample");
  const [different] = await asker.sums("whether the rows of the sample can be told apart", {
    layers: [],
    aggregates: [`count(DISTINCT ${hash})`],
  });
  return different === count;
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
  for await (const chunk of asker.stream("a sample of rows", sql, types, count)) yield chunk as Chunk;
}
