import { describe, expect, test } from "vitest";
import { FAMILIES, type FamilyName, familyNamed, familyNames } from "../../src/families/register.js";
import { kernelMemory, wasmKernels } from "../../src/kernels/wasm.js";
import { normal } from "../../src/math/normal.js";
import { Rng } from "../../src/math/rng.js";
import { Arena, view } from "../../src/store/batch/arena.js";

const NOISE = 2.5;
const ETA = [-4, -1.3, -0.2, 0, 0.4, 1.1, 3];
const ROWS = 4000;

/** Exact log densities, up to a constant in η, of those that are well known; a family brings its own besides. */
const WELL_KNOWN: Partial<Record<FamilyName, (y: number, eta: number) => number>> = {
  gaussian: (y, eta) => -((y - eta) ** 2) / (2 * NOISE),
  binomial: (y, eta) => y * eta - Math.log1p(Math.exp(eta)),
  poisson: (y, eta) => y * eta - Math.exp(eta),
};

/** One suite for every family in the register. */
describe.each(familyNames)("the %s family", async (name) => {
  const family = familyNamed(name);
  const memory = kernelMemory(1 << 18, false);
  const kernels = await wasmKernels(memory);
  const likelihood = family.likelihood(kernels, { variance: NOISE });
  const arena = new Arena(memory, 64, 1 << 18);
  const n = ETA.length;
  const [eta, y, d, out] = Array.from({ length: 4 }, () => arena.vector(n));
  const rng = Rng.seeded(8);
  const targets = ETA.map((e) => Math.fround(family.draw(rng, e, NOISE)));
  view(memory, y).set(targets);
  const density = WELL_KNOWN[name] ?? family.response(NOISE).logDensity;
  const scale = targets.reduce((sum, v) => sum + Math.abs(v) + 1, 0);

  test("is found in the register under its own name", () => {
    expect(family.name).toBe(name);
    expect(FAMILIES[name]).toBe(family);
  });

  test("has the log-likelihood of its density, in the kernels and row by row", () => {
    view(memory, eta).set(ETA);
    const exact = ETA.reduce((sum, e, i) => sum + density(targets[i], Math.fround(e)), 0);
    expect(likelihood.logLikelihood(eta.pointer, y.pointer, n)).toBeCloseTo(exact, 4);
    const { logDensity } = family.response(NOISE);
    ETA.forEach((e, i) => {
      const gain = logDensity(targets[i], e + 0.3) - logDensity(targets[i], e);
      expect(gain).toBeCloseTo(density(targets[i], e + 0.3) - density(targets[i], e), 9);
    });
  });

  test("gains what its log-likelihood gains, for small and for large moves", () => {
    view(memory, eta).set(ETA);
    for (const size of [1e-4, 0.1, 3]) {
      const move = ETA.map((_, i) => Math.fround(size * (i % 2 ? -1 : 1)));
      view(memory, d).set(move);
      const exact = ETA.reduce((sum, e, i) => {
        const at = Math.fround(e);
        return sum + density(targets[i], at + move[i]) - density(targets[i], at);
      }, 0);
      const gain = likelihood.change(d.pointer, eta.pointer, y.pointer, n);
      expect(Math.abs(gain - exact)).toBeLessThan(2e-6 * size * scale + 1e-9);
    }
  });

  test("has the score that central differences give", () => {
    view(memory, eta).set(ETA);
    likelihood.score(out.pointer, eta.pointer, y.pointer, n);
    const score = Array.from(view(memory, out));
    const h = 1e-4;
    ETA.forEach((e, i) => {
      const slope = (density(targets[i], e + h) - density(targets[i], e - h)) / (2 * h);
      expect(Math.abs(score[i] / likelihood.dispersion - slope)).toBeLessThan(2e-5 * (1 + Math.abs(slope)));
    });
  });

  test("has weights that are the curvature of its log density, expected over responses", () => {
    view(memory, eta).set(ETA);
    likelihood.weights(out.pointer, eta.pointer, n);
    const weights = Array.from(view(memory, out));
    const h = 1e-3;
    ETA.forEach((e, i) => {
      const drawn = Array.from({ length: ROWS }, () => {
        const response = family.draw(rng, e, NOISE);
        const at = (shift: number) => density(response, e + shift);
        return -(at(h) - 2 * at(0) + at(-h)) / h ** 2;
      });
      const mean = drawn.reduce((sum, value) => sum + value, 0) / ROWS;
      const sd = Math.sqrt(drawn.reduce((sum, value) => sum + (value - mean) ** 2, 0) / ROWS);
      // Five standard errors on seven numbers per family: a false alarm in 100,000.
      const error = (5 * sd) / Math.sqrt(ROWS) + 1e-4 * (1 + mean);
      expect(Math.abs(weights[i] / likelihood.dispersion - mean)).toBeLessThan(error);
    });
  });

  test("draws responses whose means and variances are those that it states", () => {
    for (const e of [-1, 0, 0.8]) {
      const drawn = Array.from({ length: ROWS }, () => family.draw(rng, e, NOISE));
      const mean = drawn.reduce((sum, value) => sum + value, 0) / ROWS;
      const mu = family.inverseLink(e);
      const variance = family.variance(mu) * (family.noise ? NOISE : 1);
      expect(Math.abs(mean - mu)).toBeLessThan(5 * Math.sqrt(variance / ROWS));
      const squares = drawn.map((value) => (value - mu) ** 2);
      const spread = squares.reduce((sum, value) => sum + value, 0) / ROWS;
      const sd = Math.sqrt(squares.reduce((sum, value) => sum + (value - spread) ** 2, 0) / ROWS);
      expect(Math.abs(spread - variance)).toBeLessThan((5 * sd) / Math.sqrt(ROWS) + 1e-9);
    }
  });

  test("links means and linear predictors, and averages over a normal one", () => {
    for (const e of [-2, 0.1, 1.5]) {
      expect(family.link(family.inverseLink(e))).toBeCloseTo(e, 9);
      expect(family.meanOver(e, 0)).toBeCloseTo(family.inverseLink(e), 9);
      const drawn = Array.from({ length: ROWS }, () => family.inverseLink(e + 0.5 * normal(rng)));
      const mean = drawn.reduce((sum, value) => sum + value, 0) / ROWS;
      const sd = Math.sqrt(drawn.reduce((sum, value) => sum + (value - mean) ** 2, 0) / ROWS);
      expect(Math.abs(family.meanOver(e, 0.5) - mean)).toBeLessThan((5 * sd) / Math.sqrt(ROWS));
    }
  });

  test("takes its own responses for a target, and scores their means", () => {
    const drawn = Float64Array.from({ length: 200 }, (_, i) => family.draw(rng, ETA[i % n] / 2, NOISE));
    const observed = family.prediction.observed(drawn, undefined);
    expect(observed).toHaveProperty("values");
    const means = drawn.map((_, i) => family.inverseLink(ETA[i % n] / 2));
    const { rows, ...scores } = family.prediction.scores(drawn, means);
    expect(rows).toBe(200);
    expect(Object.keys(scores).length).toBeGreaterThan(0);
  });

  test("stays finite at a linear predictor of ±700", () => {
    view(memory, eta).set([700, -700, 700, -700, 700, -700, 0]);
    view(memory, d).fill(0.5);
    likelihood.score(out.pointer, eta.pointer, y.pointer, n);
    const values = [
      likelihood.logLikelihood(eta.pointer, y.pointer, n),
      likelihood.change(d.pointer, eta.pointer, y.pointer, n),
      ...view(memory, out),
    ];
    likelihood.weights(out.pointer, eta.pointer, n);
    expect([...values, ...view(memory, out)].every(Number.isFinite)).toBe(true);
  });
});
