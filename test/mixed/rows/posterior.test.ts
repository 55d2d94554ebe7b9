import { describe, expect, it } from "vitest";
import { mcseMean } from "../../../src/diagnostics/mcse.js";
import { familyNamed } from "../../../src/families/register.js";
import { normal } from "../../../src/math/normal.js";
import { Rng } from "../../../src/math/rng.js";
import { poisson } from "../../../src/math/variates.js";
import { expandedGibbs } from "../../../src/mixed/expanded-gibbs.js";
import type { Variable } from "../../../src/mixed/formula/variables.js";
import { layoutOf, natural } from "../../../src/mixed/model/chart.js";
import { addRow, emptyCrossProducts } from "../../../src/mixed/model/crossproducts.js";
import { resolutionsOf } from "../../../src/mixed/model/resolutions.js";
import type { Frame, FrameTerm } from "../../../src/mixed/rows/frame.js";
import { gaussianRows } from "../../../src/mixed/rows/gaussian-rows.js";
import { glmRows } from "../../../src/mixed/rows/glm-rows.js";
import { prepare } from "../../../src/mixed/rows/prepare.js";
import type { RowsPriors } from "../../../src/mixed/rows/problem.js";
import { startOf } from "../../../src/mixed/rows/rows-start.js";

const intercept: Variable = { name: "(intercept)", parts: [], values: undefined };

function term(codes: readonly number[], variables: readonly Variable[] = [intercept]): FrameTerm {
  const levels = Array.from({ length: Math.max(...codes) + 1 }, (_, j) => `l${j}`);
  return { group: "g", columns: ["g"], variables, levels, codes: Int32Array.from(codes) };
}

function frameOf(y: Float64Array, fixed: readonly Variable[], terms: readonly FrameTerm[]): Frame {
  return { rows: y.length, y, fixed, terms, rowOf: (i) => i + 1, categories: {}, warnings: [], notes: [] };
}

/** Draws in the units of the data, after the first two hundred. */
function drawsOf(
  frame: Frame,
  name: Parameters<typeof familyNamed>[0],
  settings: {
    law: RowsPriors["law"];
    count: number;
    seed: number;
    weights?: Float64Array;
    precision: number;
    spread: number;
  },
): Float64Array[] {
  const { law, count, seed, weights, precision: fixedPrecision, spread } = settings;
  const family = familyNamed(name);
  const priors = { fixedPrecision, law, degrees: 2, spread };
  const { problem, read } = prepare(frame, { family, priors, y: frame.y, weights });
  const rng = Rng.seeded(seed);
  const sampler = family.quadratic ? gaussianRows : glmRows;
  const out: Float64Array[] = [];
  for (const state of sampler(rng, problem, startOf(rng, problem))) {
    out.push(read(state));
    if (out.length === count + 200) break;
  }
  return out.slice(200);
}

/** How far the share of draws below x is from a probability, in Monte Carlo errors. */
function deviation(draws: readonly Float64Array[], j: number, x: number, probability: number): number {
  const below = Float64Array.from(draws, (draw) => Number(draw[j] < x));
  const share = below.reduce((sum, value) => sum + value, 0) / below.length;
  return Math.abs(share - probability) / mcseMean([below])!;
}

/** Mean 0 and standard deviation 1, so that standard coordinates are those of the data. */
function standard(values: Float64Array): Float64Array {
  const mean = values.reduce((sum, v) => sum + v, 0) / values.length;
  const sd = Math.sqrt(values.reduce((sum, v) => sum + (v - mean) ** 2, 0) / values.length);
  return values.map((v) => (v - mean) / sd);
}

const halfT = (sd: number, scale: number): number => (1 + (sd / scale) ** 2 / 2) ** -1.5;

const LAWS = ["half-t", "spike-and-slab"] as const;

/** Of a standard deviation of effects, from the information of each level: the sums of squares of their weights. */
function density(law: RowsPriors["law"], scale: number, information: readonly number[]) {
  const unit = (2 / information.reduce((sum, each) => sum + each ** 2, 0)) ** 0.25;
  return (sd: number, noise = 1): number => {
    if (law === "half-t") return halfT(sd, scale);
    const x = sd / (noise * unit);
    const slab = ((x / (1 + Math.sqrt(2 / information.length) * x * x)) * x * x) / (x * x + 0.5);
    const spike = 0.35 * 2 * (Math.exp(-50 * x * x) / (0.1 * Math.sqrt(2 * Math.PI)));
    return (halfT(sd, scale) * (slab + spike)) / noise;
  };
}

