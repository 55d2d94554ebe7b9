import { describe, expect, it } from "vitest";
import { mcseMean } from "../../src/diagnostics/mcse.js";
import { normal } from "../../src/math/normal.js";
import { Rng } from "../../src/math/rng.js";
import { anchoredLangevin } from "../../src/mixed/chains.js";
import { expandedGibbs } from "../../src/mixed/expanded-gibbs.js";
import { fitMixed } from "../../src/mixed/fit.js";
import { layoutOf, type MixedDesign, natural } from "../../src/mixed/model/chart.js";
import { type CrossProducts, emptyCrossProducts } from "../../src/mixed/model/crossproducts.js";
import { differsOf } from "../../src/mixed/model/differs.js";
import { marginalMixed } from "../../src/mixed/model/marginal.js";
import { resolutionsOf } from "../../src/mixed/model/resolutions.js";
import {
  logRatio,
  ratioSlope,
  resolutionOf,
  slabBefore,
  slabShare,
} from "../../src/mixed/model/spike-and-slab.js";
import { influenceOf, influenceSentences, logHalfT } from "../../src/mixed/prior-influence.js";
import { anchor, leastSquares } from "../../src/mixed/start.js";
import { everyUnit, simulatedUnits } from "../models/simulated-units.js";
import { balancedPosterior, halfT, inOrOut, slabAndSpike } from "./balanced-posterior.js";

const law = "spike-and-slab";

function sweeps(data: CrossProducts, design: MixedDesign, count: number, seed: number): Float64Array[] {
  const layout = layoutOf(design);
  const out: Float64Array[] = [];
  for (const theta of expandedGibbs(Rng.seeded(seed), new Float64Array(layout.size), { design, data })) {
    out.push(natural(layout, theta));
    if (out.length === count + 200) return out.slice(200);
  }
  return out;
}

/** How far the average of a function of the draws is from what it should be, in Monte Carlo errors. */
function deviation(draws: readonly Float64Array[], truth: number, f: (draw: Float64Array) => number): number {
  const values = Float64Array.from(draws, f);
  return Math.abs(values.reduce((sum, x) => sum + x, 0) / values.length - truth) / mcseMean([values])!;
}

const balanced = (units: number, rows: number, sd: number, seed: number) =>
  simulatedUnits(Rng.seeded(seed), { units, rows: () => rows, beta: [0.5], sd: [sd], noise: 1 });

