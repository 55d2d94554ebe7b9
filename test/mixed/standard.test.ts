import { describe, expect, it } from "vitest";
import { normal } from "../../src/math/normal.js";
import { choleskyInPlace } from "../../src/math/packed.js";
import { Rng } from "../../src/math/rng.js";
import { layoutOf, natural, thetaOf } from "../../src/mixed/model/chart.js";
import { addRow, emptyCrossProducts } from "../../src/mixed/model/crossproducts.js";
import { marginalMixed } from "../../src/mixed/model/marginal.js";
import { standard } from "../../src/mixed/standard.js";

const rng = Rng.seeded(1);
const data = emptyCrossProducts(["(intercept)", "year", "dose"], "y", ["a", "b", "c", "d"]);
for (let i = 0; i < 40; i++) {
  const [year, dose] = [2000 + 7 * normal(rng), 0.02 * normal(rng)];
  addRow(data, i % 4, [1, year, dose, 500 + 3 * (year - 2000) + 800 * dose + 20 * normal(rng)]);
}

describe.each([
  { fixed: [0, 1, 2], random: [0, 1] },
  { fixed: [0, 1], random: [0, 2, 1] },
  { fixed: [1, 2], random: [0, 1] },
  { fixed: [0, 2], random: [1] },
])("standard coordinates of %o", (roles) => {
  const design = { columns: data.columns, ...roles };
  const layout = layoutOf(design);
  const scaled = standard(data, design);
  const model = marginalMixed(design);
  const units = Uint32Array.of(0, 1, 2, 3);
  const likelihood = (theta: Float64Array, source: typeof data): number =>
    model.logJoint(theta, null, { data: source, units, weight: 1 }) -
    model.logJoint(theta, null, { data: source, units: Uint32Array.of(), weight: 1 });

  it("describe the same model: log-likelihoods differ by a constant", () => {
    const p = roles.fixed.length;
    const differences = Array.from({ length: 5 }, () => {
      const theta = Float64Array.from({ length: layout.size }, () => 0.5 * normal(rng));
      const there = scaled.toData(natural(layout, theta));
      const factor = there.slice(p + 1).map((value) => value / there[p]);
      expect(choleskyInPlace(factor, 0, roles.random.length)).toBe(true);
      const back = thetaOf(layout, there.slice(0, p), there[p], factor);
      return likelihood(theta, scaled.data) - likelihood(back, data);
    });
    for (const difference of differences) expect(difference).toBeCloseTo(differences[0], 4);
  });

  it("give columns of unit spread", () => {
    const total = scaled.data.values;
    const sums = (at: number): number =>
      [0, 1, 2, 3].reduce((sum, i) => sum + total[i * data.stride + at], 0);
    // Elements of the packed triangle of [1, year, dose, y].
    for (const [sum, square] of [
      [1, 2],
      [3, 5],
      [6, 9],
    ]) {
      expect(sums(square) / 40 - (sums(sum) / 40) ** 2).toBeCloseTo(1, 6);
    }
  });
});