describe("numbers in two groupings", () => {
  const rows = 18;
  const designs: Record<string, [readonly number[], readonly number[]]> = {
    crossed: [
      Array.from({ length: rows }, (_, i) => i % 4),
      Array.from({ length: rows }, (_, i) => (i * 7) % 5),
    ],
    nested: [Array.from({ length: rows }, (_, i) => i % 3), Array.from({ length: rows }, (_, i) => i % 9)],
  };

  it.each(Object.entries(designs).flatMap(([name, codes]) => LAWS.map((law) => [name, law, codes] as const)))(
    "%s have the posterior that quadrature over dense covariances gives: %s",
    (_, law, [a, b]) => {
      const rng = Rng.seeded(4);
      const effects = [0.8, 0.5].map((sd) => Float64Array.from({ length: 10 }, () => sd * normal(rng)));
      const x = standard(Float64Array.from({ length: rows }, () => normal(rng)));
      const y = standard(
        x.map((value, i) => 0.5 * value + effects[0][a[i]] + effects[1][b[i]] + 0.6 * normal(rng)),
      );
      const weights = Float64Array.from({ length: rows }, (_, i) => 1 + (i % 2));
      const frame = frameOf(
        y,
        [intercept, { name: "x", parts: [{ column: "x" }], values: x }],
        [term(a), term(b)],
      );
      const draws = drawsOf(frame, "gaussian", {
        law,
        count: 12_000,
        seed: 6,
        weights,
        precision: 1e-4,
        spread: 1,
      });
      const sums = (codes: readonly number[]) =>
        [...new Set(codes)].map((code) =>
          weights.reduce((sum, w, i) => sum + (codes[i] === code ? w : 0), 0),
        );
      const priors = [density(law, 1, sums(a)), density(law, 1, sums(b))] as const;
      const truth = denseQuadrature(y, x, weights, a, b, priors);
      // Three standard deviations: twelve comparisons a case at 4 errors, a false alarm once in 300 seeds.
      for (const [j, which] of [
        [2, 2],
        [3, 0],
        [4, 1],
      ]) {
        for (const sd of [0.1, 0.35, 0.6, 1]) {
          const probability = truth(which, sd);
          if (probability < 0.01 || probability > 0.99) continue;
          expect(deviation(draws, j, sd * sd, probability), `${which} below ${sd}`).toBeLessThan(4);
        }
      }
    },
  );
});

/** P(sd < x) of the two groupings and of the noise, by a grid over all three. */
function denseQuadrature(
  y: Float64Array,
  x: Float64Array,
  weights: Float64Array,
  a: readonly number[],
  b: readonly number[],
  priors: readonly [(sd: number, noise: number) => number, (sd: number, noise: number) => number],
): (which: number, x: number) => number {
  const n = y.length;
  const cells: [number[], number][] = [];
  // Midpoints in the logarithm, so that the cells end at the limits asked for below.
  const grid = (from: number, to: number, count: number) =>
    Array.from({ length: count }, (_, i) => from * (to / from) ** ((i + 0.5) / count));
  // A spike may be as narrow as a hundredth.
  const spreads = grid(0.0015, 30, 50);
  for (const one of spreads) {
    for (const other of spreads) {
      for (const noise of grid(0.2, 2, 24)) {
        const v: number[][] = Array.from({ length: n }, (_, i) =>
          Array.from({ length: n }, (__, k) => {
            const shared = (a[i] === a[k] ? one * one : 0) + (b[i] === b[k] ? other * other : 0);
            // β ~ N(0, 10⁴) is integrated out as two more effects that all rows share.
            return shared + 1e4 * (1 + x[i] * x[k]) + (i === k ? (noise * noise) / weights[i] : 0);
          }),
        );
        let log = 0;
        const u = Array.from(y);
        for (let i = 0; i < n; i++) {
          for (let k = 0; k <= i; k++) {
            let sum = v[i][k];
            for (let l = 0; l < k; l++) sum -= v[i][l] * v[k][l];
            v[i][k] = k === i ? Math.sqrt(sum) : sum / v[k][k];
          }
          for (let k = 0; k < i; k++) u[i] -= v[i][k] * u[k];
          u[i] /= v[i][i];
          log -= Math.log(v[i][i]) + 0.5 * u[i] * u[i];
        }
        const prior = priors[0](one, noise) * priors[1](other, noise) * halfT(noise, 1);
        cells.push([[one, other, noise], Math.exp(log + 40) * prior * one * other * noise]);
      }
    }
  }
  const total = cells.reduce((sum, [, mass]) => sum + mass, 0);
  return (which, limit) => {
    // Linear in the logarithm within the cell that holds the limit.
    const step = which === 2 ? Math.log(10) / 24 : Math.log(20_000) / 50;
    const mass = cells.reduce((sum, [at, cell]) => {
      const share = (Math.log(limit) - Math.log(at[which])) / step + 0.5;
      return sum + cell * Math.min(1, Math.max(0, share));
    }, 0);
    return mass / total;
  };
}

