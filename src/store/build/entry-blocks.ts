/** Blocks of rows of entries: columns that are mostly filled become dense. */

import { firstRow, rowsIn } from "../layout/layout.js";
import { assembledBlocks, type BlockNumbers, type Blocks, type Places } from "./blocks.js";
import { Shift } from "./column-facts.js";
import type { EntryFacts } from "./entry-facts.js";
import type { EntryPart, EntryRow } from "./entry-rows.js";
import type { BlockSettings } from "./read-table.js";
import type { Shuffled } from "./row-stage.js";

/** A column with entries in more than this share of the rows is dense: eight bytes an entry against four a row. */
const DENSE_SHARE = 0.5;

/** `columns` are those of the table that have become variables, in order. */
export function entryBlocks(
  shuffled: Shuffled<EntryPart>,
  facts: EntryFacts,
  columns: readonly number[],
  { names, blockRows }: BlockSettings,
): Blocks {
  const isSparse = (j: number) => facts.entriesOf(columns[j]) <= DENSE_SHARE * facts.rows;
  return assembledBlocks({ rows: shuffled.rows, blockRows, names, isSparse }, (places) =>
    entryNumbers(shuffled, facts, columns, places),
  );
}

function entryNumbers(
  shuffled: Shuffled<EntryPart>,
  facts: EntryFacts,
  columns: readonly number[],
  { layout, slots, dense }: Places,
): BlockNumbers {
  const { stride } = layout;
  /** Of every column of the table: 0 if unused, 1 + its run if dense, −1 − its number if sparse. */
  const places = new Int32Array(facts.columns);
  columns.forEach((j, i) => {
    places[j] = slots[i] >= 0 ? slots[i] + 1 : slots[i];
  });
  const runShift = denseShifts(facts, places, dense);
  const matrix = new Float32Array((dense + 1) * stride);
  let triplets = room(0);
  let at = -1;

  /** Spells a block out: its dense columns in `matrix`, its sparse entries in `triplets`. */
  const load = (block: number): void => {
    if (block === at) return;
    at = block;
    const count = rowsIn(layout, block);
    for (let run = 0; run < dense; run++) {
      matrix.fill(0 - runShift[run], run * stride, run * stride + count);
    }
    let needed = 0;
    const found: EntryRow[] = [];
    shuffled.visit(firstRow(layout, block), firstRow(layout, block + 1), (part, first, last) => {
      for (let place = first; place < last; place++) {
        const entry = part.find(place);
        needed += entry.chunk.starts[entry.row + 1] - entry.chunk.starts[entry.row];
        found.push(entry);
      }
    });
    if (needed > triplets.rows.length) triplets = room(Math.ceil(1.2 * needed));
    const { rows: outRows, columns: outColumns, values: outValues } = triplets;
    let filled = 0;
    for (let i = 0; i < count; i++) {
      const { chunk, row } = found[i];
      const { columns: ids, values, starts } = chunk;
      matrix[dense * stride + i] = chunk.target[row] - runShift[dense];
      const end = starts[row + 1];
      for (let e = starts[row]; e < end; e++) {
        const place = places[ids[e]];
        if (place < 0) {
          outRows[filled] = i;
          outColumns[filled] = -1 - place;
          outValues[filled++] = values[e];
        } else if (place > 0) matrix[(place - 1) * stride + i] = values[e] - runShift[place - 1];
      }
    }
    triplets.count = filled;
  };
  return {
    shift: Float64Array.from(slots, (slot) => (slot >= 0 ? runShift[slot] : 0)),
    asRead: false,
    byBlock: true,
    run(block, run, out, to) {
      load(block);
      out.set(matrix.subarray(run * stride, run * stride + rowsIn(layout, block)), to);
    },
    triplets(block) {
      load(block);
      return triplets;
    },
  };
}

function room(entries: number) {
  return {
    rows: new Uint32Array(entries),
    columns: new Uint32Array(entries),
    values: new Float32Array(entries),
    count: 0,
  };
}

/** As for tables by columns: decided on the first rows. The target's comes last. */
function denseShifts({ head }: EntryFacts, places: Int32Array, dense: number): Float64Array {
  const shifts = Array.from({ length: dense + 1 }, () => new Shift());
  const row = new Float64Array(dense + 1);
  for (const { rows, starts, columns, values, target } of head) {
    // A shift takes no more than its share of rows.
    for (let i = 0; i < rows; i++) {
      row.fill(0);
      row[dense] = target[i];
      for (let e = starts[i]; e < starts[i + 1]; e++) {
        if (places[columns[e]] > 0) row[places[columns[e]] - 1] = values[e];
      }
      shifts.forEach((shift, run) => {
        shift.look(row[run]);
      });
    }
  }
  return Float64Array.from(shifts, ({ value }) => value);
}
