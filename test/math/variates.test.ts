import { describe, expect, it } from "vitest";
import { chiSquareCdf, normalCdf, studentTCdf } from "../../src/math/distributions.js";
import { cholesky, forwardSolve, inverse } from "../../src/math/linear.js";
import { Rng } from "../../src/math/rng.js";
import { incompleteBeta, incompleteGamma, incompleteGammaUpper, logGamma } from "../../src/math/special.js";
import {
  bernoulli,
  beta,
  categorical,
  chiSquare,
  exponential,
  gamma,
  inverseGamma,
  inverseWishart,
  logGammaVariate,
  multivariateNormal,
  poisson,
  studentT,
  wishart,
} from "../../src/math/variates.js";
import { chiSquareP, kolmogorovP, meanZ } from "../goodness.js";

// False-alarm rate for a fresh seed: 1e-4 for each p-value, 6e-5 for each |z| < 4. Seeds are fixed.
const ALPHA = 1e-4;
const Z = 4;
const DRAWS = 50_000;

function agreement(draw: (rng: Rng) => number, cdf: (x: number) => number): number {
  const rng = Rng.seeded(12);
  return kolmogorovP(
    Float64Array.from({ length: DRAWS }, () => draw(rng)),
    cdf,
  );
}

describe("continuous variates follow their distribution functions", () => {
  it("exponential", () => {
    expect(agreement(exponential, (x) => -Math.expm1(-x))).toBeGreaterThan(ALPHA);
  });

  it.each([0.1, 0.5, 0.99, 1, 1.5, 4, 50, 1e4])("gamma of shape %d", (shape) => {
    expect(
      agreement(
        (rng) => gamma(rng, shape),
        (x) => incompleteGamma(shape, x),
      ),
    ).toBeGreaterThan(ALPHA);
  });

  it("the logarithm of a gamma of shape 1e-4, most of whose mass underflows", () => {
    // x^a is uniform for x → 0: P(log G < t) ≈ e^{at}/Γ(1 + a) where e^t is negligible.
    const shape = 1e-4;
    const cdf = (t: number): number =>
      t < -40 ? Math.exp(shape * t - logGamma(1 + shape)) : incompleteGamma(shape, Math.exp(t));
    expect(agreement((rng) => logGammaVariate(rng, shape), cdf)).toBeGreaterThan(ALPHA);
  });

  it.each([0.7, 1, 5, 300])("chi-square with %d degrees of freedom", (freedom) => {
    expect(
      agreement(
        (rng) => chiSquare(rng, freedom),
        (x) => chiSquareCdf(x, freedom),
      ),
    ).toBeGreaterThan(ALPHA);
  });

  it.each([
    [0.4, 2],
    [3, 0.5],
    [1000, 1000],
  ])("inverse gamma of shape %d and scale %d", (shape, scale) => {
    const p = agreement(
      (rng) => inverseGamma(rng, shape, scale),
      (x) => incompleteGammaUpper(shape, scale / x),
    );
    expect(p).toBeGreaterThan(ALPHA);
  });

  it.each([
    [0.5, 0.5],
    [1, 1],
    [2, 5],
    [0.05, 3],
    [200, 300],
  ])("beta %d, %d", (a, b) => {
    expect(
      agreement(
        (rng) => beta(rng, a, b),
        (x) => incompleteBeta(x, a, b),
      ),
    ).toBeGreaterThan(ALPHA);
  });

  it("beta with both parameters 1e-3 sits at the ends and is never NaN", () => {
    const rng = Rng.seeded(4);
    const high = Float64Array.from({ length: 10_000 }, () => {
      const x = beta(rng, 1e-3, 2e-3);
      return x > 0.5 ? 1 : x <= 0.5 ? 0 : Number.NaN;
    });
    expect(Math.abs(meanZ(high, incompleteBeta(0.5, 2e-3, 1e-3)))).toBeLessThan(Z);
  });

  it.each([0.5, 1, 4, 100])("Student's t with %d degrees of freedom", (freedom) => {
    expect(
      agreement(
        (rng) => studentT(rng, freedom),
        (x) => studentTCdf(x, freedom),
      ),
    ).toBeGreaterThan(ALPHA);
  });

  it("a shape that is not positive is an error", () => {
    const rng = Rng.seeded(1);
    for (const shape of [0, -0.5, -2, Number.NaN, Number.POSITIVE_INFINITY])
      expect(() => gamma(rng, shape)).toThrow(RangeError);
  });
});

