import { beforeAll, describe, expect, it } from "vitest";
import type { Kernels } from "../../src/kernels/interface.js";
import { Rng } from "../../src/math/rng.js";
import { arena, implementations } from "./implementations.js";

const families = ["binomial", "poisson"] as const;
type Family = (typeof families)[number];

/** The families in one line each, in float64: what the kernels must give where nothing saturates. */
const softplus = (x: number) => Math.max(x, 0) + Math.log1p(Math.exp(-Math.abs(x)));
const mean = {
  binomial: (eta: number) => 1 / (1 + Math.exp(-eta)),
  poisson: (eta: number) => Math.exp(eta),
};
const weight = {
  binomial: (eta: number) => mean.binomial(eta) * mean.binomial(-eta),
  poisson: mean.poisson,
};
const logLikelihood = {
  binomial: (eta: number, y: number) => -y * softplus(-eta) - (1 - y) * softplus(eta),
  poisson: (eta: number, y: number) => y * eta - Math.exp(eta),
};

const sum = (values: number[]) => values.reduce((s, v) => s + v, 0);

/** Rows of either family: a linear predictor within ±`width`, a step within ±`reach`, and a target. */
function draw(family: Family, n: number, width: number, reach: number) {
  const rng = Rng.seeded(31 + n);
  const within = (bound: number) => Float32Array.from({ length: n }, () => bound * (2 * rng.uniform() - 1));
  const eta = within(width);
  const d = within(reach);
  const y = Float32Array.from({ length: n }, () =>
    Math.floor(rng.uniform() * (family === "binomial" ? 2 : 9)),
  );
  return { eta, d, y };
}

