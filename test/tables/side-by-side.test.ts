import { expect, it } from "vitest";
import { sideBySide } from "../../src/tables/duckdb/side-by-side.js";
import type { Chunk } from "../../src/tables/table.js";

/** Counts its rows in every column, cut as told, and tells when it is given up. */
async function* counting(
  cuts: readonly number[],
  columns: readonly number[],
  onEnd = () => {},
): AsyncIterable<Chunk> {
  let first = 0;
  try {
    for (const rows of cuts) {
      yield {
        rows,
        columns: columns.map((c) => Float32Array.from({ length: rows }, (_, i) => 100 * c + first + i)),
      };
      first += rows;
    }
  } finally {
    onEnd();
  }
}

it("puts the columns of several readers together row by row, wherever their chunks end", async () => {
  const rows: number[][] = [];
  const readers = [counting([4, 4, 2], [0, 1]), counting([3, 1, 6], [2]), counting([10], [3])];
  for await (const chunk of sideBySide(readers)) {
    for (let i = 0; i < chunk.rows; i++) rows.push(chunk.columns.map((values) => Number(values[i])));
  }
  expect(rows).toEqual(Array.from({ length: 10 }, (_, i) => [i, 100 + i, 200 + i, 300 + i]));
});

it("gives every reader up when somebody stops early, and passes errors on", async () => {
  let ended = 0;
  const readers = () => [0, 1].map((c) => counting([2, 2], [c], () => (ended += 1)));
  for await (const _ of sideBySide(readers())) break;
  expect(ended).toBe(2);
  const failing = async function* (): AsyncIterable<Chunk> {
    yield { rows: 1, columns: [[0]] };
    throw new Error("gone");
  };
  const all = async () => {
    for await (const _ of sideBySide([...readers(), failing()]));
  };
  await expect(all()).rejects.toThrow("gone");
  expect(ended).toBe(4);
});
