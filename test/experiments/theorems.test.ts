import { expect, it } from "vitest";
import {
  gradientNoise,
  lawsOf,
  posteriorOf,
  simulatedChain,
  simulatedValues,
  stationaryLaw,
  wasserstein,
} from "../../src/experiments/gaussian-chain.js";
import { theorem2 } from "../../src/experiments/theorems.js";
import { Rng } from "../../src/math/rng.js";

const values = Float64Array.of(0.3, -1.2, 2.5, 0.9, 1.4);

it("the noise of the gradient is that of all batches, and of the latent draws in them", () => {
  const sums: number[] = [];
  for (let i = 0; i < 5; i++) for (let j = 0; j < i; j++) sums.push((5 / 2) * (values[i] + values[j]));
  const mean = sums.reduce((sum, x) => sum + x, 0) / sums.length;
  const ofBatches = sums.reduce((sum, x) => sum + (x - mean) ** 2, 0) / sums.length;
  // The gradient has 2(x − θ − b) of a row, with variance 4·¼ given the row, and 3 draws to average over.
  const ofDraws = (5 / 2) ** 2 * 2 * (1 / 3);
  expect(gradientNoise({ values, batch: 2, draws: 3 })).toBeCloseTo(ofBatches + ofDraws, 10);
});

it("constant steps come to the stationary law, and chains of the library have it", () => {
  const chain = { values, batch: 2, draws: 1 };
  const step = 0.15;
  const stationary = stationaryLaw(chain, step);
  let law = { mean: 3, variance: 0 };
  let t = 0;
  for (law of lawsOf(chain, () => step, 3)) if (++t === 400) break;
  expect(law.mean).toBeCloseTo(stationary.mean, 10);
  expect(law.variance).toBeCloseTo(stationary.variance, 10);
  expect(wasserstein(stationary, posteriorOf(values))).toBeGreaterThan(0.1);

  const draws = Float64Array.from(simulatedChain(3, chain, step, 20_000, stationary.mean));
  const mean = draws.reduce((sum, x) => sum + x, 0) / draws.length;
  const variance = draws.reduce((sum, x) => sum + (x - mean) ** 2, 0) / draws.length;
  // Steps keep 0.55 of where a chain stood: 5,800 effective draws for the mean, more for the variance. Five errors.
  expect(Math.abs(mean - stationary.mean)).toBeLessThan(5 * Math.sqrt(stationary.variance / 5800));
  expect(Math.abs(variance / stationary.variance - 1)).toBeLessThan(5 * Math.sqrt(2 / 10_000));
});

it("the distance of normal laws is zero to themselves and that of their means where they are alike", () => {
  expect(wasserstein({ mean: 1, variance: 4 }, { mean: 1, variance: 4 })).toBe(0);
  expect(wasserstein({ mean: 1, variance: 4 }, { mean: -2, variance: 4 })).toBe(3);
  expect(wasserstein({ mean: 1, variance: 4 }, { mean: 1, variance: 9 })).toBe(1);
});

it("with fixed batches the distance stays, with growing ones it vanishes, as it does with steps that decay", () => {
  const distance = (rows: number, batch: number): number => {
    const chain = { values: simulatedValues(Rng.seeded(rows), rows), batch, draws: 1 };
    return wasserstein(stationaryLaw(chain, 1 / rows), posteriorOf(chain.values));
  };
  expect(distance(6400, 10)).toBeGreaterThan(distance(100, 10));
  expect(distance(6400, 716)).toBeLessThan(distance(100, 32) / 3);
  const { curves } = theorem2();
  const [constant, slow, middle] = curves.map(({ points }) => points.map((point) => point.distance));
  expect(constant.at(-1)! / constant[1]).toBeCloseTo(1, 6);
  for (const decaying of [slow, middle]) {
    for (let i = 1; i < decaying.length; i++) expect(decaying[i]).toBeLessThan(decaying[i - 1]);
  }
  // Simulated chains beside the closed form: of 200, a standard deviation is known to 5%.
  for (const { points } of curves) {
    for (const { distance: exact, simulated, relative } of points) {
      if (simulated !== undefined)
        expect(Math.abs(simulated - exact)).toBeLessThan(0.3 * exact * (1 + 1 / relative));
    }
  }
});
