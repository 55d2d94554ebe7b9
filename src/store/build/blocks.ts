/** The numbers of every block, ready to be laid out in memory or written to a file. */

import type { Encoded } from "./encode.js";
import { firstRow, type Layout, layout, rowsIn } from "../layout/layout.js";
import type { ColumnFacts } from "./reading.js";
import { sparseBlock } from "../layout/sparse-block.js";
import type { Shuffled } from "./stage.js";

export interface Blocks {
  readonly layout: Layout;
  readonly names: readonly string[];
  /** Per column and, last, of the target. */
  readonly shift: Float64Array;
  /** As in `SparsePart`; undefined when every column is dense. */
  readonly slots: Int32Array | undefined;
  /** Whether the runs are the columns as they were read, in their order: nothing left out, filled in or split up. */
  readonly asRead?: boolean;
  /** Whether it is better to ask for all runs of a block than for a run of all blocks. */
  readonly byBlock?: boolean;
  /** Writes a run of a block into `out` at `at`. */
  run(block: number, run: number, out: Float32Array, at: number): void;
  /** The sparse part of a block, as `sparseBlock` lays it out. */
  sparse(block: number): Uint32Array;
}

/** Staged rows of a dense table: its texts become sparse columns, or dense ones where holes are to be drawn. */
export function encodedBlocks(
  shuffled: Shuffled,
  facts: readonly ColumnFacts[],
  encoded: Encoded,
  names: readonly string[],
  blockRows: number,
): Blocks {
  const { sources, success } = encoded;
  const columns = sources.length;
  const fills = encoded.encoding.columns.flatMap((code) =>
    code.kind === "text" ? code.levels.map(() => undefined) : [code.fill],
  );
  const runs = sources
    .map((source, j) => ({ ...source, fill: fills[j] }))
    .filter(({ level, open }) => level === undefined || open);
  const plan = layout(shuffled.rows, columns, blockRows, runs.length);
  const target = facts.length - 1;
  const shift = new Float64Array(columns + 1);
  const slots = new Int32Array(columns + 1);
  /** Of every staged text: from a level's code to its number among the sparse columns. */
  const indicators = new Map<number, Int32Array>();
  let dense = 0;
  let sparse = 0;
  sources.forEach(({ staged, level, open }, j) => {
    if (level === undefined) shift[j] = facts[staged].shift;
    if (level === undefined || open) {
      slots[j] = dense++;
      return;
    }
    slots[j] = -1 - sparse;
    const codes = indicators.get(staged) ?? new Int32Array(facts[staged].counts.length).fill(-1);
    codes[level] = sparse++;
    indicators.set(staged, codes);
  });
  slots[columns] = dense;
  shift[columns] = success === undefined ? facts[target].shift : 0;

  const tally = new Uint32Array(sparse);
  const codes = new Float32Array(plan.stride);
  const room = plan.stride * indicators.size;
  const triplets = {
    rows: new Uint32Array(room),
    columns: new Uint32Array(room),
    values: new Float32Array(room).fill(1),
    count: 0,
  };
  return {
    layout: plan,
    names,
    shift,
    slots: sparse > 0 ? slots : undefined,
    asRead:
      columns === target &&
      sources.every(({ staged, level }, j) => staged === j && level === undefined) &&
      fills.every((fill) => fill === undefined),
    run(block, run, out, at) {
      const count = rowsIn(plan, block);
      const from = firstRow(plan, block);
      if (run === dense) {
        shuffled.gather(target, from, from + count, out, at);
        if (success !== undefined) for (let i = at; i < at + count; i++) out[i] = out[i] === success ? 1 : 0;
        return;
      }
      const { staged, level, fill } = runs[run];
      shuffled.gather(staged, from, from + count, out, at);
      if (level !== undefined) {
        for (let i = at; i < at + count; i++) if (!Number.isNaN(out[i])) out[i] = out[i] === level ? 1 : 0;
        return;
      }
      if (fill === undefined) return;
      for (let i = at; i < at + count; i++) if (Number.isNaN(out[i])) out[i] = fill - facts[staged].shift;
    },
    sparse(block) {
      const from = firstRow(plan, block);
      const count = rowsIn(plan, block);
      triplets.count = 0;
      for (const [staged, numberOf] of indicators) {
        shuffled.gather(staged, from, from + count, codes, 0);
        for (let i = 0; i < count; i++) {
          const column = Number.isNaN(codes[i]) ? -1 : numberOf[codes[i]];
          if (column < 0) continue;
          triplets.rows[triplets.count] = i;
          triplets.columns[triplets.count++] = column;
        }
      }
      return sparseBlock(triplets, tally);
    },
  };
}
