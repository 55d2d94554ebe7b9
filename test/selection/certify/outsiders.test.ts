import { describe, expect, it } from "vitest";
import { normal } from "../../../src/math/normal.js";
import { Rng } from "../../../src/math/rng.js";
import { expit } from "../../../src/math/special.js";
import { poisson } from "../../../src/math/variates.js";
import { belonging, JOIN, THIN } from "../../../src/selection/certify/belonging.js";
import { bruteForce } from "../brute-force.js";
import { fitRegression, variable } from "../fit-arrays.js";
import type { Regression } from "../problems.js";

const LAMBDA = 0.004;
const COLUMNS = 12;

/** Three effects, one of them weak enough to be in doubt; the others are correlated with them. */
function problem(seed: number, count = 200): Regression {
  const rng = Rng.seeded(seed);
  const rows = Array.from({ length: count }, () => {
    const common = normal(rng);
    return Array.from({ length: COLUMNS }, () => 0.6 * common + 0.8 * normal(rng));
  });
  const columns = Array.from({ length: COLUMNS }, (_, j) => rows.map((row) => (j + 1) * row[j]));
  return { columns, y: rows.map((row) => row[0] - 0.8 * row[1] + 0.3 * row[2] + normal(rng)) };
}

/** Standard deviation of a coefficient given that it is in, from what is told of it in all. */
function ifIncluded({ pip, mean, sd }: { pip: number; mean: number; sd: number }): number {
  return Math.sqrt((sd ** 2 + mean ** 2) / pip - (mean / pip) ** 2);
}

describe("a column outside the candidates", () => {
  const settings = { priorInclusion: LAMBDA, slabVariance: 1, modelPrior: "inclusion" } as const;
  const logPrior = (size: number) => size * Math.log(LAMBDA / (1 - LAMBDA));

  it("has the mean, deviation and sign that it would have as a candidate, with σ² unknown and known", async () => {
    let judged = 0;
    for (const noiseVariance of [undefined, 1]) {
      for (let seed = 1; seed <= 4; seed++) {
        const data = problem(seed);
        const truth = bruteForce(data, {
          slab: "independent",
          scale: 1,
          logPrior,
          intercept: true,
          standard: true,
          ...(noiseVariance && { noiseVariance }),
        });
        const result = await fitRegression(
          data,
          { ...settings, seed, iterations: 100, ...(noiseVariance && { noiseVariance }) },
          false,
        );
        const candidates = result.certificate!.candidates;
        // All with errors of their own are candidates; where all were enumerated these are recognised by their rank.
        for (const { name } of result.variables.slice(candidates)) {
          const j = Number(name.slice(1));
          const found = variable(result, name);
          // The judges carry 0.95 of the posterior; 0.2 standard deviations are what is promised of a coefficient.
          const own = ifIncluded({ pip: truth.pip[j], mean: truth.mean[j], sd: truth.sd[j] });
          judged += 1;
          expect(Math.abs(found.pip - truth.pip[j])).toBeLessThan(0.001);
          expect(Math.abs(found.meanIfIncluded - truth.mean[j] / truth.pip[j])).toBeLessThan(0.2 * own);
          expect(Math.abs(found.mean - truth.mean[j])).toBeLessThan(0.1 * truth.sd[j]);
          expect(Math.abs(Math.log(ifIncluded(found) / own))).toBeLessThan(0.1);
          const sign = found.meanIfIncluded > 0 ? truth.positive[j] : 1 - truth.positive[j];
          // 0.2 standard deviations in the mean are 0.2·φ(0) in the probability of a sign.
          expect(Math.abs(found.signProbability - sign)).toBeLessThan(0.08);
          expect([found.lower, found.upper]).toEqual([0, 0]);
        }
      }
    }
    expect(judged).toBeGreaterThan(20);
  });

  it.each(["binomial", "poisson"] as const)("so it does for a %s target", async (family) => {
    let judged = 0;
    for (let seed = 1; seed <= 3; seed++) {
      const rng = Rng.seeded(100 + seed);
      const { columns } = problem(seed, 600);
      const eta = columns[0].map((_, i) => columns[0][i] - 0.4 * columns[1][i] - 0.5);
      const y = eta.map((e) =>
        family === "poisson" ? poisson(rng, Math.exp(0.5 * e)) : rng.uniform() < expit(e) ? 1 : 0,
      );
      const options = { ...settings, family, seed, iterations: 60 };
      const whole = await fitRegression({ columns, y }, options, true);
      const result = await fitRegression({ columns, y }, options, false);
      for (const found of result.variables.slice(result.certificate!.candidates)) {
        const as = variable(whole, found.name);
        judged += 1;
        const own = ifIncluded(as);
        // As candidates they are weighed at their own modes, as outsiders by the expansion.
        expect(Math.abs(found.meanIfIncluded - as.meanIfIncluded)).toBeLessThan(0.2 * own);
        expect(Math.abs(Math.log(ifIncluded(found) / ifIncluded(as)))).toBeLessThan(0.1);
        const sign =
          found.meanIfIncluded * as.meanIfIncluded > 0 ? as.signProbability : 1 - as.signProbability;
        expect(Math.abs(found.signProbability - sign)).toBeLessThan(0.08);
      }
    }
    expect(judged).toBeGreaterThan(6);
  });
});

describe("what stays outside", () => {
  const columns = (pip: number, exchange: number, count: number) => ({
    pip: new Float64Array(count).fill(pip),
    exchange: new Float64Array(count).fill(exchange),
  });

  it("is improbable by itself, and takes little from the members together with all others", () => {
    expect(belonging(columns(0.5 * JOIN, 0, 10_000))).toEqual([]);
    expect(belonging(columns(2 * JOIN, 0, 3))).toEqual([0, 1, 2]);
    // So many that together they would take three times what they may: two thirds have to join.
    const each = (3 * THIN) / 300;
    expect(belonging(columns(each, each, 300)).length).toBeGreaterThanOrEqual(200);
    expect(belonging(columns(each, each, 300)).length).toBeLessThanOrEqual(201);
  });
});

describe("an effect that is spread too thinly for any substitute to stand out", () => {
  it("is found whole, though each has less than what makes a candidate", async () => {
    // 700 substitutes, among 900 columns, with about 1/700 each: below the 0.002 from which a column joins by itself.
    const rng = Rng.seeded(11);
    const x = Array.from({ length: 300 }, () => normal(rng));
    const columns = Array.from({ length: 900 }, (_, j) =>
      j < 700 ? x.map((value) => value + 0.01 * normal(rng)) : x.map(() => normal(rng)),
    );
    const y = x.map((value) => 0.6 * value + normal(rng));
    const result = await fitRegression(
      { columns, y },
      { priorInclusion: 1e-4, slabVariance: 1, modelPrior: "inclusion", iterations: 100 },
    );
    const largest = result.variables[0].pip;
    expect(largest).toBeLessThan(0.05);
    const [set] = result.credibleSets!;
    expect((set.group ?? set).probability).toBeGreaterThan(0.99);
    expect(result.certificate!.massOutside).toBeLessThan(0.02);
    const inside = result.variables.filter(({ name }) => Number(name.slice(1)) < 700);
    expect(inside.reduce((sum, { pip }) => sum + pip, 0)).toBeCloseTo(1, 1);
  });
});
