/** Reads a table by columns: rows with holes are left out where asked for, and numbers become float32. */

import { TargetEvidence } from "../../families/evidence.js";
import { beyondNumbers, FLOAT32_MAX } from "../../tables/read-errors.js";
import type { Chunk, ColumnTable } from "../../tables/table.js";
import type { MissingRule } from "../layout/encoding.js";
import { columnBlocks } from "./column-blocks.js";
import { areTiny, type ColumnFacts, emptyFacts, HEAD_ROWS, onlyValue, shiftOf } from "./column-facts.js";
import type { ColumnStage, Space } from "./column-rows.js";
import { type Imported, type ReadSettings, readTable } from "./read-table.js";
import { targetsApart } from "./targets-apart.js";

export interface ColumnSettings extends ReadSettings {
  readonly table: ColumnTable;
  /** Indices of the predictor columns and of the target in the table. */
  readonly predictors: readonly number[];
  readonly target: number;
  /** What to do about missing predictors; `error` unless said otherwise. */
  readonly missing?: MissingRule | undefined;
  /** Keeps constant columns and takes any number of rows. */
  readonly plain?: boolean | undefined;
}

/** Close the stage when the blocks have been laid out. */
export function readColumns(settings: ColumnSettings, stage: ColumnStage): Promise<Imported> {
  const { table, missing = "error", plain = false } = settings;
  const columns = [...settings.predictors, settings.target];
  const reader = new ColumnReader(table, columns, stage);
  let withoutTarget = 0;
  let withoutPredictor = 0;
  const leftOut = targetsApart();
  return readTable(
    {
      table,
      missing,
      plain,
      chunks: () => table.chunks(columns),
      take(chunk: Chunk, first) {
        const chosen = choose(chunk, missing === "drop");
        withoutTarget += chosen.withoutTarget;
        withoutPredictor += chosen.withoutPredictor;
        if (missing === "drop") leftOut.look(chunk.columns[columns.length - 1], chosen.keep);
        reader.take({ chunk, first, keep: chosen.keep });
      },
      end(rows) {
        reader.settle();
        const { facts, target } = reader;
        return {
          table,
          columns,
          numbered: false,
          reading: { rows, withoutTarget, withoutPredictor, apart: leftOut.apart(), facts, target },
        };
      },
      blocks: (shuffled, encoded, plan) => columnBlocks(shuffled, reader.facts, encoded, plan),
    },
    stage,
    settings,
  );
}

interface Kept {
  readonly chunk: Chunk;
  /** Row of the table at which the chunk starts. */
  readonly first: number;
  /** The rows of the chunk that stay; undefined when all do. */
  readonly keep: Uint32Array | undefined;
}

function choose({ rows, columns }: Chunk, dropMissing: boolean) {
  const gone = new Uint8Array(rows);
  let withoutTarget = 0;
  let withoutPredictor = 0;
  const target = columns[columns.length - 1];
  for (let i = 0; i < rows; i++) if (Number.isNaN(target[i])) gone[i] = 1;
  for (const mark of gone) withoutTarget += mark;
  if (dropMissing) {
    for (let c = 0; c < columns.length - 1; c++) {
      const values = columns[c];
      for (let i = 0; i < rows; i++) {
        if (Number.isNaN(values[i]) && gone[i] === 0) {
          gone[i] = 1;
          withoutPredictor += 1;
        }
      }
    }
  }
  if (withoutTarget + withoutPredictor === 0) return { keep: undefined, withoutTarget, withoutPredictor };
  const keep = new Uint32Array(rows - withoutTarget - withoutPredictor);
  let at = 0;
  for (let i = 0; i < rows; i++) if (gone[i] === 0) keep[at++] = i;
  return { keep, withoutTarget, withoutPredictor };
}

/** Hands rows to the stage, once the first of them have told by how much every column is to be shifted. */
class ColumnReader {
  readonly facts: ColumnFacts[];
  readonly target = new TargetEvidence();
  private readonly isText: boolean[];
  private head: Kept[] | undefined = [];
  private headRows = 0;

  constructor(
    private readonly table: ColumnTable,
    private readonly columns: readonly number[],
    private readonly stage: ColumnStage,
  ) {
    this.facts = columns.map(emptyFacts);
    this.isText = columns.map((c) => table.columns[c].kind === "text");
  }

