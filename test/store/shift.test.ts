import { describe, expect, it } from "vitest";
import { normal } from "../../src/math/normal.js";
import { Rng } from "../../src/math/rng.js";
import { HEAD_ROWS, Shift, shiftOf } from "../../src/store/build/column-facts.js";

/** By the running mean and variance alone. */
function withoutGlance(values: readonly number[]): number {
  const shift = new Shift();
  for (const value of values) shift.look(value);
  return shift.value;
}

describe("the shift of a column", () => {
  const rng = Rng.seeded(1);
  const draws = Array.from({ length: 1500 }, () => normal(rng));
  const cases: Record<string, readonly number[]> = {
    "about zero": draws,
    "whose mean is about its spread": draws.map((x) => x + 1),
    "just on either side of that": draws.map((x) => x + 0.97),
    "far from zero": draws.map((x) => 1e6 + x),
    "all alike": draws.map(() => 7),
    "all zero": draws.map(() => 0),
    "with a hole first": [Number.NaN, ...draws],
    "with holes, far from zero": draws.map((x, i) => (i % 3 === 0 ? Number.NaN : 50 + x)),
    "with squares beyond all numbers": draws.map((x) => 1e200 * (1 + x)),
    "infinite in a place": draws.map((x, i) => (i === 5 ? Number.POSITIVE_INFINITY : x)),
    "that begins about zero and goes far beyond what is looked at": draws.map((x, i) =>
      i < HEAD_ROWS ? x : 1e9,
    ),
    "of one number": [3],
    "of none": [],
  };
  it.each(Object.entries(cases))(
    "of numbers %s is that of their mean and variance, in any stretches",
    (_, values) => {
      const expected = withoutGlance(values);
      expect(shiftOf([{ values, count: values.length }])).toBe(expected);
      const half = values.length >> 1;
      const [first, last] = [values.slice(0, half), values.slice(half)];
      const keep = Uint32Array.from(last.keys());
      expect(
        shiftOf([
          { values: first, count: half },
          { values: last, count: last.length, keep },
        ]),
      ).toBe(expected);
    },
  );
});
