/** The programs that work out the truth agree with each other and with quadrature where both can be asked. */

import { expect, it } from "vitest";
import type { Data, Problem } from "./problem.js";
import { PROBLEMS } from "./problems.js";
import { Random } from "./random.js";
import { enumerated, neighbouring } from "./truth/gaussian.js";
import { integrated } from "./truth/integrals.js";
import { tempered } from "./truth/tempering.js";

const any: Problem = { ...PROBLEMS[0], seed: 1, priorInclusion: 0.1, slabVariance: 1 };

function measurements(): Data {
  const random = new Random(77);
  const rows = 60;
  const common = Array.from({ length: rows }, () => random.normal());
  const columns = Array.from({ length: 8 }, () =>
    Float64Array.from(common, (c) => 0.7 * c + 0.7 * random.normal()),
  );
  const y = Float64Array.from(
    common,
    (_, i) => 0.6 * columns[0][i] - 0.5 * columns[1][i] + 0.3 * columns[2][i] + random.normal(),
  );
  return { columns, y };
}

it("tempering visits models as often as enumeration says", () => {
  const data = measurements();
  const [exact, sampled] = [enumerated(data, any), tempered(data, any, 60_000)];
  // Four runs: the error of their mean is known to a factor of about two.
  expect(sampled.error).toBeLessThan(0.01);
  for (const [name, [pip, mean, sd]] of Object.entries(exact.variables)) {
    expect(Math.abs(sampled.variables[name][0] - pip)).toBeLessThan(0.02);
    expect(Math.abs(sampled.variables[name][1] - mean)).toBeLessThan(0.05 * sd);
    expect(Math.abs(Math.log(sampled.variables[name][2] / sd))).toBeLessThan(0.1);
  }
});

it("a neighbourhood is the whole posterior where its core carries it", () => {
  const data = measurements();
  const unlikely = { ...any, priorInclusion: 0.002 };
  const exact = enumerated(data, unlikely);
  const near = neighbouring(data, unlikely, [0, 1, 2], 1);
  for (const [name, [pip, mean]] of Object.entries(exact.variables)) {
    expect(near.variables[name][0]).toBeCloseTo(pip, 3);
    expect(near.variables[name][1]).toBeCloseTo(mean, 3);
  }
});

it.each(["binomial", "poisson"] as const)(
  "an empty cell of a %s target is weighed as by quadrature",
  (family) => {
    const random = new Random(5);
    const rows = 300;
    const cell = Float64Array.from({ length: rows }, (_, i) => (i < 12 ? 1 : 0));
    const y = Float64Array.from({ length: rows }, (_, i) =>
      i < 12 ? 0 : family === "binomial" ? random.bernoulli(-1.5) : random.poisson(0.2),
    );
    const problem: Problem = { ...any, family, priorInclusion: 0.3, slabVariance: 1 };
    const mean = 12 / rows;
    const sd = Math.sqrt((rows / (rows - 1)) * mean * (1 - mean));
    const events = y.reduce((a, b) => a + b, 0);
    const cumulant = (eta: number) => (family === "binomial" ? Math.log1p(Math.exp(eta)) : Math.exp(eta));
    // The cell holds no event: Σ yη = events·η outside. a is the intercept outside the cell, b the effect in units of sd.
    const logJoint = (a: number, b: number) =>
      events * a - (rows - 12) * cumulant(a) - 12 * cumulant(a + b / sd) - 0.5 * b * b;
    const top = logJoint(Math.log(events / rows), 0);
    let [without, withIt, moment] = [0, 0, 0];
    for (let a = -4; a <= 0; a += 0.01) {
      without += 0.01 * Math.exp(logJoint(a, 0) - top);
      for (let b = -6; b <= 6; b += 0.01) {
        const weight = (0.01 * 0.01 * Math.exp(logJoint(a, b) - top)) / Math.sqrt(2 * Math.PI);
        withIt += weight;
        moment += (weight * b) / sd;
      }
    }
    const odds = ((0.3 / 0.7) * withIt) / without;
    const truth = integrated({ columns: [cell], y }, problem).variables.x0;
    expect(truth[0]).toBeCloseTo(odds / (1 + odds), 2);
    expect(Math.abs(truth[1] - (moment / withIt) * (odds / (1 + odds)))).toBeLessThan(0.03 * truth[2]);
  },
);
