import { expect, it } from "vitest";
import { arrayTable } from "../../src/sources/arrays.js";
import { rowSubset } from "../../src/sources/subset.js";

it("a subset has just the rows that are kept, over chunks of any length", async () => {
  const rows = 10_000;
  const a = Float64Array.from({ length: rows }, (_, i) => i);
  const keep = Uint8Array.from(a, (i) => (i % 3 === 1 || i < 5 ? 1 : 0));
  // The second chunk of the table has no row that is kept.
  keep.fill(0, 4096, 8192);
  const subset = rowSubset(arrayTable({ a, b: a.map((v) => -v) }), keep);
  const found: number[] = [];
  for await (const { rows: n, columns } of subset.chunks([1, 0])) {
    for (let i = 0; i < n; i++) {
      expect(columns[0][i]).toBe(-columns[1][i]);
      found.push(columns[1][i]);
    }
  }
  expect(found).toEqual([...a].filter((i) => keep[i]));
  expect(subset.rows).toBe(found.length);
});
