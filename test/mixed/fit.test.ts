import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { mcseMean } from "../../src/diagnostics/mcse.js";
import { choleskyInPlace } from "../../src/math/packed.js";
import { Rng } from "../../src/math/rng.js";
import { algorithmS1, anchoredLangevin } from "../../src/mixed/chains.js";
import { fitMixed } from "../../src/mixed/fit.js";
import { augmentationGibbs } from "../../src/mixed/gibbs.js";
import { layoutOf, natural, thetaOf } from "../../src/mixed/model/chart.js";
import { addRow, emptyCrossProducts } from "../../src/mixed/model/crossproducts.js";
import { marginalMixed } from "../../src/mixed/model/marginal.js";
import { anchor, leastSquares } from "../../src/mixed/start.js";
import { simulatedUnits } from "../models/simulated-units.js";

/** Means and Monte Carlo errors of β, σ² and Σ over a path of θ. */
function moments(draws: readonly Float64Array[]): { mean: number; sd: number; error: number }[] {
  return Array.from(draws[0], (_, j) => {
    const values = Float64Array.from(draws, (draw) => draw[j]);
    const mean = values.reduce((a, b) => a + b, 0) / values.length;
    const sd = Math.sqrt(values.reduce((sum, x) => sum + (x - mean) ** 2, 0) / values.length);
    return { mean, sd, error: mcseMean([values])! };
  });
}

function take(path: Iterable<Float64Array>, burnIn: number, count: number, thin: number): Float64Array[] {
  const kept: Float64Array[] = [];
  let t = 0;
  for (const theta of path) {
    if (++t > burnIn && (t - burnIn) % thin === 0) kept.push(natural(layout, theta));
    if (kept.length === count) break;
  }
  return kept;
}

const data = simulatedUnits(Rng.seeded(11), {
  units: 300,
  rows: () => 6,
  beta: [1, -0.5],
  sd: [0.8, 0.5],
  noise: 0.7,
});
const design = { columns: data.columns, fixed: [0, 1], random: [0, 1] };
const layout = layoutOf(design);
const start = leastSquares(data, design);

describe("on balanced data", () => {
  const gibbs = moments(take(augmentationGibbs(Rng.seeded(1), start, { data, design }), 200, 6000, 1));

  // 6 quantities at 4 standard errors of both runs: a false alarm once in 2500 seeds.
  const agrees = (ours: ReturnType<typeof moments>, bias: number): void => {
    for (const [j, { mean, error }] of ours.entries()) {
      const tolerance = 4 * Math.hypot(error, gibbs[j].error) + bias * gibbs[j].sd;
      expect(Math.abs(mean - gibbs[j].mean), layout.names[j]).toBeLessThan(tolerance);
    }
  };

  it("collapsed Gibbs agrees with plain Gibbs", () => {
    const path = augmentationGibbs(Rng.seeded(2), start, { data, design, collapsed: true });
    agrees(moments(take(path, 100, 4000, 1)), 0);
  });

  it("Algorithm S1 agrees with Gibbs in the means of β, σ² and Σ", () => {
    const settings = { data, design, batch: 100, iterations: 24_000, stepSize: 2e-5, imputations: 1 };
    const ours = moments(take(algorithmS1(Rng.seeded(3), start, settings), 4000, 1000, 20));
    agrees(ours, 0);
    // ε·H/4 + ε·H·(N/n − 1)/4 with ε·H = 0.02 at the stiffest coordinate: a few per cent of variance.
    for (const [j, { sd }] of ours.entries()) expect(sd / gibbs[j].sd).toBeGreaterThan(0.75);
    for (const [j, { sd }] of ours.entries()) expect(sd / gibbs[j].sd).toBeLessThan(1.25);
  });

  it("the anchored chain agrees with Gibbs in means and spreads", () => {
    const mode = anchor(Rng.seeded(4), start, marginalMixed(design), data);
    const settings = { data, design, batch: 50, iterations: 40_000, stepSize: 0.1 };
    const ours = moments(take(anchoredLangevin(Rng.seeded(5), mode, settings), 500, 3900, 10));
    agrees(ours, 0);
    // Discretisation inflates variances by ε/4 = 2.5%; the errors of two standard deviations are about 3% each.
    for (const [j, { sd }] of ours.entries()) expect(Math.abs(sd / gibbs[j].sd - 1)).toBeLessThan(0.15);
  });

  it("starts far away and still finds the same mode", () => {
    const model = marginalMixed(design);
    const far = start.map((x, j) => x + (j % 2 ? 1.5 : -1.5));
    const one = anchor(Rng.seeded(6), start, model, data).theta;
    const other = anchor(Rng.seeded(6), far, model, data).theta;
    for (const j of one.keys()) expect(other[j]).toBeCloseTo(one[j], 3);
  });
});

