import { expect, test } from "vitest";
import { normal } from "../../src/math/normal.js";
import { Rng } from "../../src/math/rng.js";
import { HoleLaw, HoleLaws } from "../../src/models/observed.js";

test("rows with more kinds of holes than laws are kept have their own laws still", () => {
  const rng = Rng.seeded(1);
  const [d, rows] = [30, 1500];
  // Means, the diagonal of U, and what is beside it.
  const params = Float64Array.from({ length: 2 * d + (d * (d - 1)) / 2 }, () => 0.1 * normal(rng));
  for (let j = 0; j < d; j++) params[d + j] = Math.exp(params[d + j]);
  const shape = { d, full: true };
  const values = Float64Array.from({ length: d * rows }, () =>
    rng.uniform() < 0.3 ? Number.NaN : normal(rng),
  );
  const laws = new HoleLaws(params, shape);
  const [ours, alone] = [new Float64Array(d), new Float64Array(d)];
  for (const i of [0, 700, rows - 1, 3, rows - 1]) {
    for (let r = 0; r < rows && i === 0; r++) laws.of(values, r * d);
    laws.of(values, i * d).fill(ours, values, i * d);
    new HoleLaw(params, shape, values, i * d).fill(alone, values, i * d);
    expect(ours).toEqual(alone);
    expect(ours.some(Number.isNaN)).toBe(false);
  }
});
