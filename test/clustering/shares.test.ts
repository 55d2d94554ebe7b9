import { expect, it } from "vitest";
import { logTotals, sharedOut } from "../../src/clustering/shares.js";
import { normal } from "../../src/math/normal.js";
import { Rng } from "../../src/math/rng.js";

it("the logs of totals are those that sharing out comes to, to the bit, however far terms are apart", () => {
  const rng = Rng.seeded(4);
  for (const spread of [0.1, 1, 10, 100, 1e6]) {
    const terms = Float64Array.from({ length: 600 }, () => spread * normal(rng) - 700);
    const total = logTotals(terms, 200, 3);
    expect(total).toBe(sharedOut(terms, 200, 3));
  }
  expect(logTotals(Float64Array.of(0, 0), 1, 2)).toBeCloseTo(Math.log(2), 15);
  expect(logTotals(Float64Array.of(Number.NaN, 0), 1, 2)).toBeNaN();
});
