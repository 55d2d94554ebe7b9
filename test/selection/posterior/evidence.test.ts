import { describe, expect, it } from "vitest";
import { type JudgedColumns, referenceJudging } from "../../../src/kernels/outsiders.js";
import { wasmJudging } from "../../../src/kernels/wasm-outsiders.js";
import { studentTCdf } from "../../../src/math/distributions.js";
import { Rng } from "../../../src/math/rng.js";
import { Evidence } from "../../../src/selection/posterior/evidence.js";
import type { FixedSlab } from "../../../src/selection/posterior/slab.js";
import { inner, invert, times } from "../../dense.js";
import { centred, type Regression, regression, statisticsOf } from "../problems.js";

const SLABS: FixedSlab[] = [
  { kind: "independent", scale: 0.7 },
  { kind: "zellner", scale: 25 },
];
const NOISES = [undefined, 1.7];
const CASES = SLABS.flatMap((slab) =>
  NOISES.flatMap((noise) => [true, false].map((flat) => ({ slab, noise, flat }))),
);
const title = ({ slab, noise, flat }: (typeof CASES)[number]) =>
  `slab ${slab.kind}, noise ${noise ?? "unknown"}, ${flat ? "flat" : "no"} intercept`;

const problem = (seed = 5): Regression =>
  regression(Rng.seeded(seed), {
    rows: 14,
    beta: [1, 0, -0.8, 0, 0.4, 0, 0],
    correlation: 0.6,
    noise: 1.2,
  });

/**
 * log p(y | S) with all constants, from the law of the data and nothing else. The slab makes Xβ a Gaussian vector,
 * so y ~ N(0, σ²I + K); with σ² unknown and K = σ²K₀, ∫ p(y | σ²) dσ²/σ² is a ratio of gamma functions times
 * |I + K₀|^(−½)(y'(I + K₀)⁻¹y)^(−n/2). A flat intercept leaves the n − 1 contrasts of y.
 */
function logMarginalOfData(data: Regression, members: readonly number[], c: (typeof CASES)[number]): number {
  const rows = data.y.length;
  const contrasts = c.flat ? helmert(rows) : identity(rows);
  const y = times(contrasts, data.y);
  const x = members.map((j) => times(contrasts, data.columns[j]));
  const n = y.length;
  const inverse = x.length > 0 ? invert(x.map((a) => x.map((b) => inner(a, b)))).inverse : [];
  const covariance = identity(n).map((row, r) =>
    row.map((one, s) => {
      let k = 0;
      for (let a = 0; a < x.length; a++) {
        if (c.slab.kind === "independent") k += c.slab.scale * x[a][r] * x[a][s];
        else for (let b = 0; b < x.length; b++) k += c.slab.scale * x[a][r] * inverse[a][b] * x[b][s];
      }
      // The independent slab is scaled by σ² only where σ² is unknown; Zellner's always is.
      if (c.noise === undefined) return one + k;
      return c.slab.kind === "zellner" ? c.noise * (one + k) : c.noise * one + k;
    }),
  );
  const dense = invert(covariance);
  const square = inner(y, times(dense.inverse, y));
  return c.noise === undefined
    ? -0.5 * dense.logDeterminant - 0.5 * n * Math.log(square)
    : -0.5 * dense.logDeterminant - 0.5 * square;
}

const identity = (n: number): number[][] =>
  Array.from({ length: n }, (_, i) => Array.from({ length: n }, (_, j) => (i === j ? 1 : 0)));

/** n − 1 orthonormal rows that are orthogonal to the constant. */
function helmert(n: number): number[][] {
  return Array.from({ length: n - 1 }, (_, k) =>
    Array.from({ length: n }, (_, i) => {
      const m = k + 1;
      return i < m ? 1 / Math.sqrt(m * (m + 1)) : i === m ? -m / Math.sqrt(m * (m + 1)) : 0;
    }),
  );
}

const with_ = (members: readonly number[], j: number) => [...members, j];
const without = (members: readonly number[], j: number) => members.filter((member) => member !== j);

