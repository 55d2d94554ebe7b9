import { describe, expect, it } from "vitest";
import { normal } from "../../src/math/normal.js";
import { Rng } from "../../src/math/rng.js";
import type { FitOptions } from "../../src/options/fit.js";
import { type BruteForceSettings, bruteForce } from "../selection/brute-force.js";
import { fitRegression, variable } from "../selection/fit-arrays.js";
import { centred, type Regression } from "../selection/problems.js";

/**
 * Random problems with inclusion probabilities all over (0, 1), through `fit` and by brute force. Every other one is
 * forced through search and certificate, although it is small enough to do without. Where the answer is enumerated
 * there is no Monte Carlo error, so nothing here can fail by chance for a fixed seed; the seeds were not chosen.
 */
interface Problem {
  readonly data: Regression;
  readonly options: Omit<FitOptions, "target">;
  readonly truth: BruteForceSettings;
  readonly direct: boolean;
}

function problem(index: number): Problem {
  const rng = Rng.seeded(4000 + index);
  const pick = <T>(items: readonly T[]): T => items[rng.below(items.length)];
  const p = 2 + rng.below(11);
  const rows = Math.round(50 * 100 ** rng.uniform());
  const correlation = pick([0, 0.3, 0.6, 0.8, 0.9, 0.95]);
  const chained = rng.uniform() < 0.5;
  const unit = 10 ** (4 * rng.uniform() - 2);
  // About the size at which the data are in two minds.
  const edge = Math.sqrt((2 + Math.log(rows)) / rows / (1 - correlation));
  const beta = Array.from({ length: p }, () => (rng.uniform() < 0.5 ? 0 : 1.3 * edge * normal(rng)));
  const columns = beta.map(() => new Array<number>(rows));
  const y = new Array<number>(rows);
  for (let i = 0; i < rows; i++) {
    let last = normal(rng);
    let eta = normal(rng);
    beta.forEach((b, j) => {
      const fresh = normal(rng);
      const x = Math.sqrt(correlation) * last + Math.sqrt(1 - correlation) * fresh;
      if (chained) last = x;
      columns[j][i] = x;
      eta += b * x;
    });
    y[i] = unit * eta;
  }
  // Columns in units of their own, some far from zero, which the statistician never sees.
  const shifts = beta.map(() => pick([0, 0, 3, -40]));
  const scales = beta.map(() => 10 ** (2 * rng.uniform() - 1));
  columns.forEach((values, j) => {
    for (let i = 0; i < rows; i++) values[i] = scales[j] * (values[i] + shifts[j]);
  });
  const offset = pick([0, 5, -100]) * unit;
  for (let i = 0; i < rows; i++) y[i] += offset;

  const slab = pick(["independent", "zellner"] as const);
  const known = rng.uniform() < 0.5;
  const noiseVariance = 1.2 * unit ** 2;
  const intercept = rng.uniform() < 0.85;
  const always = rng.uniform() < 0.3 ? [rng.below(p)] : [];
  const selectable = p - always.length;
  const prior = pick(["inclusion", "inclusion-given", "beta-binomial", "uniform", "expected", "bb-expected"]);
  const expectedSize = 0.3 * selectable;
  // With σ² known the slab is in the units of y; with σ² unknown it is in units of σ.
  const v = pick([0.25, 1, 4]) * (known ? unit ** 2 : 1);
  return {
    data: { columns, y },
    options: {
      slab,
      ...(slab === "independent" ? { slabVariance: v } : { g: rows }),
      noiseVariance: known ? noiseVariance : "unknown",
      intercept: intercept ? "always" : "none",
      always: always.map((j) => `x${j}`),
      ...(prior === "inclusion" && { modelPrior: "inclusion" }),
      ...(prior === "inclusion-given" && { priorInclusion: 0.35 }),
      ...(prior === "beta-binomial" && { modelPrior: "beta-binomial" }),
      ...(prior === "uniform" && { modelPrior: "uniform" }),
      ...(prior === "expected" && { modelPrior: "inclusion", expectedSize }),
      ...(prior === "bb-expected" && { modelPrior: "beta-binomial", expectedSize }),
      seed: index,
      // A search so short that much is left for the certificate to find.
      iterations: 40,
    },
    truth: {
      slab,
      scale: slab === "zellner" ? rows : v,
      ...(known && { noiseVariance }),
      logPrior: logPriorOf(prior, selectable, expectedSize),
      always,
      intercept,
      standard: true,
    },
    direct: index % 2 === 0,
  };
}

function logPriorOf(prior: string, p: number, expectedSize: number): (k: number) => number {
  const independent = (lambda: number) => (k: number) =>
    k * Math.log(lambda) + (p - k) * Math.log(1 - lambda);
  // ∫ λᵏ(1 − λ)^(p−k)·b(1 − λ)^(b−1) dλ = b·k!/((b + p − k)(b + p − k + 1)…(b + p))
  const betaBinomial = (b: number) => (k: number) => {
    let log = Math.log(b);
    for (let i = 1; i <= k; i++) log += Math.log(i);
    for (let i = 0; i <= k; i++) log -= Math.log(b + p - i);
    return log;
  };
  switch (prior) {
    case "inclusion":
      return independent(1 / (p + 1) ** 1.1);
    case "inclusion-given":
      return independent(0.35);
    case "expected":
      return independent(expectedSize / p);
    case "beta-binomial":
      return betaBinomial(Math.sqrt(p));
    case "bb-expected":
      return betaBinomial(p / expectedSize - 1);
    default:
      return () => 0;
  }
}

describe("fit on 50 random problems", () => {
  const inner: number[] = [];
  it.each(Array.from({ length: 50 }, (_, i) => i))("problem %i agrees with enumeration", async (index) => {
    const { data, options, truth, direct } = problem(index);
    const expected = bruteForce(data, truth);
    const result = await fitRegression(data, options, direct);
    const y = centred(data.y);
    const sd = Math.sqrt(y.reduce((sum, value) => sum + value * value, 0) / (y.length - 1));
    for (const [j, values] of data.columns.entries()) {
      const found = variable(result, `x${j}`);
      const spread = centred(values).reduce((most, value) => Math.max(most, Math.abs(value)), 0) / 3;
      expect(Math.abs(found.pip - expected.pip[j])).toBeLessThan(0.01);
      // Effects are per unit of a column: what counts is what a column does over its range.
      expect(Math.abs(found.mean - expected.mean[j]) * spread).toBeLessThan(0.01 * sd);
      expect(Math.abs(found.sd - expected.sd[j]) * spread).toBeLessThan(0.01 * sd);
      expect(found.lower).toBeLessThanOrEqual(found.upper);
      expect(found.pip).toBeLessThanOrEqual(1);
      inner.push(expected.pip[j]);
    }
    const size = expected.size.reduce((sum, share, k) => sum + k * share, truth.always?.length ?? 0);
    expect(Math.abs(result.modelSize.mean - size)).toBeLessThan(0.03);
    if (result.noiseVariance) expect(result.noiseVariance.mean / expected.noise).toBeCloseTo(1, 2);
    expect(result.certificate?.complete).toBe(true);
  });

  it("has inclusion probabilities of every kind among them", () => {
    const share = (low: number, high: number) =>
      inner.filter((pip) => pip > low && pip < high).length / inner.length;
    expect(share(0.05, 0.95)).toBeGreaterThan(0.3);
    expect(share(0, 0.05)).toBeGreaterThan(0.05);
    expect(share(0.95, 1)).toBeGreaterThan(0.05);
  });
});
