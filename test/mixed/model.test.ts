import { describe, expect, it } from "vitest";
import { normal } from "../../src/math/normal.js";
import { Rng } from "../../src/math/rng.js";
import type { UnitBatch } from "../../src/mixed/model/chart.js";
import { mixed } from "../../src/mixed/model/joint.js";
import { marginalMixed } from "../../src/mixed/model/marginal.js";
import { everyUnit, simulatedUnits } from "../models/simulated-units.js";

const data = simulatedUnits(Rng.seeded(1), {
  units: 5,
  rows: (i) => 1 + 3 * i,
  beta: [1, -0.5, 0.25],
  sd: [0.8, 0.5],
  noise: 0.7,
});
const designs = {
  "the same columns fixed and random": { columns: data.columns, fixed: [0, 1, 2], random: [0, 1, 2] },
  "random effects on a subset": { columns: data.columns, fixed: [0, 1, 2], random: [0, 1] },
  "a random effect without a fixed one, in another order": {
    columns: data.columns,
    fixed: [0, 1],
    random: [2, 0],
    priors: { fixedVariance: 3, noiseDegrees: 4, noiseScale: 2, covarianceDegrees: 7, covarianceScale: 0.5 },
  },
};
const whole: UnitBatch = { data, units: everyUnit(data), weight: 1.7 };

function differences(f: (theta: Float64Array) => number, theta: Float64Array): number[] {
  return Array.from(theta, (value, j) => {
    const h = 1e-5 * Math.max(1, Math.abs(value));
    const up = theta.slice();
    const down = theta.slice();
    up[j] += h;
    down[j] -= h;
    return (f(up) - f(down)) / (2 * h);
  });
}

describe.each(Object.entries(designs))("the mixed model with %s", (_, design) => {
  const model = mixed(design);
  const marginal = marginalMixed(design);
  const rng = Rng.seeded(2);
  const theta = Float64Array.from({ length: model.layout.size }, () => 0.4 * normal(rng));
  const q = design.random.length;
  const z = { values: Float64Array.from({ length: 5 * q }, () => normal(rng)) };

  it("has a gradient that agrees with central differences", () => {
    const gradient = new Float64Array(theta.length);
    model.addGrad(gradient, 1, theta, z, whole);
    const expected = differences((t) => model.logJoint(t, z, whole), theta);
    for (const [j, value] of expected.entries()) expect(gradient[j]).toBeCloseTo(value, 5);
  });

  it("has a marginal gradient that agrees with central differences", () => {
    const gradient = new Float64Array(theta.length);
    marginal.addGrad(gradient, 1, theta, null, whole);
    const expected = differences((t) => marginal.logJoint(t, null, whole), theta);
    for (const [j, value] of expected.entries()) expect(gradient[j]).toBeCloseTo(value, 5);
  });

  it("adds to what is there, times the scale", () => {
    const once = new Float64Array(theta.length);
    const twice = new Float64Array(theta.length).fill(1);
    model.addGrad(once, 1, theta, z, whole);
    model.addGrad(twice, -2, theta, z, whole);
    for (const j of theta.keys()) expect(twice[j]).toBeCloseTo(1 - 2 * once[j], 10);
  });

  it("estimates the full gradient without bias over all batches of two units", () => {
    const mean = new Float64Array(theta.length);
    for (let i = 0; i < 5; i++) {
      for (let j = 0; j < i; j++) {
        const units = Uint32Array.of(i, j);
        const pair = {
          values: Float64Array.from([...units].flatMap((u) => [...z.values.slice(u * q, u * q + q)])),
        };
        model.addGrad(mean, 1 / 10, theta, pair, { data, units, weight: 5 / 2 });
      }
    }
    const full = new Float64Array(theta.length);
    model.addGrad(full, 1, theta, z, { ...whole, weight: 1 });
    for (const j of theta.keys()) expect(mean[j]).toBeCloseTo(full[j], 9);
  });

  it("equals the update of Algorithm S1 written out with its prior correction", () => {
    const units = Uint32Array.of(1, 3);
    const two = { values: z.values.slice(0, 2 * q) };
    const ours = new Float64Array(theta.length);
    model.addGrad(ours, 1, theta, two, { data, units, weight: 5 / 2 });
    const literal = new Float64Array(theta.length);
    model.addGrad(literal, 5 / 2, theta, two, { data, units, weight: 1 });
    model.addGrad(
      literal,
      -(5 - 2) / 2,
      theta,
      { values: new Float64Array(0) },
      { data, units: Uint32Array.of(), weight: 1 },
    );
    for (const j of theta.keys()) expect(ours[j]).toBeCloseTo(literal[j], 9);
  });
});

it("takes the marginal density from the rows: N(Wβ, σ²(I + ZDZ′)) by brute force", () => {
  // Two rows and one random intercept: V = σ²(I + d·11′) has determinant σ⁴(1 + 2d).
  const one = simulatedUnits(Rng.seeded(3), { units: 1, rows: () => 2, beta: [0.5], sd: [1], noise: 1 });
  const design = { columns: ["intercept"], fixed: [0], random: [0] };
  const model = marginalMixed(design);
  const batch = { data: one, units: Uint32Array.of(0), weight: 1 };
  const none = { ...batch, units: Uint32Array.of() };
  const [, sum, square] = one.values;
  const density = (beta: number, s: number, lambda: number): number => {
    const d = Math.exp(2 * lambda);
    const rr = square - 2 * beta * sum + 2 * beta * beta;
    const total = sum - 2 * beta;
    const quadratic = (rr - (d / (1 + 2 * d)) * total * total) / Math.exp(s);
    return -0.5 * (2 * s + Math.log(1 + 2 * d) + quadratic);
  };
  for (const [beta, s, lambda] of [
    [0, 0, 0],
    [0.3, -0.7, 0.4],
    [1.2, 1.1, -1.5],
  ]) {
    const theta = Float64Array.of(beta, s, lambda);
    const value = model.logJoint(theta, null, batch) - model.logJoint(theta, null, none);
    expect(value).toBeCloseTo(density(beta, s, lambda), 10);
  }
});
