import { describe, expect, it } from "vitest";
import { FitMoments, plainFitMoments } from "../../src/kernels/fit-moments.js";
import { normal } from "../../src/math/normal.js";
import { Rng } from "../../src/math/rng.js";

/** The plain form's state, by the names of the other. */
function plainly(y: Float64Array, eta: Float64Array) {
  const state = new Float64Array(15);
  state.fill(Number.NaN, 5, 9);
  state.fill(-1, 10);
  plainFitMoments(state, y, eta);
  const [rows, squares, fourths, , around, least, atLeast, most, atMost, sum, ...largest] = state;
  return {
    ...{ rows, sum, squares, fourths, around },
    least: { value: least, count: atLeast },
    most: { value: most, count: atMost },
    largest: largest.slice(0, rows),
  };
}

const told = ({ rows, sum, squares, fourths, around, least, most, largest }: FitMoments) => {
  return { rows, sum, squares, fourths, around, least, most, largest: [...largest] };
};

describe("how targets lie about their predictors", () => {
  it.each([1, 4, 1000, 10_000])("is said as by the plain form, to the last digit: %i rows", (rows) => {
    const rng = Rng.seeded(rows);
    const eta = Float64Array.from({ length: rows }, () => 2 * normal(rng));
    // Cut off at both ends, so that ends are met again.
    const y = eta.map((mean) => Math.max(-1, Math.min(2, mean + normal(rng))));
    const moments = new FitMoments();
    moments.add(y, eta, rows);
    expect(told(moments)).toEqual(plainly(y, eta));
  });

  it("does not depend on how rows are cut, and two that are looked at in turn do not mix", () => {
    const rng = Rng.seeded(3);
    const [y, eta] = [0, 1].map(() => Float64Array.from({ length: 900 }, () => normal(rng)));
    const [whole, parts, other] = [0, 1, 2].map(() => new FitMoments());
    whole.add(y, eta, 900);
    for (let from = 0; from < 900; from += 300) {
      parts.add(y.subarray(from, from + 300), eta.subarray(from, from + 300), 300);
      other.add([7, 8], [1, 1], 2);
    }
    expect(told(parts)).toEqual(told(whole));
    expect(other.squares).toBe(3 * (36 + 49));
    expect([...other.largest]).toEqual([49, 49, 49, 36, 36]);
  });

  it("knows a target that does not vary, and takes what is no number for none", () => {
    const constant = new FitMoments();
    constant.add([4, 4, 4], [1, 2, 3], 3);
    expect(constant.least).toEqual({ value: 4, count: 3 });
    expect(constant.most).toEqual({ value: 4, count: 3 });
    expect(constant.around).toBe(0);
    const broken = new FitMoments();
    broken.add([1, Number.NaN], [1, 1], 2);
    expect(broken.squares).toBeNaN();
  });
});
