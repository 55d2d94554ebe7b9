/** Reads a table once and lays it out: rows shuffled, columns contiguous within blocks, float32. */

import { SparrowError } from "../errors.js";
import type { Kernels } from "../kernels/interface.js";
import { Rng } from "../math/rng.js";
import { shuffle } from "../math/shuffle.js";
import type { Table } from "../sources/table.js";
import { blockOf, firstRow, type Layout, layout, runOffset } from "./layout.js";
import { DATA_START, residentStore, type Store } from "./store.js";

export interface BuildSettings {
  readonly table: Table;
  /** Indices of the predictor columns and of the target in the table. */
  readonly predictors: readonly number[];
  readonly target: number;
  readonly blockRows: number;
  readonly seed: number;
  /** Bytes to leave free behind the data for the threads that will work on it. */
  readonly scratch: number;
  readonly kernels: (bytes: number) => Promise<Kernels>;
  readonly onProgress?: ((rows: number) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** The stream of the generator that shuffles; chains use the streams from 0 up. */
const SHUFFLE_STREAM = 1_000_003;

export async function buildStore(settings: BuildSettings): Promise<Store> {
  const { table, predictors, target } = settings;
  const plan = layout(table.rows, predictors.length, settings.blockRows);
  const kernels = await settings.kernels(DATA_START + plan.bytes + settings.scratch);
  const all = [...predictors, target];
  const shift = new Float64Array(all.length);
  const places = rowPlaces(plan, settings.seed);
  const numbers = new Float32Array(kernels.memory.buffer);

  let done = 0;
  for await (const chunk of table.chunks(all)) {
    settings.signal?.throwIfAborted();
    if (done + chunk.rows > table.rows)
      throw new SparrowError(`${table.name} changed while it was being read.`);
    for (let c = 0; c < all.length; c++) {
      const values = chunk.columns[c];
      if (done === 0) shift[c] = shiftFor(values, chunk.rows);
      const base = (DATA_START + runOffset(plan, 0, c)) / 4;
      const by = shift[c];
      for (let i = 0; i < chunk.rows; i++) {
        const value = Math.fround(values[i] - by);
        if (!(Math.abs(value) < Infinity)) {
          throw badValue(table, all[c], done + i, values[i]);
        }
        numbers[base + places[done + i]] = value;
      }
    }
    done += chunk.rows;
    settings.onProgress?.(done);
  }
  if (done !== table.rows) throw new SparrowError(`${table.name} changed while it was being read.`);
  const names = predictors.map((i) => table.columns[i].name);
  return residentStore({ memory: kernels.memory, layout: plan, names, shift }, kernels);
}

/** Where each row of the table goes: elements from the start of the data to its place in column 0. */
function rowPlaces(plan: Layout, seed: number): Float64Array {
  const order = Uint32Array.from({ length: plan.rows }, (_, i) => i);
  shuffle(Rng.seeded(seed).split(SHUFFLE_STREAM), order);
  const places = new Float64Array(plan.rows);
  for (let row = 0; row < plan.rows; row++) {
    const place = order[row];
    const b = blockOf(plan, place);
    places[row] = runOffset(plan, b, 0) / 4 + place - firstRow(plan, b);
  }
  return places;
}

/** Float32 keeps seven digits: a column that lies far from zero is moved near it first. */
function shiftFor(values: ArrayLike<number>, rows: number): number {
  let mean = 0;
  let m2 = 0;
  for (let i = 0; i < rows; i++) {
    const delta = values[i] - mean;
    mean += delta / (i + 1);
    m2 += delta * (values[i] - mean);
  }
  const far = mean * mean > m2 / rows;
  return Number.isFinite(mean) && far ? mean : 0;
}

function badValue(table: Table, column: number, row: number, value: number): SparrowError {
  const what = Number.isNaN(value)
    ? "has no number (a missing value or NaN)"
    : Math.abs(value) === Infinity
      ? "is infinite"
      : `is ${value}, beyond what single precision holds`;
  return new SparrowError(
    `${table.name}: column "${table.columns[column].name}" ${what} in row ${row + 1}; remove or replace it, or leave the column out with --exclude.`,
  );
}
