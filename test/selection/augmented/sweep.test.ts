/** A sampler that expands nothing beside every model by importance sampling, and beside reversible jumps. */

import { describe, expect, test } from "vitest";
import { familyNamed } from "../../../src/families/register.js";
import { Rng } from "../../../src/math/rng.js";
import { type Ground, type Standing, sweep } from "../../../src/selection/augmented/sweep.js";
import { Random } from "../../hard/random.js";
import { integrated } from "../../hard/truth/integrals.js";
import { jumpChain, standardUnits, type TruthPrior } from "./jumps.js";

const LAMBDA = 0.3;
const ROWS = 40;

/** Heavy-tailed columns of which two matter, and few events. */
function made(columns: number, seed: number) {
  const random = new Random(seed);
  const x = Array.from({ length: columns }, () =>
    Float64Array.from({ length: ROWS }, () => Math.fround(random.normal() / Math.sqrt(random.gamma(1.5)))),
  );
  const y = Float64Array.from({ length: ROWS }, (_, i) =>
    random.bernoulli(-1 + 1.2 * x[0][i] - 0.8 * x[1][i]),
  );
  return { columns: x, y };
}

function ground({ columns, y }: ReturnType<typeof made>, prior: TruthPrior, always: number[] = []): Ground {
  const { augmentation, response } = familyNamed("binomial");
  const x = columns.map(standardUnits);
  const values = new Float64Array(ROWS * x.length);
  for (let i = 0; i < ROWS; i++) for (let j = 0; j < x.length; j++) values[i * x.length + j] = x[j][i];
  return {
    data: { rows: ROWS, columns: x.length, values },
    targets: y,
    scores: y.map((value) => value - 0.5),
    logDensity: response(1).logDensity,
    weight: augmentation!.weight,
    slab: { kind: "independent", scales: prior.scales, logPrior: prior.logScale, first: 1 },
    space: { logModel: prior.logModel, always },
    hasIntercept: true,
  };
}

/** Averages over sweeps: inclusion probabilities, means of coefficients, and the share of every size. */
function sampled(of: Ground, sweeps: number, seed: number) {
  const rng = Rng.seeded(seed);
  const { columns } = of.data;
  const { always } = of.space;
  const standing: Standing = {
    members: always,
    eta: new Float64Array(ROWS),
    gram: new Float64Array(columns ** 2),
  };
  const [pip, mean] = [new Float64Array(columns), new Float64Array(columns)];
  const size = new Float64Array(of.space.logModel.length + always.length);
  for (let t = -200; t < sweeps; t++) {
    const { inclusion, sizes, posterior } = sweep(rng, of, standing);
    if (t < 0) continue;
    for (let j = 0; j < columns; j++) pip[j] += inclusion[j] / sweeps;
    sizes.forEach((share, k) => {
      size[k] += share / sweeps;
    });
    posterior.members.forEach((j, a) => {
      mean[j] += posterior.mean[a] / sweeps;
    });
  }
  return { pip, mean, size };
}

const bernoulli = (columns: number): Float64Array =>
  Float64Array.from(
    { length: columns + 1 },
    (_, k) => k * Math.log(LAMBDA) + (columns - k) * Math.log(1 - LAMBDA),
  );

describe("sweeps with drawn weights", () => {
  const data = made(5, 11);
  const fixed = { logModel: bernoulli(5), scales: [1], logScale: [0] };
  const { variables, error } = integrated(data, {
    name: "",
    family: "binomial",
    seed: 1,
    tier: 1,
    make: () => data,
    method: { kind: "integration" },
    priorInclusion: LAMBDA,
    slabVariance: 1,
  });
  const truth = data.columns.map((_, j) => variables[`x${j}`]);

  // Batches of 8,000 sweeps differ by 0.003 (standard deviation of a probability): five of these and the truth's error.
  test("have the probabilities and means of all models", () => {
    const { pip, mean, size } = sampled(ground(data, fixed), 8000, 1);
    truth.forEach(([probability, coefficient, sd], j) => {
      expect(Math.abs(pip[j] - probability)).toBeLessThan(0.015 + 2 * error);
      const slope = sdOf(data.columns[j]);
      expect(Math.abs(mean[j] / slope - coefficient)).toBeLessThan(0.06 * sd);
    });
    expect(size.reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 10);
    const expected = truth.reduce((sum, [probability]) => sum + probability, 0);
    expect(Math.abs(size.reduce((sum, share, k) => sum + share * k, 0) - expected)).toBeLessThan(0.04);
  });

  test("and reversible jumps have the same, which is what they are the yardstick for", () => {
    const { pip, mean } = jumpChain({ ...data, family: "binomial", prior: fixed }, 7, 12_000, 1000);
    truth.forEach(([probability, coefficient, sd], j) => {
      expect(Math.abs(pip[j] - probability)).toBeLessThan(0.02 + 2 * error);
      expect(Math.abs(mean[j] / sdOf(data.columns[j]) - coefficient)).toBeLessThan(0.06 * sd);
    });
  });

  test("agree with reversible jumps where the scale of the slab is learned", () => {
    const many = made(12, 5);
    const prior = {
      logModel: bernoulli(12),
      scales: [0.25, 1, 4, 16],
      logScale: [0.2, 0.4, 0.3, 0.1].map(Math.log),
    };
    const { pip } = sampled(ground(many, prior), 8000, 2);
    const jumps = [1, 2].map((seed) => jumpChain({ ...many, family: "binomial", prior }, seed, 12_000, 1000));
    pip.forEach((probability, j) => {
      const expected = (jumps[0].pip[j] + jumps[1].pip[j]) / 2;
      expect(Math.abs(probability - expected)).toBeLessThan(0.03);
    });
  });

  test("leave a column in that is in every model", () => {
    const { pip, size } = sampled(ground(data, { ...fixed, logModel: bernoulli(4) }, [3]), 300, 4);
    expect(pip[3]).toBeCloseTo(1, 10);
    expect(size[0]).toBe(0);
  });
});

function sdOf(values: Float64Array): number {
  const mean = values.reduce((a, b) => a + b, 0) / values.length;
  return Math.sqrt(values.reduce((a, b) => a + (b - mean) ** 2, 0) / (values.length - 1));
}
