import { expect, test } from "vitest";
import { KnownSums } from "../../src/engines/known-sums.js";
import { gramQueries, gramTiles } from "../../src/engines/plan/planned.js";

const limits = { aggregates: 20, columns: 10, letters: 1000 };

/** Columns 0 … 9 and the target, 10: squares and products with the target, as a screen gives them. */
function screened(): KnownSums {
  const known = new KnownSums(10);
  for (let j = 0; j <= 10; j++) {
    known.setProduct(j, j, 1);
    known.setProduct(j, 10, 1);
  }
  return known;
}

test("candidates that join are asked about beside the others, and the others not again", () => {
  const known = screened();
  const first = [3, 5, 7, 8, 9, 10];
  const asked = (columns: readonly number[]) => {
    const { fresh, old } = known.parted(columns);
    const pairs = gramTiles(fresh, old, limits).flatMap((tile) => tile.pairs);
    for (const [a, b] of pairs) known.setProduct(a, b, 1);
    return { fresh, pairs, queries: gramQueries(fresh.length, old.length, limits) };
  };
  asked(first);
  expect(asked(first)).toEqual({ fresh: [], pairs: [], queries: 0 });
  // One with a lower number than all others.
  const { fresh, pairs, queries } = asked([1, ...first]);
  expect(fresh).toEqual([1]);
  expect(queries).toBe(1);
  expect(pairs.every(([a, b]) => a === 1 || b === 1 || a === b)).toBe(true);
  // Whatever was asked, all pairs are known now; squares of all were asked again, to see whether they changed.
  const all = [1, ...first];
  for (const a of all) for (const b of all) expect(known.product(a, b)).toBe(1);
  expect(new Set(pairs.filter(([a, b]) => a === b).map(([a]) => a))).toEqual(new Set(all));
});