it("agrees with Gibbs where the priors and their Jacobians weigh: eight groups", () => {
  const few = simulatedUnits(Rng.seeded(12), {
    units: 8,
    rows: () => 5,
    beta: [1, -0.5],
    sd: [0.8, 0.5],
    noise: 0.7,
  });
  const from = leastSquares(few, design);
  const coordinates = (path: Iterable<Float64Array>, burnIn: number, count: number, thin: number) => {
    const kept: Float64Array[] = [];
    let t = 0;
    for (const theta of path) {
      if (++t > burnIn && t % thin === 0) kept.push(theta.slice());
      if (kept.length === count) break;
    }
    return moments(kept);
  };
  const exact = coordinates(
    augmentationGibbs(Rng.seeded(7), from, { data: few, design, collapsed: true }),
    100,
    20_000,
    1,
  );
  const mode = anchor(Rng.seeded(8), from, marginalMixed(design), few);
  const settings = { data: few, design, batch: 8, iterations: 60_500, stepSize: 0.05 };
  const ours = coordinates(anchoredLangevin(Rng.seeded(9), mode, settings), 500, 3000, 20);
  for (const [j, { mean, error }] of ours.entries()) {
    // The posterior is skew, so discretisation shifts the mean too: less than 0.05 sd at this step. One more power of
    // an L_jj in the Jacobian would shift it by about a quarter.
    const tolerance = 4 * Math.hypot(error, exact[j].error) + 0.05 * exact[j].sd;
    expect(Math.abs(mean - exact[j].mean), layout.names[j]).toBeLessThan(tolerance);
  }
});

describe("a step size that is too large", () => {
  it("is halved until the chain is sound, with a message, and the answer is that of a small one", async () => {
    const options = { target: "y", group: "g", fixed: ["x1"], random: ["x1"], preset: "paper" } as const;
    const messages: string[] = [];
    const onMessage = (message: string): void => void messages.push(message);
    const { result } = await fitMixed(data, { ...options, stepSize: 1, iterations: 3000, onMessage });
    expect(messages.length).toBeGreaterThan(3);
    expect(result.diagnostics.halvings).toBe(messages.length);
    expect(result.verdict).toContain(`was halved ${messages.length} times.`);
    expect(result.diagnostics.warnings.join()).toContain(`was halved ${messages.length} times.`);
    expect(result.noiseVariance!.mean).toBeGreaterThan(0.4);
    expect(result.noiseVariance!.mean).toBeLessThan(0.7);
  });
});

it("with the settings of the paper, the verdict calls the means of fixed effects sound and no others", async () => {
  const many = simulatedUnits(Rng.seeded(13), {
    units: 600,
    rows: () => 3,
    beta: [1, -0.5],
    sd: [0.8],
    noise: 1,
  });
  const asked = { target: "y", group: "g", fixed: ["x1"], preset: "paper", iterations: 400 } as const;
  const { result } = await fitMixed(many, asked);
  expect(result.verdict).toContain("only the means of fixed effects are sound");
  expect(result.verdict).not.toMatch(/(?<!of fixed effects )(means )?are sound/);
  // As it says: β is near to the truth, while the standard deviation has hardly left where it began.
  expect(Math.abs(result.fixed[1].mean + 0.5)).toBeLessThan(0.2);
  expect(result.random.sd[0].upper).toBeLessThan(0.8);
});

