/** Blocks of rows by columns: texts become sparse columns, or dense ones where holes are to be drawn. */

import { firstRow, rowsIn } from "../layout/layout.js";
import { assembledBlocks, type BlockNumbers, type Blocks, type Places } from "./blocks.js";
import type { ColumnFacts } from "./column-facts.js";
import type { ColumnPart } from "./column-rows.js";
import type { Encoded, VariableSource } from "./encode.js";
import type { BlockSettings } from "./read-table.js";
import type { Shuffled } from "./row-stage.js";

export function columnBlocks(
  shuffled: Shuffled<ColumnPart>,
  facts: readonly ColumnFacts[],
  encoded: Encoded,
  { names, blockRows }: BlockSettings,
): Blocks {
  const isSparse = (j: number) => hasIndicator(encoded.sources[j]);
  return assembledBlocks({ rows: shuffled.rows, blockRows, names, isSparse }, (places) =>
    columnNumbers(shuffled, facts, encoded, places),
  );
}

/** Whether a variable is 1 in some rows and 0, which is not stored, in the others. */
function hasIndicator({ level, open }: VariableSource): boolean {
  return level !== undefined && !open;
}

function columnNumbers(
  shuffled: Shuffled<ColumnPart>,
  facts: readonly ColumnFacts[],
  { encoding, sources, success }: Encoded,
  { layout, slots, dense }: Places,
): BlockNumbers {
  const columns = sources.length;
  const target = facts.length - 1;
  const fills = encoding.columns.flatMap((code) =>
    code.kind === "text" ? code.levels.map(() => undefined) : [code.fill],
  );
  const shift = new Float64Array(columns + 1);
  const runs: { readonly staged: number; readonly level?: number; readonly fill: number | undefined }[] = [];
  /** Of every staged text: from a level's code to its number among the sparse columns. */
  const indicators = new Map<number, Int32Array>();
  sources.forEach((source, j) => {
    const { staged, level } = source;
    if (level === undefined) shift[j] = facts[staged].shift;
    if (!hasIndicator(source)) runs.push({ ...source, fill: fills[j] });
    else if (level !== undefined) {
      const numbers = indicators.get(staged) ?? new Int32Array(facts[staged].counts.length).fill(-1);
      numbers[level] = -1 - slots[j];
      indicators.set(staged, numbers);
    }
  });
  shift[columns] = success === undefined ? facts[target].shift : 0;

  /** A staged column of a block. */
  const gather = (staged: number, block: number, out: Float32Array, at: number): void => {
    let to = at;
    shuffled.visit(firstRow(layout, block), firstRow(layout, block + 1), (part, first, last) => {
      part.gather(staged, first, last, out, to);
      to += last - first;
    });
  };
  const codes = new Float32Array(layout.stride);
  const room = layout.stride * indicators.size;
  const triplets = {
    rows: new Uint32Array(room),
    columns: new Uint32Array(room),
    values: new Float32Array(room).fill(1),
    count: 0,
  };
  return {
    shift,
    asRead:
      columns === target &&
      sources.every(({ staged, level }, j) => staged === j && level === undefined) &&
      fills.every((fill) => fill === undefined),
    byBlock: false,
    run(block, run, out, at) {
      const end = at + rowsIn(layout, block);
      if (run === dense) {
        gather(target, block, out, at);
        if (success !== undefined) for (let i = at; i < end; i++) out[i] = out[i] === success ? 1 : 0;
        return;
      }
      const { staged, level, fill } = runs[run];
      gather(staged, block, out, at);
      if (level !== undefined) {
        for (let i = at; i < end; i++) if (!Number.isNaN(out[i])) out[i] = out[i] === level ? 1 : 0;
        return;
      }
      if (fill === undefined) return;
      for (let i = at; i < end; i++) if (Number.isNaN(out[i])) out[i] = fill - facts[staged].shift;
    },
    triplets(block) {
      const count = rowsIn(layout, block);
      triplets.count = 0;
      for (const [staged, numbers] of indicators) {
        gather(staged, block, codes, 0);
        for (let i = 0; i < count; i++) {
          const column = Number.isNaN(codes[i]) ? -1 : numbers[codes[i]];
          if (column < 0) continue;
          triplets.rows[triplets.count] = i;
          triplets.columns[triplets.count++] = column;
        }
      }
      return triplets;
    },
  };
}