describe("discrete variates", () => {
  it.each([0.05, 1, 9.99, 10, 35.5, 1000, 1e6])("Poisson of mean %d has its probabilities", (mean) => {
    const rng = Rng.seeded(21);
    // Cells: single counts, or runs of counts, within five deviations; the ends take the tails.
    const width = Math.max(1, Math.floor(Math.sqrt(mean) / 5));
    const start = Math.max(0, Math.floor(mean - 3 * Math.sqrt(mean)));
    const cells = Math.ceil((6 * Math.sqrt(mean) + 1) / width) + 1;
    const counts = new Float64Array(cells);
    for (let i = 0; i < DRAWS; i++) {
      const k = poisson(rng, mean);
      counts[Math.min(cells - 1, Math.max(0, Math.floor((k - start) / width)))] += 1;
    }
    // P(K < k) = Q(k, mean)
    const below = (k: number): number => (k <= 0 ? 0 : incompleteGammaUpper(k, mean));
    const probability = counts.map((_, i) => {
      const from = i === 0 ? 0 : below(start + i * width);
      return (i === cells - 1 ? 1 : below(start + (i + 1) * width)) - from;
    });
    expect(chiSquareP(counts, probability)).toBeGreaterThan(ALPHA);
  });

  it("Poisson of mean 0 is 0, and a negative or infinite mean is an error", () => {
    const rng = Rng.seeded(1);
    for (let i = 0; i < 100; i++) expect(poisson(rng, 0)).toBe(0);
    for (const mean of [-1, Number.NaN, Number.POSITIVE_INFINITY])
      expect(() => poisson(rng, mean)).toThrow(RangeError);
  });

  it("bernoulli has its probability, and 0 and 1 are certain", () => {
    const rng = Rng.seeded(2);
    const hits = Float64Array.from({ length: DRAWS }, () => Number(bernoulli(rng, 0.3)));
    expect(Math.abs(meanZ(hits, 0.3))).toBeLessThan(Z);
    for (let i = 0; i < 1000; i++) expect([bernoulli(rng, 0), bernoulli(rng, 1)]).toEqual([false, true]);
  });

  it.each([0, 5000, -5000])("categorical follows its log weights shifted by %d", (shift) => {
    const rng = Rng.seeded(3);
    const weights = [1, 0, 4, 0.5, 2.5, 0];
    const logs = weights.map((w) => Math.log(w) + shift);
    const counts = new Float64Array(6);
    for (let i = 0; i < DRAWS; i++) counts[categorical(rng, logs)] += 1;
    expect(chiSquareP(counts, weights)).toBeGreaterThan(ALPHA);
  });

  it("categorical refuses weights of which none, or an infinite one, could be drawn", () => {
    const rng = Rng.seeded(3);
    expect(() => categorical(rng, [])).toThrow(RangeError);
    expect(() => categorical(rng, [Number.NEGATIVE_INFINITY])).toThrow(RangeError);
    expect(() => categorical(rng, [0, Number.NaN])).toThrow(RangeError);
  });
});