describe("sleepstudy", () => {
  const theirs = JSON.parse(readFileSync("test/reference/lme4.json", "utf8"));
  const sleep = emptyCrossProducts(["(intercept)", "days"], "reaction", theirs.subjects);
  for (const [i, subject] of theirs.rows.subject.entries()) {
    addRow(sleep, theirs.subjects.indexOf(subject), [1, theirs.rows.days[i], theirs.rows.reaction[i]]);
  }
  const sleepDesign = { columns: sleep.columns, fixed: [0, 1], random: [0, 1] };

  it("has its maximum likelihood where lme4 finds it", () => {
    const [[a], [b, c]] = theirs.covariance;
    const factor = Float64Array.of(a, b, c).map((value) => value / theirs.noiseVariance);
    choleskyInPlace(factor, 0, 2);
    const theta = thetaOf(layoutOf(sleepDesign), theirs.fixed, theirs.noiseVariance, factor);
    const model = marginalMixed(sleepDesign);
    const units = Uint32Array.from(sleep.rows.keys());
    const gradient = new Float64Array(theta.length);
    model.addGrad(gradient, 1, theta, null, { data: sleep, units, weight: 1 });
    model.addGrad(gradient, -1, theta, null, { data: sleep, units: Uint32Array.of(), weight: 1 });
    // lme4 stops at a relative tolerance; per unit of log-likelihood the slope is nothing.
    for (const slope of gradient) expect(Math.abs(slope)).toBeLessThan(2e-3);
  });

  it("has a posterior around lme4's maximum, shifted as the priors and the skew of variances explain", async () => {
    const fit = await fitMixed(sleep, {
      target: "reaction",
      group: "subject",
      fixed: ["days"],
      random: ["days"],
    });
    const { fixed, random, noiseVariance } = fit.result;
    // The prior of β is all but flat and the posterior symmetric: the means agree to a tenth of an error.
    for (const [j, { mean, sd }] of fixed.entries()) {
      expect(Math.abs(mean - theirs.fixed[j])).toBeLessThan(0.1 * theirs.fixedError[j]);
      // Uncertain variances widen the posterior beyond lme4's plug-in error, by about a tenth with 18 groups.
      expect(sd / theirs.fixedError[j]).toBeGreaterThan(1);
      expect(sd / theirs.fixedError[j]).toBeLessThan(1.25);
    }
    // With 18 groups half-t is nearly flat over the likelihood: its maximum is within a standard deviation of the median.
    for (let j = 0; j < 2; j++) {
      const { median, sd, lower, upper } = random.sd[j];
      const theirSd = Math.sqrt(theirs.covariance[j][j]);
      expect(Math.abs(median - theirSd)).toBeLessThan(sd);
      expect(lower).toBeLessThan(theirSd);
      expect(upper).toBeGreaterThan(theirSd);
    }
    expect(noiseVariance!.mean / theirs.noiseVariance).toBeGreaterThan(1);
    expect(noiseVariance!.mean / theirs.noiseVariance).toBeLessThan(1.06);
    const effects = fit.effects();
    for (const [i, row] of (theirs.effects as number[][]).entries()) {
      for (const [j, value] of row.entries()) {
        expect(Math.abs(effects.mean[2 * i + j] - value)).toBeLessThan(0.35 * effects.sd[2 * i + j]);
      }
    }
  });

  it("gives the same answer to the same seed, and another to another", async () => {
    const options = { target: "reaction", group: "subject", fixed: ["days"], iterations: 300 };
    const numbers = async (seed: number) => (await fitMixed(sleep, { ...options, seed })).result.fixed;
    expect(await numbers(1)).toEqual(await numbers(1));
    expect(await numbers(1)).not.toEqual(await numbers(2));
  });

  it("returns what it has, marked as partial, when it is stopped", async () => {
    const abort = new AbortController();
    const { result } = await fitMixed(sleep, {
      target: "reaction",
      group: "subject",
      iterations: 1_000_000,
      burnIn: 100,
      signal: abort.signal,
      onProgress: ({ done }) => {
        // Every 499th is kept: by now there are two and more.
        if (done > 2000) abort.abort();
      },
    });
    expect(result.partial).toBe(true);
    expect(result.fixed[0].mean).toBeGreaterThan(250);
  });
});
