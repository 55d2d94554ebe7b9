import { expect, it } from "vitest";
import { anchored } from "../../src/gradients/anchored.js";
import { imputed } from "../../src/gradients/imputed.js";
import { Rng } from "../../src/math/rng.js";
import { effects } from "../../src/mixed/model/effects.js";
import { mixed } from "../../src/mixed/model/joint.js";
import { marginalMixed } from "../../src/mixed/model/marginal.js";
import { everyUnit, simulatedUnits } from "../models/simulated-units.js";

const data = simulatedUnits(Rng.seeded(7), {
  units: 5,
  rows: (i) => 2 + i,
  beta: [1, -0.5],
  sd: [0.8, 0.5],
  noise: 0.7,
});
const design = { columns: data.columns, fixed: [0, 1], random: [0, 1] };
const model = mixed(design);
const marginal = marginalMixed(design);
const theta = Float64Array.of(0.9, -0.4, -0.5, -0.2, 0.1, -0.3);
const full = new Float64Array(6);
marginal.addGrad(full, 1, theta, null, { data, units: everyUnit(data), weight: 1 });

it("averages over imputations to the gradient with the effects integrated out", () => {
  const estimate = imputed({ rng: Rng.seeded(8), model, kernel: effects(model.layout), imputations: 20 });
  const repeats = 1000;
  const out = new Float64Array(6);
  const sum = new Float64Array(6);
  const square = new Float64Array(6);
  for (let t = 0; t < repeats; t++) {
    estimate({ data, units: everyUnit(data), weight: 1 }).at(out, theta);
    for (const [j, g] of out.entries()) {
      sum[j] += g;
      square[j] += g * g;
    }
  }
  for (const j of out.keys()) {
    const mean = sum[j] / repeats;
    const error = Math.sqrt((square[j] / repeats - mean * mean) / repeats);
    // Six comparisons at 4 standard errors: a false alarm once in 2500 seeds.
    expect(Math.abs(mean - full[j])).toBeLessThan(4 * error);
  }
});

it("resamples an imputation with weights that are powers of its likelihood, however small", () => {
  // ϑ takes the values 0, 1, 2 in turn, with log-likelihoods far below the smallest exponent of a double.
  const logs = [-100_000, -100_000 + Math.log(2) / 3, -100_000 + Math.log(5) / 3];
  let turn = 0;
  const estimate = imputed<{ value: number }, null>({
    rng: Rng.seeded(9),
    model: { names: ["θ"], logJoint: () => 0, addGrad: () => {} },
    kernel: {
      init: () => ({ value: 0 }),
      enter: () => {},
      step: (_rng, z) => {
        z.value = turn++ % 3;
        return true;
      },
    },
    imputations: 3,
    resampling: { logLikelihood: (_, z) => logs[z.value], power: 3, copy: (z) => ({ ...z }) },
  });
  const counts = [0, 0, 0];
  for (let t = 0; t < 8000; t++) {
    const gradient = estimate(null);
    gradient.at(new Float64Array(1), new Float64Array(1));
    counts[gradient.resampled!.value]++;
  }
  const chiSquare = counts.reduce(
    (sum, n, k) => sum + (n - [1000, 2000, 5000][k]) ** 2 / [1000, 2000, 5000][k],
    0,
  );
  // The 0.999 quantile of χ² with 2 degrees of freedom.
  expect(chiSquare).toBeLessThan(13.8);
});

it("is exact at the anchor and unbiased elsewhere, over all batches of two", () => {
  const anchor = theta.map((x) => x + 0.1);
  const gradientThere = new Float64Array(6);
  marginal.addGrad(gradientThere, 1, anchor, null, { data, units: everyUnit(data), weight: 1 });
  const estimate = anchored({ model: marginal, anchor, gradient: gradientThere });
  const out = new Float64Array(6);
  const mean = new Float64Array(6);
  for (let i = 0; i < 5; i++) {
    for (let j = 0; j < i; j++) {
      const gradient = estimate({ data, units: Uint32Array.of(i, j), weight: 5 / 2 });
      gradient.at(out, anchor);
      for (const k of out.keys()) expect(out[k]).toBeCloseTo(gradientThere[k], 10);
      gradient.at(out, theta);
      for (const k of out.keys()) mean[k] += out[k] / 10;
    }
  }
  for (const j of out.keys()) expect(mean[j]).toBeCloseTo(full[j], 9);
});