describe("classes and counts in groups", () => {
  const codes = Array.from({ length: 40 }, (_, i) => i % 5);
  const rng = Rng.seeded(9);
  const levels = Float64Array.from({ length: 5 }, () => 1.2 * normal(rng));
  const targets = {
    binomial: Float64Array.from(codes, (j) => Number(rng.uniform() < 1 / (1 + Math.exp(-0.3 - levels[j])))),
    poisson: Float64Array.from(codes, (j) => poisson(rng, Math.exp(0.2 + 0.5 * levels[j]))),
  };
  const logs = {
    binomial: (y: number, eta: number) => y * eta - Math.log(1 + Math.exp(eta)),
    poisson: (y: number, eta: number) => y * eta - Math.exp(eta),
  };

  it.each((["binomial", "poisson"] as const).flatMap((name) => LAWS.map((law) => [name, law] as const)))(
    "have the posterior that quadrature gives: %s, %s",
    (name, law) => {
      const y = targets[name];
      const frame = frameOf(y, [intercept], [term(codes)]);
      const draws = drawsOf(frame, name, { law, count: 12_000, seed: 3, precision: 0.01, spread: 2.5 });
      const mean = y.reduce((sum, v) => sum + v, 0) / y.length;
      const information = levels.map(() => 8 * (name === "binomial" ? mean * (1 - mean) : mean));
      const prior = density(law, 2.5, [...information]);
      const sums = levels.map((_, j) => y.reduce((sum, v, i) => sum + (codes[i] === j ? v : 0), 0));
      const cells: [number, number, number][] = [];
      for (let beta = -6; beta <= 6; beta += 0.1) {
        for (let logSd = Math.log(0.004); logSd < Math.log(60); logSd += 0.08) {
          const sd = Math.exp(logSd);
          let log = -0.005 * beta * beta + Math.log(prior(sd)) + logSd;
          for (const sum of sums) {
            // Eight rows a level: the integral over its effect, in standard deviations of it.
            let integral = 0;
            for (let z = -6; z <= 6; z += 0.1) {
              const eta = beta + sd * z;
              integral += Math.exp(8 * logs[name](sum / 8, eta) - 0.5 * z * z + 20);
            }
            log += Math.log(integral);
          }
          cells.push([beta, sd, Math.exp(log - 60)]);
        }
      }
      const total = cells.reduce((all, [, , mass]) => all + mass, 0);
      const share = (holds: (beta: number, sd: number) => boolean) =>
        cells.reduce((all, [beta, sd, mass]) => all + (holds(beta, sd) ? mass : 0), 0) / total;
      for (const limit of [-0.5, 0.25, 1]) {
        const probability =
          0.5 * (share((beta) => beta < limit - 1e-9) + share((beta) => beta < limit + 1e-9));
        if (probability > 0.01 && probability < 0.99) {
          expect(deviation(draws, 0, limit, probability), `β below ${limit}`).toBeLessThan(4);
        }
      }
      for (const limit of [0.15, 0.5, 1, 2]) {
        // The cells of the grid end half a step before and after.
        const low = share((_, sd) => Math.log(sd) + 0.04 < Math.log(limit));
        const high = share((_, sd) => Math.log(sd) - 0.04 < Math.log(limit));
        const gap = Math.abs(high - low);
        if (low < 0.01 || high > 0.99) continue;
        const error = deviation(draws, 1, limit * limit, 0.5 * (low + high));
        expect(error, `sd below ${limit}`).toBeLessThan(4 + gap * 40);
      }
    },
  );
});

it.each(LAWS)("agrees with the sampler over cross-products on slopes that differ, correlated: %s", (law) => {
  const rng = Rng.seeded(12);
  const x = standard(Float64Array.from({ length: 120 }, () => normal(rng)));
  const codes = Array.from(x, (_, i) => i % 15);
  const effects = Array.from({ length: 15 }, () => [0.7 * normal(rng), 0.5 * normal(rng)]);
  const y = standard(
    x.map((v, i) => effects[codes[i]][0] + (0.4 + effects[codes[i]][1]) * v + 0.7 * normal(rng)),
  );
  const slope = { name: "x", parts: [{ column: "x" }], values: x };
  const frame = frameOf(y, [intercept, slope], [term(codes, [intercept, slope])]);
  const ours = drawsOf(frame, "gaussian", { law, count: 8000, seed: 2, precision: 1e-4, spread: 1 });
  const data = emptyCrossProducts(["(intercept)", "x"], "y", codes.slice(0, 15).map(String));
  for (const [i, code] of codes.entries()) addRow(data, code, [1, x[i], y[i]]);
  const resolutions = resolutionsOf(data, [0, 1]);
  const priors = { law, resolutions, spread: 1, fixedVariance: 1e4 } as const;
  const design = { columns: data.columns, fixed: [0, 1], random: [0, 1], priors };
  const layout = layoutOf(design);
  const theirs: Float64Array[] = [];
  for (const theta of expandedGibbs(Rng.seeded(5), new Float64Array(layout.size), { data, design })) {
    theirs.push(natural(layout, theta));
    if (theirs.length === 8100) break;
  }
  const moments = (draws: readonly Float64Array[], j: number) => {
    const values = Float64Array.from(draws, (draw) =>
      j > 2 ? Math.abs(draw[j]) ** 0.25 * Math.sign(draw[j]) : draw[j],
    );
    return { mean: values.reduce((sum, v) => sum + v, 0) / values.length, error: mcseMean([values])! };
  };
  // Six numbers at 4 errors of both: a false alarm once in 2600 seeds.
  for (let j = 0; j < 6; j++) {
    const [one, other] = [moments(ours, j), moments(theirs.slice(100), j)];
    expect(Math.abs(one.mean - other.mean), `number ${j}`).toBeLessThan(
      4 * Math.hypot(one.error, other.error),
    );
  }
});