  take(kept: Kept): void {
    this.lookAtTarget(kept);
    const { chunk, keep } = kept;
    if (!this.head) {
      this.store(kept);
      return;
    }
    // A chunk is good only until the next one comes.
    this.head.push({ ...kept, chunk: copyOf(chunk) });
    this.headRows += keep?.length ?? chunk.rows;
    if (this.headRows >= HEAD_ROWS) this.settle();
  }

  private lookAtTarget({ chunk, keep }: Kept): void {
    const values = chunk.columns[this.columns.length - 1];
    const count = keep ? keep.length : chunk.rows;
    for (let i = 0; i < count; i++) this.target.look(values[keep ? keep[i] : i]);
  }

  /** The shifts are decided. */
  settle(): void {
    const { head, facts } = this;
    if (!head) return;
    facts.forEach((known, c) => {
      if (!this.isText[c]) known.shift = shiftFor(head, c);
    });
    for (const kept of head) this.store(kept);
    this.head = undefined;
  }

  private store(kept: Kept): void {
    const rows = kept.keep ? kept.keep.length : kept.chunk.rows;
    this.stage.append({ rows, write: (space, from) => this.write(kept, space, from) });
  }

  private write({ chunk, first, keep }: Kept, space: Space, from: number): void {
    const { table, columns, facts, isText } = this;
    for (let c = 0; c < columns.length; c++) {
      const out = space.column(c);
      const bad = convert(out, chunk.columns[c], keep, from, facts[c], first);
      if (bad >= 0)
        throw beyondNumbers(
          table.name,
          table.columns[columns[c]].name,
          chunk.columns[c][bad],
          first + bad + 1,
        );
      if (isText[c]) countLevels(facts[c].counts, out);
    }
  }
}

/** All columns in one piece: there may be very many short ones. */
function copyOf({ rows, columns }: Chunk): Chunk {
  const Numbers = columns.every((values) => values instanceof Float32Array) ? Float32Array : Float64Array;
  const all = new Numbers(rows * columns.length);
  const copied = columns.map((values, c) => {
    const own = all.subarray(rows * c, rows * (c + 1));
    if (values.length === rows) own.set(values);
    else for (let i = 0; i < rows; i++) own[i] = values[i];
    return own;
  });
  return { rows, columns: copied };
}

/**
 * out = values − shift in float32 from the value at `from` on, missing values as NaN. Returns the row of a value that
 * float32 cannot hold, or −1.
 */
function convert(
  out: Float32Array,
  values: ArrayLike<number>,
  keep: Uint32Array | undefined,
  from: number,
  facts: ColumnFacts,
  first: number,
): number {
  const by = facts.shift;
  // Nearly always every value is a number: then the sum is one, and that is all there is to know.
  const plain = keep ? Number.NaN : sumOfConverted(out, values, from, by, facts.sum);
  if (Number.isFinite(plain)) facts.sum = plain;
  else {
    for (let i = 0; i < out.length; i++) {
      const row = keep ? keep[from + i] : from + i;
      // Adding 0 turns −0 into 0: equal numbers become equal bytes.
      const value = values[row] - by + 0;
      out[i] = value;
      if (Math.abs(value) <= FLOAT32_MAX) facts.sum += out[i];
      else if (Number.isNaN(value)) {
        if (facts.missing === 0) facts.firstMissing = first + row + 1;
        facts.missing += 1;
      } else return row;
    }
  }
  if (facts.only !== undefined) {
    facts.only = onlyValue(facts.only, out);
    if (facts.only === 0 && !facts.tiny && areTiny(values)) facts.tiny = true;
  }
  return -1;
}

/** out = values − shift in float32; returns sum + Σout: not finite where a value is missing or too large. */
function sumOfConverted(
  out: Float32Array,
  values: ArrayLike<number>,
  from: number,
  by: number,
  sum: number,
): number {
  const count = out.length;
  for (let i = 0; i < count; i++) {
    const value = Math.fround(values[from + i] - by + 0);
    out[i] = value;
    sum += value;
  }
  return sum;
}

function countLevels(counts: number[], codes: Float32Array): void {
  for (const code of codes) if (!Number.isNaN(code)) counts[code] = (counts[code] ?? 0) + 1;
}

function shiftFor(head: readonly Kept[], column: number): number {
  return shiftOf(
    head.map(({ chunk, keep }) => ({
      values: chunk.columns[column],
      count: keep ? keep.length : chunk.rows,
      keep,
    })),
  );
}