describe.each(implementations)("the kernels of the families (%s)", (_, make) => {
  let k: Kernels;
  beforeAll(async () => {
    k = await make(1 << 20);
  });

  const apply = (xs: ArrayLike<number>, call: (out: number, x: number, n: number) => void): Float32Array => {
    const place = arena(k.memory, 4);
    const x = place.float32(xs);
    const out = place.float32(new Float32Array(xs.length).fill(Number.NaN));
    call(out, x, xs.length);
    return new Float32Array(k.memory.buffer, out, xs.length).slice();
  };

  it("exp has a relative error of at most 1e-7 over its whole range, and saturates beyond", () => {
    const xs = Float32Array.from({ length: 100_000 }, (_, i) => -87.29 + (175.28 * i) / 99_999);
    let worst = 0;
    apply(xs, k.exp).forEach((v, i) => {
      worst = Math.max(worst, Math.abs(v / Math.exp(xs[i]) - 1));
    });
    expect(worst).toBeLessThan(1e-7);
    const ends = apply([-700, 700, -Infinity, Infinity, Number.NaN, 0, -0], k.exp);
    expect(ends[0] > 0 && ends[0] < 1.3e-38 && ends[2] === ends[0]).toBe(true);
    expect(ends[1] > 1.6e38 && ends[1] < Infinity && ends[3] === ends[1]).toBe(true);
    expect(ends.slice(4)).toEqual(Float32Array.of(Number.NaN, 1, 1));
  });

  it("softplus has a relative error of at most 3e-7 from −87 to 10³⁰", () => {
    const xs = Float32Array.from({ length: 100_000 }, (_, i) => -87 + (800 * i) / 99_999);
    let worst = 0;
    apply(xs, k.softplus).forEach((v, i) => {
      worst = Math.max(worst, Math.abs(v / softplus(xs[i]) - 1));
    });
    expect(worst).toBeLessThan(3e-7);
    const ends = apply([-700, 700, 1e30, Infinity, Number.NaN], k.softplus);
    expect(ends[0]).toBeLessThan(1.3e-38);
    expect(ends.slice(1)).toEqual(Float32Array.of(700, 1e30, Infinity, Number.NaN));
  });

  describe.each(families)("%s", (family) => {
    const lengths = [...Array(41).keys(), 200, 479, 481, 1027];

    it("log-likelihood is within 1e-6 of the terms at every length", () => {
      for (const n of lengths) {
        const { eta, y } = draw(family, n, 8, 1);
        const place = arena(k.memory, 4);
        const got = k[`${family}LogLikelihood`](place.float32(eta), place.float32(y), n);
        const terms = Array.from(eta, (v, i) => logLikelihood[family](v, y[i]));
        expect(Math.abs(got - sum(terms)), `n = ${n}`).toBeLessThanOrEqual(1e-6 * sum(terms.map(Math.abs)));
      }
    });

    it("score and weights are right at every length and write nothing else", () => {
      for (const n of lengths) {
        const { eta, y } = draw(family, n, 30, 1);
        const place = arena(k.memory, 12);
        const at = { eta: place.float32(eta), y: place.float32(y) };
        const [score, weights] = [0, 1].map(() => place.float32(new Float32Array(n + 4).fill(5)));
        k[`${family}Score`](score, at.eta, at.y, n);
        k[`${family}Weights`](weights, at.eta, n);
        const [s, w] = [score, weights].map((p) => new Float32Array(k.memory.buffer, p, n + 4));
        for (let i = 0; i < n; i++) {
          const m = mean[family](eta[i]);
          // The binomial score keeps its digits where the mean is nearly one; the Poisson is a plain difference.
          const size = family === "poisson" ? y[i] + m : y[i] === 1 ? mean.binomial(-eta[i]) : m;
          const want = family === "binomial" && y[i] === 1 ? mean.binomial(-eta[i]) : y[i] - m;
          expect(Math.abs(s[i] - want)).toBeLessThanOrEqual(5e-7 * size);
          expect(Math.abs(w[i] / weight[family](eta[i]) - 1)).toBeLessThan(6e-7);
        }
        expect([...s.slice(n), ...w.slice(n)]).toEqual(Array(8).fill(5));
      }
    });

    it.each([1e-6, 1e-3, 0.5, 3, 40])("a change of the predictor by up to %d keeps its digits", (reach) => {
      for (const n of lengths) {
        const { eta, y, d } = draw(family, n, 8, reach);
        const place = arena(k.memory, 8);
        const got = k[`${family}Change`](place.float32(d), place.float32(eta), place.float32(y), n);
        // By Taylor's series where the difference of two logarithms would itself lose the digits.
        const terms = Array.from(eta, (v, i) => {
          const m = mean[family](v);
          if (Math.abs(d[i]) > 1e-2)
            return logLikelihood[family](v + d[i], y[i]) - logLikelihood[family](v, y[i]);
          const w = weight[family](v);
          const third = family === "poisson" ? w : w * (1 - 2 * m);
          const fourth = family === "poisson" ? w : w * (1 - 6 * w);
          return (
            (y[i] - m) * d[i] - (w * d[i] ** 2) / 2 - (third * d[i] ** 3) / 6 - (fourth * d[i] ** 4) / 24
          );
        });
        const bound = 5e-7 * sum(terms.map((t, i) => Math.abs(t) + Math.abs(d[i])));
        expect(Math.abs(got - sum(terms)), `n = ${n}`).toBeLessThanOrEqual(bound);
      }
    });

    it("the sums of one variable are the log-likelihood and its derivatives, at every length", () => {
      const [a, b, center, scale] = [0.3, -0.8, 1000, 2].map(Math.fround);
      for (const n of lengths) {
        const { eta: x, y } = draw(family, n, 1, 1);
        for (let i = 0; i < n; i++) x[i] += 1000;
        const place = arena(k.memory, 4);
        const start = [1, 2, 3, 4, 5, 6, 7];
        const out = place.float64(start);
        k[`${family}OneVariable`](out, a, b, center, scale, place.float32(x), place.float32(y), n);
        const got = Array.from(new Float64Array(k.memory.buffer, out, 7), (v, c) => v - start[c]);
        const rows = Array.from(x, (v, i) => {
          const z = (v - center) * scale;
          const eta = a + b * z;
          const [r, w] = [y[i] - mean[family](eta), weight[family](eta)];
          return [logLikelihood[family](eta, y[i]), r, r * z, w, w * z, w * z * z];
        });
        for (let c = 0; c < 6; c++) {
          const want = sum(rows.map((row) => row[c]));
          const bound = 1e-6 * sum(rows.map((row) => Math.abs(row[c]))) + 1e-13;
          expect(Math.abs(got[c] - want), `n = ${n}, sum ${c}`).toBeLessThanOrEqual(bound);
        }
        expect(got[6]).toBe(0);
      }
    });

    it("the sums of one variable stay finite for hopeless coefficients", () => {
      const n = 11;
      for (const [a, b] of [
        [700, 0],
        [-700, 0],
        [0, 700],
        [1e6, -1e6],
      ]) {
        const { eta: x, y } = draw(family, n, 2, 1);
        const place = arena(k.memory);
        const out = place.float64(new Float64Array(6));
        k[`${family}OneVariable`](out, a, b, 0, 1, place.float32(x), place.float32(y), n);
        const got = new Float64Array(k.memory.buffer, out, 6);
        expect(got.every(Number.isFinite)).toBe(true);
        expect(got[0]).toBeLessThan(0);
        expect(Math.min(got[3], got[5])).toBeGreaterThan(0);
      }
    });

    it("nothing overflows at ±700 or at infinity, and NaN stays NaN", () => {
      for (const eta of [700, -700, 1e20, -1e20, Infinity, -Infinity]) {
        for (const y of [0, 1]) {
          for (const d of [0, 0.5, -0.5, 1400, -1400]) {
            const n = 11;
            const place = arena(k.memory, 4);
            const at = [eta, y, d].map((v) => place.float32(new Float32Array(n).fill(v)));
            const change = k[`${family}Change`](at[2], at[0], at[1], n);
            const value = k[`${family}LogLikelihood`](at[0], at[1], n);
            expect(Number.isFinite(change) && Number.isFinite(value), `${eta} ${y} ${d}`).toBe(true);
            expect(value).toBeLessThanOrEqual(0);
            const out = place.float32(new Float32Array(n));
            k[`${family}Score`](out, at[0], at[1], n);
            expect(new Float32Array(k.memory.buffer, out, n).every(Number.isFinite)).toBe(true);
            k[`${family}Weights`](out, at[0], n);
            expect(new Float32Array(k.memory.buffer, out, n).every(Number.isFinite)).toBe(true);
          }
        }
      }
      for (const n of [1, 4, 7]) {
        const place = arena(k.memory);
        const [nan, one] = [Number.NaN, 1].map((v) => place.float32(new Float32Array(n).fill(v)));
        expect(k[`${family}LogLikelihood`](nan, one, n)).toBeNaN();
        expect(k[`${family}Change`](nan, one, one, n)).toBeNaN();
        expect(k[`${family}Change`](one, nan, one, n)).toBeNaN();
        const sums = place.float64(new Float64Array(6));
        k[`${family}OneVariable`](sums, 0, 1, 0, 1, nan, one, n);
        expect(Array.from(new Float64Array(k.memory.buffer, sums, 6)).every(Number.isNaN)).toBe(
          n > 0 && true,
        );
      }
    });
  });

  it("the sums that a gradient and its curvature are made of stay finite wherever the predictor is", () => {
    for (const eta of [-700, 60, 88, 700, Infinity]) {
      const n = 11;
      const place = arena(k.memory);
      const zeros = () => place.float32(new Float32Array(n));
      const [etas, y] = [eta, 1].map((v) => place.float32(new Float32Array(n).fill(v)));
      // A rare indicator in standard units.
      const x = place.float32(Float32Array.from({ length: n }, (_, i) => (i % 2 ? 300 : -300)));
      const [score, weights, product] = [zeros(), zeros(), zeros()];
      for (const family of families) {
        k[`${family}Score`](score, etas, y, n);
        k[`${family}Weights`](weights, etas, n);
        k.product(product, x, weights, n);
        const sums = [k.affineDot(1, 0, x, score, n), k.affineDot(1, 0, x, product, n)];
        expect(sums.every(Number.isFinite), `${family} at ${eta}: ${sums}`).toBe(true);
      }
    }
  });

  it("the binomial change is exact where the probability is nearly zero or one", () => {
    const place = arena(k.memory);
    const at = (...values: number[]) => place.float32(values);
    expect(k.binomialChange(at(-200), at(100), at(1), 1)).toBeCloseTo(-100, 4);
    expect(k.binomialChange(at(200), at(-100), at(1), 1)).toBeCloseTo(100, 4);
    expect(k.binomialChange(at(2), at(700), at(0), 1)).toBeCloseTo(-2, 6);
    expect(k.binomialChange(at(2), at(700), at(1), 1)).toBeCloseTo(0, 6);
    const tail = logLikelihood.binomial(18, 1) - logLikelihood.binomial(17, 1);
    expect(k.binomialChange(at(1), at(17), at(1), 1) / tail).toBeCloseTo(1, 5);
  });

  it("Poisson sums keep their digits at counts of a million", () => {
    const n = 1001;
    const y = Float32Array.from({ length: n }, (_, i) => 1e6 + i);
    const eta = Float32Array.from(y, (v) => Math.log(v));
    const d = new Float32Array(n).fill(1e-4);
    const place = arena(k.memory);
    const at = { d: place.float32(d), eta: place.float32(eta), y: place.float32(y) };
    const terms = Array.from(eta, (v, i) => y[i] * d[i] - Math.exp(v) * Math.expm1(d[i]));
    expect(Math.abs(k.poissonChange(at.d, at.eta, at.y, n) - sum(terms))).toBeLessThan(1e-6);
    const value = sum(Array.from(eta, (v, i) => logLikelihood.poisson(v, y[i])));
    expect(Math.abs(k.poissonLogLikelihood(at.eta, at.y, n) / value - 1)).toBeLessThan(1e-12);
  });
});
