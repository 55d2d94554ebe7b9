import { describe, expect, test } from "vitest";
import { type FamilyName, familyNamed } from "../../src/families/register.js";
import { kernelMemory, wasmKernels } from "../../src/kernels/wasm.js";
import { Arena, view } from "../../src/store/batch/arena.js";

const ETA = [-4, -1.3, -0.2, 0, 0.4, 1.1, 3];
const TARGETS: Record<FamilyName, number[]> = {
  gaussian: [-3, 0.2, 1, 0, 0.3, 2, 2.5],
  binomial: [0, 1, 0, 1, 1, 0, 1],
  poisson: [0, 0, 1, 2, 3, 1, 18],
};

/** Exact log densities, up to a constant in η. */
const LOG_DENSITY: Record<FamilyName, (y: number, eta: number) => number> = {
  gaussian: (y, eta) => -((y - eta) ** 2) / (2 * 2.5),
  binomial: (y, eta) => y * eta - Math.log1p(Math.exp(eta)),
  poisson: (y, eta) => y * eta - Math.exp(eta),
};

describe.each(["gaussian", "binomial", "poisson"] as const)("the %s family", async (name) => {
  const memory = kernelMemory(1 << 16, false);
  const kernels = await wasmKernels(memory);
  const likelihood = familyNamed(name).likelihood(kernels, { variance: 2.5 });
  const arena = new Arena(memory, 64, 1 << 16);
  const n = ETA.length;
  const [eta, y, d, out] = Array.from({ length: 4 }, () => arena.vector(n));
  view(memory, y).set(TARGETS[name]);
  const density = LOG_DENSITY[name];

  test("has the log-likelihood of its density", () => {
    view(memory, eta).set(ETA);
    const exact = ETA.reduce((sum, e, i) => sum + density(TARGETS[name][i], Math.fround(e)), 0);
    expect(likelihood.logLikelihood(eta.pointer, y.pointer, n)).toBeCloseTo(exact, 4);
  });

  test("gains what its log-likelihood gains, for small and for large moves", () => {
    view(memory, eta).set(ETA);
    for (const size of [1e-4, 0.1, 3]) {
      const move = ETA.map((_, i) => Math.fround(size * (i % 2 ? -1 : 1)));
      view(memory, d).set(move);
      const exact = ETA.reduce((sum, e, i) => {
        const at = Math.fround(e);
        return sum + density(TARGETS[name][i], at + move[i]) - density(TARGETS[name][i], at);
      }, 0);
      const scale = size * TARGETS[name].reduce((sum, v) => sum + Math.abs(v) + 1, 0);
      expect(Math.abs(likelihood.change(d.pointer, eta.pointer, y.pointer, n) - exact)).toBeLessThan(
        2e-6 * scale + 1e-9,
      );
    }
  });

  test("has the score and the weights that central differences give", () => {
    view(memory, eta).set(ETA);
    likelihood.score(out.pointer, eta.pointer, y.pointer, n);
    const score = Array.from(view(memory, out));
    likelihood.weights(out.pointer, eta.pointer, n);
    const weights = Array.from(view(memory, out));
    const h = 1e-4;
    ETA.forEach((e, i) => {
      const at = (shift: number) => density(TARGETS[name][i], e + shift);
      const slope = (at(h) - at(-h)) / (2 * h);
      const curvature = -(at(h) - 2 * at(0) + at(-h)) / h ** 2;
      expect(score[i] / likelihood.dispersion).toBeCloseTo(slope, 5);
      expect(weights[i] / likelihood.dispersion).toBeCloseTo(curvature, 5);
    });
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