describe.each(CASES)("evidence: $slab.kind, noise $noise, flat intercept $flat", (c) => {
  const data = problem();
  const statistics = statisticsOf(data, c.flat);
  const empty = logMarginalOfData(data, [], c);
  const expected = (members: readonly number[]) => logMarginalOfData(data, members, c) - empty;

  it(`follows the law of the data while variables come and go (${title(c)})`, () => {
    const rng = Rng.seeded(11);
    const evidence = new Evidence(statistics, c.slab, c.noise);
    const zero = evidence.logMarginal();
    const gains = new Float64Array(statistics.size);
    // More than 500 removals, so that the periodic rebuilding is crossed; the law is checked now and then.
    for (let t = 0; t < 1500; t++) {
      const j = rng.below(statistics.size);
      if (evidence.place[j] >= 0) evidence.remove(j);
      else evidence.add(j);
      if (t % 23 !== 0) continue;
      const here = expected(evidence.members);
      expect(evidence.logMarginal() - zero).toBeCloseTo(here, 8);
      evidence.gainsOfMembers(gains);
      evidence.members.forEach((member, i) => {
        expect(gains[i]).toBeCloseTo(here - expected(without(evidence.members, member)), 8);
      });
      for (let outside = 0; outside < statistics.size; outside++) {
        if (evidence.place[outside] >= 0) continue;
        const gain = expected(with_(evidence.members, outside)) - here;
        expect(evidence.gainOfAdding(outside)).toBeCloseTo(gain, 8);
      }
    }
  });

  it("judges a column that is no candidate as if it were one, added or in exchange for a member", () => {
    const inside = { columns: data.columns.slice(0, 5), y: data.y };
    const evidence = new Evidence(statisticsOf(inside, c.flat), c.slab, c.noise);
    const logPrior = -1.3;
    const logPriorOfLeaving = 0.9;
    for (const members of [[], [3], [4, 0, 2]]) {
      evidence.rebuild(members);
      // The first member may not leave.
      const terms = evidence.outsiders(logPrior, logPriorOfLeaving, members.slice(1));
      for (const j of [5, 6]) {
        const asked: JudgedColumns = {
          count: 1,
          cross: Array.from({ length: 5 }, (_, i) => Float64Array.of(statistics.gram[j * 7 + i])),
          own: Float64Array.of(statistics.gram[j * 7 + j]),
          target: Float64Array.of(statistics.cross[j]),
        };
        const here = expected(members);
        let wanted = Math.exp(expected([...members, j]) - here + logPrior);
        let lacking = 1;
        for (const i of members.slice(1)) {
          wanted += Math.exp(expected(with_(without(members, i), j)) - here);
          lacking += Math.exp(expected(without(members, i)) - here + logPriorOfLeaving);
        }
        const joined = Math.exp(expected([...members, j]) - here + logPrior);
        const parts = [members, ...members.slice(1).map((i) => without(members, i))].map((others, m) => {
          const whole = new Evidence(statistics, c.slab, c.noise);
          whole.rebuild([...others, j]);
          const { mean, covariance, freedom } = whole.posterior();
          const at = others.length;
          const weight = Math.exp(expected([...others, j]) - here + (m === 0 ? logPrior : 0)) / wanted;
          return { weight, mean: mean[at], scale: Math.sqrt(covariance[at * (at + 1) + at]), freedom };
        });
        const average = (f: (part: (typeof parts)[0]) => number) =>
          parts.reduce((sum, part) => sum + part.weight * f(part), 0);
        const tails = (freedom: number) => (Number.isFinite(freedom) ? freedom / (freedom - 2) : 1);
        for (const judging of [referenceJudging, wasmJudging]) {
          judging([[{ terms, share: 1 }]])(asked, (_, said) => {
            const [weight] = said.weight;
            expect(Math.log(weight)).toBeCloseTo(Math.log(wanted), 8);
            expect(terms.weight).toBeCloseTo(lacking, 8);
            expect(said.exchange[0] / lacking).toBeCloseTo(Math.max(0, wanted / lacking - joined), 8);
            expect(said.mean[0] / weight).toBeCloseTo(
              average(({ mean }) => mean),
              9,
            );
            expect(said.square[0] / weight).toBeCloseTo(
              average(({ mean, scale, freedom }) => mean ** 2 + scale ** 2 * tails(freedom)),
              9,
            );
            expect(said.positive[0] / weight).toBeCloseTo(
              average(({ mean, scale, freedom }) => studentTCdf(mean / scale, freedom)),
              7,
            );
          });
        }
      }
    }
  });

  it("has the posterior of conjugate regression", () => {
    const members = [4, 0, 2, 5];
    const x = members.map((j) => (c.flat ? centred(data.columns[j]) : data.columns[j]));
    const y = c.flat ? centred(data.y) : data.y;
    // Prior precision P in units of 1/σ²: I/v, Iσ²/v where the slab does not know σ², or X'X/g.
    const gram = x.map((a) => x.map((b) => inner(a, b)));
    const precision = gram.map((row, i) =>
      row.map((value, j) => {
        if (c.slab.kind === "zellner") return value * (1 + 1 / c.slab.scale);
        return value + (i === j ? (c.noise ?? 1) / c.slab.scale : 0);
      }),
    );
    const { inverse } = invert(precision);
    const cross = x.map((a) => inner(a, y));
    const mean = times(inverse, cross);
    const residual = inner(y, y) - inner(cross, mean);
    const noise = c.noise ?? residual / statistics.freedom;

    const evidence = new Evidence(statistics, c.slab, c.noise);
    evidence.rebuild(members);
    const posterior = evidence.posterior();
    expect(posterior.members).toEqual(members);
    expect(posterior.freedom).toBe(c.noise === undefined ? statistics.freedom : Number.POSITIVE_INFINITY);
    mean.forEach((value, i) => {
      expect(posterior.mean[i]).toBeCloseTo(value, 10);
    });
    inverse.forEach((row, i) => {
      row.forEach((value, j) => {
        expect(posterior.covariance[i * 4 + j]).toBeCloseTo(noise * value, 10);
      });
    });
    expect(posterior.residualSquares).toBeCloseTo(residual, 8);
  });
});