describe("matrix and vector variates", () => {
  const n = 3;
  const scale = Float64Array.of(2, 0.6, -0.3, 0.6, 1, 0.4, -0.3, 0.4, 0.5);
  const factor = scale.slice();
  if (!cholesky(factor, n)) throw new Error("the scale must be positive definite");

  it("the multivariate normal has independent standard normals behind its factor", () => {
    const rng = Rng.seeded(31);
    const mean = Float64Array.of(1, -2, 3);
    const out = new Float64Array(n);
    const z = Array.from({ length: n }, () => new Float64Array(DRAWS));
    for (let d = 0; d < DRAWS; d++) {
      multivariateNormal(rng, out, mean, factor);
      for (let i = 0; i < n; i++) out[i] -= mean[i];
      forwardSolve(factor, n, out);
      for (let i = 0; i < n; i++) z[i][d] = out[i];
    }
    for (let i = 0; i < n; i++) {
      for (let j = 0; j < i; j++)
        expect(
          Math.abs(
            meanZ(
              z[i].map((x, d) => x * z[j][d]),
              0,
            ),
          ),
        ).toBeLessThan(Z);
    }
    for (let i = 0; i < n; i++) expect(kolmogorovP(z[i], normalCdf)).toBeGreaterThan(ALPHA);
  });

  it("Wishart draws are symmetric, and a'Wa / a'Sa is chi-square for every a", () => {
    const rng = Rng.seeded(32);
    const w = new Float64Array(n * n);
    const directions = [
      [1, 0, 0],
      [0, 0, 1],
      [1, -2, 0.5],
    ];
    const ratios = directions.map(() => new Float64Array(DRAWS));
    for (let d = 0; d < DRAWS; d++) {
      wishart(rng, w, 4.5, factor, n);
      directions.forEach((a, k) => {
        ratios[k][d] = quadratic(w, a) / quadratic(scale, a);
      });
    }
    expect([w[1], w[2], w[5]]).toEqual([w[3], w[6], w[7]]);
    for (const r of ratios) expect(kolmogorovP(r, (x) => chiSquareCdf(x, 4.5))).toBeGreaterThan(ALPHA);
  });

  it("Wishart draws have the variances and covariances of the law, element by element", () => {
    const rng = Rng.seeded(33);
    const freedom = 6;
    const w = new Float64Array(n * n);
    const products = new Map<string, Float64Array>();
    for (let d = 0; d < DRAWS; d++) {
      wishart(rng, w, freedom, factor, n);
      // Cov(W_ij, W_kl) = freedom·(S_ik S_jl + S_il S_jk)
      for (const [i, j, k, l] of [
        [0, 1, 0, 1],
        [0, 1, 1, 2],
        [0, 2, 1, 1],
        [2, 2, 0, 0],
      ]) {
        const key = `${i}${j}${k}${l}`;
        const centred = (a: number, b: number): number => w[a * n + b] - freedom * scale[a * n + b];
        if (!products.has(key)) products.set(key, new Float64Array(DRAWS));
        (products.get(key) as Float64Array)[d] = centred(i, j) * centred(k, l);
      }
    }
    const s = (i: string, j: string): number => scale[Number(i) * n + Number(j)];
    for (const [[i, j, k, l], values] of products) {
      const expected = freedom * (s(i, k) * s(j, l) + s(i, l) * s(j, k));
      expect(Math.abs(meanZ(values, expected))).toBeLessThan(Z);
    }
  });

  it("the inverse of an inverse Wishart draw is Wishart with the inverse scale", () => {
    const rng = Rng.seeded(34);
    const freedom = 5;
    const inverseScale = new Float64Array(n * n);
    inverse(inverseScale, factor, n);
    const draw = new Float64Array(n * n);
    const inverted = new Float64Array(n * n);
    const directions = [
      [1, 0, 0],
      [0, 1, 0],
      [0, 0, 1],
      [1, 1, -1],
    ];
    const ratios = directions.map(() => new Float64Array(20_000));
    const cross = new Float64Array(20_000);
    for (let d = 0; d < cross.length; d++) {
      inverseWishart(rng, draw, freedom, factor, n);
      expect(draw[1]).toBe(draw[3]);
      if (!cholesky(draw, n)) throw new Error("a draw is not positive definite");
      inverse(inverted, draw, n);
      directions.forEach((a, k) => {
        ratios[k][d] = quadratic(inverted, a) / quadratic(inverseScale, a);
      });
      cross[d] = inverted[1] - freedom * inverseScale[1];
    }
    expect(Math.abs(meanZ(cross, 0))).toBeLessThan(Z);
    for (const r of ratios) expect(kolmogorovP(r, (x) => chiSquareCdf(x, freedom))).toBeGreaterThan(ALPHA);
  });

  it("inverse Wishart draws have the mean S / (freedom − n − 1)", () => {
    const rng = Rng.seeded(35);
    const freedom = 12;
    const draws = Array.from({ length: n * n }, () => new Float64Array(DRAWS));
    const draw = new Float64Array(n * n);
    for (let d = 0; d < DRAWS; d++) {
      inverseWishart(rng, draw, freedom, factor, n);
      for (let k = 0; k < n * n; k++) draws[k][d] = draw[k];
    }
    for (let k = 0; k < n * n; k++) {
      expect(Math.abs(meanZ(draws[k], scale[k] / (freedom - n - 1)))).toBeLessThan(Z);
    }
  });

  function quadratic(m: Float64Array, a: readonly number[]): number {
    let sum = 0;
    for (let i = 0; i < n; i++) for (let j = 0; j < n; j++) sum += a[i] * m[i * n + j] * a[j];
    return sum;
  }
});
