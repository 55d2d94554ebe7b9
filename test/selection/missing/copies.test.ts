import { expect, it } from "vitest";
import { run } from "../../../src/index.js";
import { normal } from "../../../src/math/normal.js";
import { Rng } from "../../../src/math/rng.js";
import { comparison, lawConcern } from "../../../src/selection/missing/hidden-entries.js";

const rng = Rng.seeded(5);
const rows = 80;
const x = Array.from({ length: rows }, (_, i) => (i % 7 === 3 ? null : Math.fround(normal(rng))));
const z = Array.from({ length: rows }, (_, i) => (i % 11 === 2 ? null : Math.fround(2 + normal(rng))));
const colour = Array.from({ length: rows }, (_, i) => (i % 9 === 4 ? null : ["red", "green", "blue"][i % 3]));
const y = Array.from({ length: rows }, (_, i) => (x[i] ?? 0) - (z[i] ?? 2) + 0.3 * normal(rng));

it("completed copies are the data in their order with other draws in the holes, and change nothing else", async () => {
  const options = { target: "y", iterations: 12, burnIn: 4 };
  const { result, details } = await run({ x, z, colour, y }, { ...options, imputations: 3 });
  const without = await run({ x, z, colour, y }, options);
  expect(result.variables).toEqual(without.result.variables);
  expect(without.details.imputations).toBeUndefined();
  const copies = details.imputations!().map((table) => {
    const parts = [
      ...(table.chunks(table.columns.map((_, c) => c)) as Iterable<{ columns: Float64Array[] }>),
    ];
    expect(parts.length).toBe(1);
    return Object.fromEntries(
      table.columns.map(({ name, levels }, c) => [
        name,
        Array.from(parts[0].columns[c], (value) => (levels ? levels[value] : value)),
      ]),
    );
  });
  expect(copies.length).toBe(3);
  for (const copy of copies) {
    expect(Object.keys(copy).sort()).toEqual(["colour", "x", "y", "z"]);
    for (const [name, values] of Object.entries({ x, z, colour })) {
      values.forEach((value, i) => {
        if (typeof value === "number") expect(copy[name][i]).toBeCloseTo(value, 5);
        else if (value !== null) expect(copy[name][i]).toBe(value);
        else if (name === "colour") expect(["red", "green", "blue"]).toContain(copy[name][i]);
        else expect(Number.isFinite(copy[name][i])).toBe(true);
      });
    }
  }
  const holes = (copy: (typeof copies)[number]) => copy.x.filter((_, i) => x[i] === null);
  expect(holes(copies[0])).not.toEqual(holes(copies[1]));
});

it("hidden entries are judged by how far off they are for the spread of their draws", () => {
  const draws = 40;
  const judge = (spread: number) => {
    const [sum, squares] = [new Float64Array(4000), new Float64Array(4000)];
    for (let h = 0; h < sum.length; h++) {
      // The truth is a draw of variance 1 around what the draws are around.
      const off = normal(rng);
      for (let d = 0; d < draws; d++) {
        const away = off + spread * normal(rng);
        sum[h] += away;
        squares[h] += away * away;
      }
    }
    return comparison(sum, squares, draws, () => 2);
  };
  const right = judge(1);
  // Five standard errors.
  expect(Math.abs(right.ratio - 1)).toBeLessThan(5 * right.ratioError);
  expect(right.ratioError).toBeLessThan(0.03);
  expect(right.within).toBeGreaterThan(0.93);
  expect(lawConcern(right, 0.3)).toEqual([]);
  const narrow = judge(0.7);
  expect(Math.abs(narrow.ratio - 1 / 0.49)).toBeLessThan(0.15);
  expect(lawConcern(narrow, 0.02)).toEqual([]);
  expect(lawConcern(narrow, 0.12).join()).toMatch(/up to 6% too small/);
  expect(lawConcern(judge(1.6), 0.2).join()).toMatch(/less sure than it could be/);
});
