/** One suite over every stage: rows by columns and by entries, in memory, on disk, and in the place of the store. */

import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import { referenceKernels } from "../../src/kernels/reference.js";
import { kernelMemory } from "../../src/kernels/wasm.js";
import { Rng } from "../../src/math/rng.js";
import { type ColumnChunk, type ColumnPart, columnRows } from "../../src/store/build/column-rows.js";
import { type EntryPart, entryRows } from "../../src/store/build/entry-rows.js";
import { rowOrder } from "../../src/store/build/order.js";
import { placedStage } from "../../src/store/build/placed/placed-stage.js";
import { memoryStage, type RowLayout, type RowStage } from "../../src/store/build/row-stage.js";
import { spillingStage } from "../../src/store/build/spilling-stage.js";
import { layout } from "../../src/store/layout/layout.js";
import type { SparseChunk } from "../../src/tables/table.js";

const SEED = 3;
const folder = mkdtempSync(join(tmpdir(), "sparrow-stage-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A matrix of which three numbers in four are zero, the last column (the target) never. */
interface Shape {
  readonly rows: number;
  readonly columns: number;
}
function value({ columns }: Shape, row: number, column: number): number {
  if (column < columns - 1 && (row + column) % 4 !== 0) return 0;
  return 1 + ((31 * row + 17 * column) % 1024) / 8;
}

function columnChunk(shape: Shape, first: number, rows: number): ColumnChunk {
  return {
    rows,
    write(space, from) {
      for (let c = 0; c < shape.columns; c++) {
        const out = space.column(c);
        for (let i = 0; i < space.rows; i++) out[i] = value(shape, first + from + i, c);
      }
    },
  };
}

function entryChunk(shape: Shape, first: number, rows: number): SparseChunk {
  const starts = new Uint32Array(rows + 1);
  const columns: number[] = [];
  const values: number[] = [];
  for (let i = 0; i < rows; i++) {
    for (let c = 0; c < shape.columns - 1; c++) {
      const number = value(shape, first + i, c);
      if (number === 0) continue;
      columns.push(c);
      values.push(number);
    }
    starts[i + 1] = columns.length;
  }
  return {
    rows,
    starts,
    columns: Uint32Array.from(columns),
    values: Float64Array.from(values),
    target: Float64Array.from({ length: rows }, (_, i) => value(shape, first + i, shape.columns - 1)),
  };
}

interface Kind<Chunk, Part> {
  readonly name: string;
  rows(columns: number): RowLayout<Chunk, Part>;
  chunk(shape: Shape, first: number, rows: number): Chunk;
  /** How many numbers at the places of a part from `from` on are not those of the given rows. */
  wrong(part: Part, from: number, rows: Uint32Array, shape: Shape): number;
}

const byColumns: Kind<ColumnChunk, ColumnPart> = {
  name: "by columns",
  rows: columnRows,
  chunk: columnChunk,
  wrong(part, from, rows, shape) {
    let wrong = 0;
    const column = new Float32Array(rows.length);
    for (let c = 0; c < shape.columns; c++) {
      part.gather(c, from, from + rows.length, column, 0);
      for (let i = 0; i < rows.length; i++) if (column[i] !== value(shape, rows[i], c)) wrong += 1;
    }
    return wrong;
  },
};

const byEntries: Kind<SparseChunk, EntryPart> = {
  name: "by entries",
  rows: () => entryRows,
  chunk: entryChunk,
  wrong(part, from, rows, shape) {
    let wrong = 0;
    const target = shape.columns - 1;
    rows.forEach((row, i) => {
      const { chunk, row: at } = part.find(from + i);
      let e = chunk.starts[at];
      for (let c = 0; c < target; c++) {
        const found = e < chunk.starts[at + 1] && chunk.columns[e] === c ? chunk.values[e++] : 0;
        if (found !== value(shape, row, c)) wrong += 1;
      }
      if (e !== chunk.starts[at + 1] || chunk.target[at] !== value(shape, row, target)) wrong += 1;
    });
    return wrong;
  },
};

/** Fills a stage chunk by chunk, asks for all rows block by block, and compares them with the definition. */
function check<Chunk, Part>(
  kind: Kind<Chunk, Part>,
  stage: RowStage<Chunk, Part>,
  shape: Shape,
  { chunk, block }: { readonly chunk: number; readonly block: number },
): void {
  const { rows } = shape;
  for (let first = 0; first < rows; first += chunk) {
    stage.append(kind.chunk(shape, first, Math.min(chunk, rows - first)));
  }
  const shuffled = stage.seal();
  expect(shuffled.rows).toBe(rows);
  const order = rowOrder(SEED, rows);
  let done = 0;
  let wrong = 0;
  for (let from = 0; from < rows; from += block) {
    const to = Math.min(rows, from + block);
    shuffled.visit(from, to, (part, first, last) => {
      wrong += kind.wrong(part, first, order.subarray(done, done + last - first), shape);
      done += last - first;
    });
    expect(done).toBe(to);
  }
  expect(wrong).toBe(0);
}

/** In the wide one the trays of most labels are filled and written, of some twice, by columns and by entries. */
const shapes: readonly (Shape & { readonly chunk: number; readonly block: number })[] = [
  { rows: 1, columns: 2, chunk: 1, block: 1 },
  { rows: 97, columns: 3, chunk: 7, block: 97 },
  { rows: 20_011, columns: 5, chunk: 999, block: 701 },
  { rows: 3301, columns: 3201, chunk: 2500, block: 400 },
];

function suite<Chunk, Part>(kind: Kind<Chunk, Part>): void {
  const stages: {
    readonly name: string;
    readonly spills: boolean;
    make(shape: Shape): RowStage<Chunk, Part>;
  }[] = [
    { name: "in memory", spills: false, make: ({ columns }) => memoryStage(kind.rows(columns), SEED) },
    ...[
      { name: "that may spill but need not", limit: () => 1e9 },
      { name: "that spills at once", limit: () => 0 },
      { name: "that spills half-way", limit: ({ rows, columns }: Shape) => rows * columns },
    ].map(({ name, limit }, i) => ({
      name,
      spills: i > 0,
      make: (shape: Shape) => spillingStage(kind.rows(shape.columns), SEED, limit(shape), folder),
    })),
  ];
  describe.each(stages)(`a stage of rows ${kind.name} $name`, ({ spills, make }) => {
    afterEach(() => expect(readdirSync(folder)).toEqual([]));

    it.each(shapes)("gives back $rows rows of $columns columns, whole and in their order", (shape) => {
      const stage = make(shape);
      try {
        check(kind, stage, shape, shape);
        expect(stage.spilled).toBe(spills);
      } finally {
        stage.close();
      }
    });

    it("is left empty by one that is closed before its time", () => {
      const stage = make(shapes[2]);
      stage.append(kind.chunk(shapes[2], 0, 5000));
      stage.close();
    });
  });
}

suite(byColumns);
suite(byEntries);

describe("a stage of rows by columns in the memory of the store", () => {
  it.each(shapes)("gives back $rows rows of $columns columns, whole and in their order", async (shape) => {
    const plan = layout(shape.rows, shape.columns - 1, 300);
    const kernels = async (bytes: number) => referenceKernels(kernelMemory(bytes, false));
    check(byColumns, await placedStage(plan, SEED, { kernels, scratch: 0, threads: 1 }), shape, shape);
  });
});

describe("a stage of rows by entries", () => {
  it("takes rows of any length, longer than what waits for a label too", () => {
    const rng = Rng.seeded(1);
    const lengths = Array.from({ length: 3000 }, (_, i) => (i === 77 ? 20_000 : rng.below(40)));
    const starts = new Uint32Array(3001);
    lengths.forEach((length, i) => {
      starts[i + 1] = starts[i] + length;
    });
    const columns = Uint32Array.from({ length: starts[3000] }, (_, e) => e % 20_000);
    const chunk: SparseChunk = {
      rows: 3000,
      starts,
      columns,
      values: Float64Array.from(columns, (column, e) => column + e / 7),
      target: Float64Array.from(lengths, (_, i) => i),
    };
    const rowsOf = (stage: RowStage<SparseChunk, EntryPart>) => {
      stage.append(chunk);
      const found: { readonly y: number; readonly columns: Uint32Array; readonly values: Float64Array }[] =
        [];
      stage.seal().visit(0, 3000, (part, from, to) => {
        for (let place = from; place < to; place++) {
          const { chunk, row } = part.find(place);
          const [first, last] = [chunk.starts[row], chunk.starts[row + 1]];
          found.push({
            y: chunk.target[row],
            columns: chunk.columns.slice(first, last),
            values: chunk.values.slice(first, last),
          });
        }
      });
      stage.close();
      return found;
    };
    expect(rowsOf(spillingStage(entryRows, SEED, 0, folder))).toEqual(rowsOf(memoryStage(entryRows, SEED)));
  });
});