describe("the density of being in or out", () => {
  const of = resolutionOf(300, 12);

  it("is the sum of spike and slab, and its slope is that of the density", () => {
    for (const x of [1e-3, 0.05, 0.1, 0.25, 0.7, 2, 10, 1000]) {
      const [slab, spike] = slabAndSpike(x, 12);
      expect(logRatio(of, x)).toBeCloseTo(Math.log(slab + spike), 10);
      expect(slabShare(of, x)).toBeCloseTo(slab / (slab + spike), 10);
      const slope = (logRatio(of, x * 1.00001) - logRatio(of, x / 1.00001)) / 2e-5;
      expect(ratioSlope(of, x)).toBeCloseTo(slope, 4);
    }
    expect(of.unit).toBeCloseTo((2 / 300) ** 0.25, 12);
  });

  it("is a number for standard deviations that are zero, or beyond all others", () => {
    for (const x of [1e-120, 1e120]) {
      expect(Number.isFinite(logRatio(of, x))).toBe(true);
      expect(Number.isFinite(ratioSlope(of, x))).toBe(true);
    }
  });

  it("has a share of the slab before the data that a fine sum gives", () => {
    for (const scale of [0.5, 8, 300]) {
      let [inside, outside] = [0, 0];
      for (let log = -14; log < 16; log += 1e-3) {
        const x = Math.exp(log);
        const [slab, spike] = slabAndSpike(x, 12);
        inside += x * slab * halfT(x, scale);
        outside += x * spike * halfT(x, scale);
      }
      expect(slabBefore(of, scale, 2)).toBeCloseTo(inside / (inside + outside), 3);
    }
  });

  it("takes what was before from what is after, for even odds", () => {
    const spreads = [0.2, 0.02, 0.4].map((x) => x * of.unit);
    const { probability, before, after } = differsOf("x", of, spreads, { scale: 3, degrees: 2 });
    expect(after).toBeCloseTo((slabShare(of, 0.2) + slabShare(of, 0.02) + slabShare(of, 0.4)) / 3, 12);
    expect(probability / (1 - probability)).toBeCloseTo((after / (1 - after)) * ((1 - before) / before), 10);
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
      const resolutions = resolutionsOf(data, random).map((own) => ({ ...own, unit: 4 * own.unit }));
      const priors = { law, resolutions, fixedVariance: 3, spread: 0.6 } as const;
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
});

describe("the sampler of effects that are in or out", () => {
  it("has the prior where no group has a row", () => {
    const data = emptyCrossProducts(["(intercept)"], "y", ["a", "b"]);
    const [unit, groups, spread] = [0.3, 20, 0.7];
    const priors = { law, resolutions: [{ unit, groups }], fixedVariance: 1e4, spread } as const;
    const design = { columns: data.columns, fixed: [0], random: [0], priors };
    const draws = sweeps(data, design, 40_000, 5);
    // Both densities by sums over cells that are even in the logarithm.
    const density = inOrOut(unit, groups, spread);
    const grid = Array.from({ length: 400 }, (_, i) => 1e-5 * 1e9 ** ((i + 0.5) / 400));
    const share = (holds: (tau: number, sigma: number) => boolean): number => {
      let [some, all] = [0, 0];
      for (const tau of grid) {
        for (const sigma of grid) {
          const mass = density(tau, sigma) * tau * sigma;
          all += mass;
          if (holds(tau, sigma)) some += mass;
        }
      }
      return some / all;
    };
    // Six comparisons at 4 errors: a false alarm once in 2500 seeds.
    for (const x of [0.3, 3]) {
      expect(
        deviation(
          draws,
          share((tau, sigma) => tau < x * unit * sigma),
          (draw) => Number(Math.sqrt(draw[2] / draw[1]) < x * unit),
        ),
      ).toBeLessThan(4);
    }
    for (const x of [0.3, 1]) {
      expect(
        deviation(
          draws,
          share((tau) => tau < x),
          (draw) => Number(Math.sqrt(draw[2]) < x),
        ),
      ).toBeLessThan(4);
      expect(
        deviation(
          draws,
          share((_, sigma) => sigma < x),
          (draw) => Number(Math.sqrt(draw[1]) < x),
        ),
      ).toBeLessThan(4);
    }
  });

  // Groups that do not differ, a little and much; two groups have a posterior, too.
  it.each([
    [12, 0],
    [12, 0.5],
    [12, 2],
    [2, 1],
  ])(
    "gives the posterior of %d groups that quadrature gives, and the probability that they differ: sd %d",
    (groups, sd) => {
      const rows = 4;
      const data = balanced(groups, rows, sd, 3);
      const [resolution] = resolutionsOf(data, [0]);
      const unit = (2 / (groups * rows ** 2)) ** 0.25;
      expect(resolution).toEqual({ unit, groups });
      const priors = { law, resolutions: [resolution], fixedVariance: 1e4, spread: 3 } as const;
      const draws = sweeps(data, { columns: data.columns, fixed: [0], random: [0], priors }, 20_000, 7);
      const mean = balancedPosterior(data, rows, inOrOut(unit, groups, 3));
      for (const x of [0.02, 0.1, 0.3, 0.6, 1, 2, 3, 10]) {
        const probability = mean((tau) => Number(tau < x));
        if (probability < 0.005 || probability > 0.995) continue;
        // At most eight comparisons a case at 4 errors: a false alarm once in 500 seeds.
        expect(
          deviation(draws, probability, (draw) => Number(Math.sqrt(draw[2]) < x)),
          `at ${x}`,
        ).toBeLessThan(4);
      }
      const differs = mean((tau, sigma) => {
        const [slab, spike] = slabAndSpike(tau / (sigma * unit), groups);
        return slab / (slab + spike);
      });
      const { after } = differsOf(
        "",
        resolution,
        draws.map((draw) => Math.sqrt(draw[2] / draw[1])),
        { scale: 3, degrees: 2 },
      );
      const error = mcseMean([
        Float64Array.from(draws, (d) => slabShare(resolution, Math.sqrt(d[2] / d[1]) / unit)),
      ]);
      expect(Math.abs(after - differs)).toBeLessThan(4 * (error || 0) + 1e-3);
    },
  );

  it("agrees with anchored mini-batches where groups differ for sure", () => {
    const data = simulatedUnits(Rng.seeded(11), {
      units: 300,
      rows: () => 6,
      beta: [1, -0.5],
      sd: [0.8, 0.5],
      noise: 0.7,
    });
    const resolutions = resolutionsOf(data, [0, 1]);
    const priors = { law, resolutions, fixedVariance: 1e4, spread: 3 } as const;
    const design = { columns: data.columns, fixed: [0, 1], random: [0, 1], priors };
    const layout = layoutOf(design);
    const gibbs = sweeps(data, design, 4000, 1);
    const mode = anchor(Rng.seeded(4), leastSquares(data, design), marginalMixed(design), data);
    const settings = { data, design, batch: 50, iterations: 30_500, stepSize: 0.1 };
    const ours: Float64Array[] = [];
    let t = 0;
    for (const theta of anchoredLangevin(Rng.seeded(5), mode, settings)) {
      if (++t > 500 && t % 10 === 0) ours.push(natural(layout, theta));
    }
    for (const j of ours[0].keys()) {
      const [one, other] = [gibbs, ours].map((draws) => {
        const values = Float64Array.from(draws, (draw) => draw[j]);
        const mean = values.reduce((sum, x) => sum + x, 0) / values.length;
        return { mean, error: mcseMean([values])! };
      });
      // Six numbers at 4 errors of both: a false alarm once in 2500 seeds.
      expect(Math.abs(one.mean - other.mean), layout.names[j]).toBeLessThan(
        4 * Math.hypot(one.error, other.error),
      );
    }
  });
});

describe("what is said of effects that are in or out", () => {
  it("is that the scale of half-t decides, where it does", () => {
    const draws = Array.from({ length: 400 }, (_, i) => (i + 0.5) / 40);
    const decided = { name: "x", groups: "the 3 groups", moves: 0.9, ratio: 1.8, share: 0.5 };
    expect(influenceSentences([decided], law)[0]).toContain(
      'how "x" differs between the 3 groups: under a prior without a scale its standard deviation would be about 1.8 times as large',
    );
    expect(influenceSentences([decided], "half-t")[0]).toContain("under a flat prior");
    // What half-t takes from the draws is given back: a scale far beyond them decides nothing, one far below does.
    const influence = (scale: number) =>
      influenceOf(draws.map((sd) => ({ value: sd, log: logHalfT(sd, 2, scale) })));
    expect(Math.abs(influence(100).moves)).toBeLessThan(0.05);
    expect(influence(0.5).moves).toBeGreaterThan(0.5);
  });

  it("is a probability near one for groups that differ, and a small one for others", async () => {
    const asked = { target: "y", group: "g" } as const;
    const [much, none] = await Promise.all(
      [balanced(40, 10, 1, 8), balanced(40, 10, 0, 9)].map((data) => fitMixed(data, asked)),
    );
    const [sure] = much.result.random.differs ?? [];
    expect(sure.name).toBe("intercept");
    expect(sure.probability).toBeGreaterThan(0.999);
    const [open] = none.result.random.differs ?? [];
    expect(open.after).toBeLessThan(open.before);
    expect(open.probability).toBeLessThan(0.5);
    expect(none.result.verdict).toBe("No problems found.");
    expect(none.result.prior).toMatch(
      /^every effect is in or out: .* half-t with 2 degrees of freedom .* 3 times that of the target/,
    );
    expect(none.result.settings.priors.resolutions[0].groups).toBe(40);
    const plain = await fitMixed(balanced(40, 10, 1, 8), { ...asked, prior: "half-t" });
    expect(plain.result.random.differs).toBeUndefined();
    expect(plain.result.prior).toMatch(
      /^half-t with 2 degrees of freedom on every standard deviation, its scale that/,
    );
  });
});