describe("evidence of models for which memory has to grow", () => {
  // Small models first: each size is the first of its kind that asks for an inverse.
  const sizes = [4, 12, 40, 120];
  const beta = Array.from({ length: Math.max(...sizes) }, (_, j) => (j % 3) - 1);
  const data = regression(Rng.seeded(6), { rows: 2 * beta.length, beta, correlation: 0.3, noise: 1 });
  const statistics = statisticsOf(data, true);

  it.each(sizes)("tells what each of %i members is worth", (size) => {
    const members = Array.from({ length: size }, (_, j) => j);
    const evidence = new Evidence(statistics, SLABS[0], undefined);
    evidence.rebuild(members);
    const here = evidence.logMarginal();
    const gains = new Float64Array(size);
    evidence.gainsOfMembers(gains);
    members.forEach((member, i) => {
      evidence.rebuild(without(members, member));
      expect(gains[i]).toBeCloseTo(here - evidence.logMarginal(), 8);
    });
  });
});

describe("evidence against quadrature", () => {
  const rows = 9;
  const { columns, y } = regression(Rng.seeded(3), {
    rows,
    beta: [0.6, -0.3],
    correlation: 0.3,
    noise: 0.8,
  });
  const logNormal = (x: number, variance: number) =>
    -0.5 * Math.log(2 * Math.PI * variance) - (0.5 * x * x) / variance;
  const logLikelihood = (beta: readonly number[], variance: number) =>
    y.reduce((sum, value, i) => {
      const eta = beta.reduce((total, b, j) => total + b * columns[j][i], 0);
      return sum + logNormal(value - eta, variance);
    }, 0);
  /** Midpoint rule on a wide box; the integrands are smooth and die off long before its edge. */
  const grid = (low: number, high: number, n: number) =>
    Array.from({ length: n }, (_, i) => low + ((i + 0.5) * (high - low)) / n);
  const v = 0.7;
  const statistics = statisticsOf({ columns, y }, false);
  const bayesFactor = (noise: number | undefined, members: number[]) => {
    const evidence = new Evidence(statistics, { kind: "independent", scale: v }, noise);
    const empty = evidence.logMarginal();
    evidence.rebuild(members);
    return evidence.logMarginal() - empty;
  };

  it("integrates two coefficients with known variance, the slab in units of the data", () => {
    const noise = 0.5;
    let total = 0;
    const betas = grid(-6, 6, 400);
    for (const a of betas) {
      for (const b of betas) {
        total += Math.exp(logLikelihood([a, b], noise) + logNormal(a, v) + logNormal(b, v)) * 0.03 ** 2;
      }
    }
    expect(bayesFactor(noise, [0, 1])).toBeCloseTo(Math.log(total) - logLikelihood([], noise), 6);
  });

  it("integrates a coefficient and σ² under 1/σ², the slab scaled by σ²", () => {
    // In s = log σ² the prior is flat; β = σ·z.
    const logs = grid(-7, 9, 800);
    const zs = grid(-12, 12, 600);
    let full = 0;
    let empty = 0;
    for (const s of logs) {
      const variance = Math.exp(s);
      empty += Math.exp(logLikelihood([], variance)) * 0.02;
      for (const z of zs) {
        full += Math.exp(logLikelihood([z * Math.sqrt(variance)], variance) + logNormal(z, v)) * 0.02 * 0.04;
      }
    }
    expect(bayesFactor(undefined, [0])).toBeCloseTo(Math.log(full / empty), 6);
  });
});

describe("evidence of collinear columns", () => {
  const base = problem(8);
  const data = { y: base.y, columns: [...base.columns.slice(0, 2), base.columns[0].map((x) => -2 * x)] };

  it("refuses a combination of members under Zellner's slab, which is improper there", () => {
    const evidence = new Evidence(statisticsOf(data, true), { kind: "zellner", scale: 14 }, undefined);
    expect(evidence.canAdd(2)).toBe(true);
    evidence.add(0);
    expect(evidence.canAdd(2)).toBe(false);
    expect(evidence.gainOfAdding(2)).toBe(Number.NEGATIVE_INFINITY);
    evidence.remove(0);
    expect(evidence.canAdd(2)).toBe(true);
  });

  it("lets a duplicate in under the independent slab, however weak the ridge", () => {
    const twice = { y: base.y, columns: [base.columns[0], base.columns[0]] };
    const statistics = statisticsOf(twice, true);
    for (const v of [1, 1e6, 1e10]) {
      const evidence = new Evidence(statistics, { kind: "independent", scale: v }, 1);
      evidence.add(0);
      // The second copy's pivot is ρ(2G + ρ)/(G + ρ), and the fit grows from b²/(G + ρ) to b²/(G + ρ/2).
      const [g, b, rho] = [statistics.gram[0], statistics.cross[0], 1 / v];
      const better = (0.5 * b * b * rho) / 2 / ((g + rho) * (g + rho / 2));
      const gain = -0.5 * Math.log((2 * g + rho) / (g + rho)) + better;
      expect(evidence.gainOfAdding(1)).toBeCloseTo(gain, 3);
    }
  });
});
