import { expect, it } from "vitest";
import { Rng } from "../../src/math/rng.js";
import { layoutOf } from "../../src/mixed/model/chart.js";
import { effects } from "../../src/mixed/model/effects.js";
import { mixed } from "../../src/mixed/model/joint.js";
import { simulatedUnits } from "../models/simulated-units.js";

const data = simulatedUnits(Rng.seeded(4), {
  units: 3,
  rows: (i) => [0, 1, 9][i],
  beta: [1, -0.5, 0.3],
  sd: [0.8, 0.5],
  noise: 0.7,
});
const design = { columns: data.columns, fixed: [0, 2], random: [0, 1] };
const theta = Float64Array.of(0.7, 0.2, -0.3, 0.1, 0.4, -0.2);
const batch = { data, units: Uint32Array.of(2, 0, 1), weight: 1 };

it("draws random effects with the moments that the joint density implies", () => {
  const kernel = effects(layoutOf(design));
  const rng = Rng.seeded(5);
  const z = kernel.init(rng, theta);
  kernel.enter(z, theta, batch);
  const draws = 40_000;
  const mean = new Float64Array(6);
  const square = new Float64Array(6 * 6);
  for (let t = 0; t < draws; t++) {
    kernel.step(rng, z, theta, batch);
    for (let j = 0; j < 6; j++) {
      mean[j] += z.values[j] / draws;
      for (let k = 0; k < 6; k++) square[6 * j + k] += (z.values[j] * z.values[k]) / draws;
    }
  }
  // log π is quadratic in b: its precision is minus its second differences, its mode the Newton step from 0.
  const model = mixed(design);
  const f = (b: number[]): number => model.logJoint(theta, { values: Float64Array.from(b) }, batch);
  const unit = (j: number): number[] => Array.from({ length: 6 }, (_, i) => Number(i === j));
  const plus = (a: number[], b: number[]): number[] => a.map((x, i) => x + b[i]);
  const zero = [0, 0, 0, 0, 0, 0];
  const precision = (j: number, k: number): number =>
    -(f(plus(unit(j), unit(k))) - f(unit(j)) - f(unit(k)) + f(zero));
  for (let u = 0; u < 6; u += 2) {
    const [a, b, c] = [precision(u, u), precision(u, u + 1), precision(u + 1, u + 1)];
    const determinant = a * c - b * b;
    const slope = [u, u + 1].map((j) => (f(unit(j)) - f(unit(j).map((x) => -x))) / 2);
    const expectedMean = [
      (c * slope[0] - b * slope[1]) / determinant,
      (a * slope[1] - b * slope[0]) / determinant,
    ];
    const covariance = [
      [c / determinant, -b / determinant],
      [-b / determinant, a / determinant],
    ];
    for (let j = 0; j < 2; j++) {
      // 15 comparisons at 4 standard errors: a false alarm once in 1000 seeds.
      expect(Math.abs(mean[u + j] - expectedMean[j])).toBeLessThan(4 * Math.sqrt(covariance[j][j] / draws));
      for (let k = 0; k <= j; k++) {
        const ours = square[6 * (u + j) + u + k] - mean[u + j] * mean[u + k];
        const spread = covariance[j][j] * covariance[k][k] + covariance[j][k] ** 2;
        expect(Math.abs(ours - covariance[j][k])).toBeLessThan(4 * Math.sqrt(spread / draws));
      }
    }
  }
});
