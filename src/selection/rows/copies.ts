/**
 * Rows that are copies of others in the target and every predictor. Rows of few categories, or of whole numbers, repeat
 * themselves by coincidence; so columns of many values are wanted, and copies stay copies whichever of these is looked
 * at last.
 */

import { firstRow } from "../../store/layout/layout.js";
import type { Store } from "../../store/store.js";
import { RowHashes } from "./row-hashes.js";

export interface Copies {
  readonly rows: number;
  /** Those of them that repeat another. */
  readonly copies: number;
}

/**
 * Rows and columns by which it is decided whether all are looked at, and numbers that these may be: so many times √N rows
 * that dozens of pairs would be among them; and a few of the columns first, which mostly tell all rows apart.
 */
const SAMPLED_ROWS = { most: 20_000, least: 1000, times: 20 };
const SAMPLED_COLUMNS = 24;
const FIRST_COLUMNS = 4;
const MOST_NUMBERS = 2e8;
/** The share of copies that is worth a word. */
const MANY = 0.2;
/** Columns in which two rows seldom hold the same, and how many of them it takes. */
const [DIVERSE, ENOUGH_DIVERSE] = [0.1, 3];
/** Rows that a row would be like if columns had nothing to do with each other. */
const COINCIDENCES = 1e-3;
/** Of rows that are alike in all other columns so many are alike in this one as well. */
const ALIKE = 0.95;

/** Undefined where there are few, or they may be coincidences. */
export function copiesOf(store: Store): Copies | undefined {
  const { layout } = store;
  const { rows, columns } = layout;
  if (rows * (columns + 1) > MOST_NUMBERS) return undefined;
  const step = Math.ceil(columns / SAMPLED_COLUMNS);
  const some = [...Array.from({ length: Math.ceil(columns / step) }, (_, i) => i * step), columns];
  const blocks = fewBlocks(store);
  const few = [...some.filter((_, i) => i % Math.ceil(some.length / FIRST_COLUMNS) === 0), columns];
  const quick = hashed(store, few, blocks);
  if (quick.first().length === quick.rows) return undefined;
  const sampled = hashed(store, some, blocks);
  const first = sampled.first();
  if (first.length === sampled.rows) return undefined;
  const diverse = some
    .map((column) => ({ column, same: sameness(store, column, first) }))
    .filter(({ same }) => same < DIVERSE)
    .sort((a, b) => a.same - b.same);
  const coincidences = rows * diverse.reduce((product, { same }) => product * same, 1);
  if (diverse.length < ENOUGH_DIVERSE || coincidences > COINCIDENCES) return undefined;
  const all = Array.from({ length: columns + 1 }, (_, j) => j);
  const whole = hashed(store, all, layout.blocks);
  const copies = whole.repeated();
  const last = diverse.filter(({ column }, i) => i < ENOUGH_DIVERSE || column === columns);
  const areCopies = copies >= MANY * rows && last.every(({ column }) => copies >= ALIKE * without(column));
  return areCopies ? { rows, copies } : undefined;

  function without(column: number): number {
    return whole.copy().take(column, -1).repeated();
  }
}

function hashed(store: Store, columns: readonly number[], blocks: number): RowHashes {
  const hashes = new RowHashes(store, blocks);
  for (const column of columns) hashes.take(column);
  return hashes;
}

/** Blocks that hold so many rows: a sample, since rows were shuffled. */
function fewBlocks({ layout }: Store): number {
  const { most, least, times } = SAMPLED_ROWS;
  const wanted = Math.min(most, Math.max(least, times * Math.sqrt(layout.rows)));
  let blocks = 1;
  while (blocks < layout.blocks && firstRow(layout, blocks) < wanted) blocks += 1;
  return blocks;
}

/** How probable it is that two of these rows hold the same, said rather too large than too small. */
function sameness(store: Store, column: number, rows: readonly number[]): number {
  const inBlock = firstRow(store.layout, 1);
  const values = new Float32Array(store.kernels.memory.buffer, store.run(0, column), inBlock);
  const held = Float32Array.from(
    rows.filter((row) => row < inBlock),
    (row) => values[row],
  ).sort();
  let [same, streak] = [0, 0];
  for (let i = 1; i < held.length; i++) {
    streak = held[i] === held[i - 1] ? streak + 1 : 0;
    same += streak;
  }
  return (same + 1) / ((held.length * (held.length - 1)) / 2 + 1);
}
