import { describe, expect, it } from "vitest";
import { Rng } from "../../src/math/rng.js";
import { entryStretch, sparseBlock } from "../../src/store/layout/sparse-block.js";
import { arena, implementations } from "./implementations.js";

const ROWS = 37;
const COLUMNS = 60;

/** A block in which most columns have an entry or two, some many, and every third none. */
function block(rng: Rng) {
  const dense = Array.from({ length: COLUMNS }, () => new Float32Array(ROWS));
  const triplets: { row: number; column: number; value: number }[] = [];
  dense.forEach((column, j) => {
    if (j % 3 === 1) return;
    for (let row = 0; row < ROWS; row++) {
      if (rng.below(j % 10 === 0 ? 2 : 25) > 0) continue;
      column[row] = rng.below(64) / 8 + 1;
      triplets.push({ row, column: j, value: column[row] });
    }
  });
  const words = sparseBlock(
    {
      rows: Uint32Array.from(triplets, ({ row }) => row),
      columns: Uint32Array.from(triplets, ({ column }) => column),
      values: Float32Array.from(triplets, ({ value }) => value),
      count: triplets.length,
    },
    new Uint32Array(COLUMNS),
  );
  return { dense, words };
}

describe.each(implementations)("passes over sparse columns (%s)", (_, make) => {
  it("add what the columns come to when they are spelt out, of some of them that follow each other", async () => {
    const k = await make(1 << 17);
    const rng = Rng.seeded(3);
    const { dense, words } = block(rng);
    // Eight at a time, two, and one.
    const WIDTH = 13;
    const PARTS = 4;
    for (const skew of [0, 4, 12]) {
      const place = arena(k.memory, skew);
      const at = place.uint32(words);
      const numbers = Array.from({ length: WIDTH * ROWS }, () => Math.fround(rng.uniform() - 0.5));
      const panel = place.float32(numbers);
      const turned = place.float32(numbers);
      const parts = Array.from({ length: ROWS }, (_, row) => Math.floor((row * PARTS) / ROWS));
      const partsAt = place.uint32(parts);
      const out = place.float64(new Float64Array(WIDTH * COLUMNS));
      const sums = new Float64Array(k.memory.buffer, out, WIDTH * COLUMNS);
      for (const [first, last] of [
        [0, COLUMNS],
        [1, 2],
        [7, 44],
        [59, 60],
      ]) {
        const stretch = entryStretch(new Uint32Array(k.memory.buffer), at, { first, columns: last - first });
        const { ids, starts, rows, values, count } = stretch;
        const given = [ids, starts, rows, values, count, first] as const;
        const compare = (width: number, wanted: (column: Float32Array) => number[]): void => {
          const all = dense.slice(first, last).flatMap(wanted);
          all.forEach((value, i) => {
            expect(sums[i]).toBeCloseTo(0.25 * i + value, 10);
          });
          expect(all).toHaveLength(width * (last - first));
        };
        const restart = () =>
          sums.forEach((_, i) => {
            sums[i] = 0.25 * i;
          });
        const against = (column: Float32Array, c: number, part?: number): number =>
          column.reduce((sum, value, row) => {
            return part === undefined || parts[row] === part ? sum + value * numbers[c * ROWS + row] : sum;
          }, 0);
        restart();
        k.turn(turned, panel, ROWS, WIDTH, ROWS);
        k.entryDots(out, ...given, turned, WIDTH);
        compare(WIDTH, (column) => Array.from({ length: WIDTH }, (_, c) => against(column, c)));
        restart();
        k.entrySums(out, ...given, panel);
        compare(3, (column) => [
          column.reduce((sum, value) => sum + value, 0),
          column.reduce((sum, value) => sum + value * value, 0),
          against(column, 0),
        ]);
        restart();
        k.entryParts(out, ...given, panel, partsAt, PARTS);
        compare(PARTS, (column) => Array.from({ length: PARTS }, (_, part) => against(column, 0, part)));
      }
    }
  });
});
