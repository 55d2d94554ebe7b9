import { describe, expect, it } from "vitest";
import { mcseMean } from "../../src/diagnostics/mcse.js";
import { studentTCdf } from "../../src/math/distributions.js";
import { normal } from "../../src/math/normal.js";
import { Rng } from "../../src/math/rng.js";
import { expandedGibbs } from "../../src/mixed/expanded-gibbs.js";
import { layoutOf, type MixedDesign, natural } from "../../src/mixed/model/chart.js";
import { type CrossProducts, emptyCrossProducts } from "../../src/mixed/model/crossproducts.js";
import { marginalMixed } from "../../src/mixed/model/marginal.js";
import { everyUnit, simulatedUnits } from "../models/simulated-units.js";
import { balancedPosterior, halfT as halfTDensity } from "./balanced-posterior.js";

const halfT = { law: "half-t", fixedVariance: 1e4, spread: 1 } as const;

/** β, σ² and Σ of some sweeps after the first hundred. */
function sweeps(data: CrossProducts, design: MixedDesign, count: number, seed: number): Float64Array[] {
  const layout = layoutOf(design);
  const out: Float64Array[] = [];
  const start = new Float64Array(layout.size);
  for (const theta of expandedGibbs(Rng.seeded(seed), start, { design, data })) {
    out.push(natural(layout, theta));
    if (out.length === count + 100) return out.slice(100);
  }
  return out;
}

/** How far the share of draws for which something holds is from a probability, in Monte Carlo errors. */
function deviation(
  draws: readonly Float64Array[],
  probability: number,
  holds: (draw: Float64Array) => boolean,
) {
  const indicator = Float64Array.from(draws, (draw) => Number(holds(draw)));
  const share = indicator.reduce((sum, x) => sum + x, 0) / indicator.length;
  return Math.abs(share - probability) / mcseMean([indicator])!;
}

describe("the half-t law", () => {
  it("is what the sampler returns where no group has a row", () => {
    const data = emptyCrossProducts(["(intercept)", "x"], "y", ["a", "b"]);
    const priors = { ...halfT, spread: 0.7, spreadDegrees: 2 };
    const design = { columns: data.columns, fixed: [0], random: [0, 1], priors };
    const draws = sweeps(data, design, 20_000, 5);
    // P(|t| < x) of half-t, and uniform correlations; ten comparisons at 4 errors: a false alarm once in 1500 seeds.
    for (const x of [0.1, 0.7, 3]) {
      const probability = 2 * studentTCdf(x / 0.7, 2) - 1;
      expect(deviation(draws, probability, (draw) => Math.sqrt(draw[1]) < x)).toBeLessThan(4);
      expect(deviation(draws, probability, (draw) => Math.sqrt(draw[2]) < x)).toBeLessThan(4);
      expect(deviation(draws, probability, (draw) => Math.sqrt(draw[4]) < x)).toBeLessThan(4);
    }
    const correlation = (draw: Float64Array) => draw[3] / Math.sqrt(draw[2] * draw[4]);
    expect(deviation(draws, 0.25, (draw) => correlation(draw) < -0.5)).toBeLessThan(4);
  });

  it("has a gradient that agrees with central differences, Jacobians and all", () => {
    const data = simulatedUnits(Rng.seeded(1), {
      units: 5,
      rows: (i) => 1 + 3 * i,
      beta: [1, -0.5, 0.25],
      sd: [0.8, 0.5],
      noise: 0.7,
    });
    for (const random of [[0], [0, 1], [2, 0, 1]]) {
      const priors = { ...halfT, fixedVariance: 3, spread: 0.6, spreadDegrees: 3 };
      const model = marginalMixed({ columns: data.columns, fixed: [0, 1], random, priors });
      const rng = Rng.seeded(2);
      const theta = Float64Array.from({ length: model.layout.size }, () => 0.4 * normal(rng));
      const batch = { data, units: everyUnit(data), weight: 1.7 };
      const gradient = new Float64Array(theta.length);
      model.addGrad(gradient, 1, theta, null, batch);
      for (const [j, value] of theta.entries()) {
        const at = (x: number) => model.logJoint(theta.with(j, x), null, batch);
        expect(gradient[j]).toBeCloseTo((at(value + 1e-5) - at(value - 1e-5)) / 2e-5, 5);
      }
    }
  });

  // Groups that do not differ, a little and much: the chain moves by one line of the sweep, or by the other.
  it.each([0, 0.3, 2])("gives the posterior that quadrature gives, group sd %d", (sd) => {
    const [groups, rows] = [12, 4];
    const data = simulatedUnits(Rng.seeded(3), {
      units: groups,
      rows: () => rows,
      beta: [0.5],
      sd: [sd],
      noise: 1,
    });
    const design = { columns: data.columns, fixed: [0], random: [0], priors: halfT };
    const draws = sweeps(data, design, 8000, 7);
    const mean = balancedPosterior(data, rows, (tau, sigma) => halfTDensity(tau, 1) * halfTDensity(sigma, 1));
    for (const x of [0.1, 0.3, 0.6, 1, 2, 2.5]) {
      const probability = mean((tau) => Number(tau < x));
      if (probability < 0.005 || probability > 0.995) continue;
      expect(
        deviation(draws, probability, (draw) => Math.sqrt(draw[2]) < x),
        `at ${x}`,
      ).toBeLessThan(4);
    }
  });
});
