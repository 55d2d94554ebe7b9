import { expect, it } from "vitest";
import { everyCoordinate } from "../../src/gradients/imputed.js";
import { sgld } from "../../src/integrators/sgld.js";
import { whitened } from "../../src/integrators/whitened.js";
import { Rng } from "../../src/math/rng.js";
import { BlowUp, imputation, withSteadyStep } from "../../src/sampling/imputation.js";

/** ∇ of −½(a·x² + b·y²). */
const quadratic = (a: number, b: number) => ({
  next: () => {},
  at(out: Float64Array, theta: Float64Array) {
    out[0] = -a * theta[0];
    out[1] = -b * theta[1];
    return everyCoordinate(2);
  },
});

it("stops when the signal fires", () => {
  const abort = new AbortController();
  const run = imputation(Rng.seeded(1), Float64Array.of(1, 1), {
    gradient: quadratic(1, 1),
    integrator: sgld(),
    stepSize: 0.1,
    signal: abort.signal,
  });
  expect(run.next().done).toBe(false);
  abort.abort();
  expect(run.next().done).toBe(true);
});

it("halves a step size that blows up, says so, and keeps nothing of the failed attempts", () => {
  // Without noise the recursion θ ← (1 − ½ε·a)θ is stable for ε·a < 4; from ε = 1 and a = 30 that takes three halvings.
  const warnings: string[] = [];
  const last = withSteadyStep(
    (factor) => {
      let theta: Float64Array = new Float64Array(2);
      let t = 0;
      const run = imputation(Rng.seeded(1), Float64Array.of(1, 1), {
        gradient: quadratic(30, 1),
        integrator: sgld({ temperature: 0 }),
        stepSize: factor,
        largestMove: Float64Array.of(100, 100),
      });
      for (theta of run) if (++t === 200) break;
      return { factor, theta: theta.slice() };
    },
    (message) => warnings.push(message),
  );
  expect(last.factor).toBe(1 / 8);
  expect(Math.abs(last.theta[0])).toBeLessThan(1e-3);
  expect(warnings).toHaveLength(3);
  expect(warnings[0]).toMatch(/half/);
});

it("throws on a gradient that is not a number", () => {
  const run = imputation(Rng.seeded(1), Float64Array.of(1, 1), {
    gradient: quadratic(Number.NaN, 1),
    integrator: sgld(),
    stepSize: 0.1,
  });
  expect(() => run.next()).toThrow(BlowUp);
});

it("contracts every direction alike in whitened coordinates", () => {
  // Curvature [[100, 20], [20, 5]] = R·R′ with R = [[10, 0], [2, 1]].
  const integrator = whitened(
    { center: Float64Array.of(3, -1), factor: Float64Array.of(10, 2, 1) },
    sgld({ temperature: 0 }),
  );
  const rng = Rng.seeded(1);
  const state = integrator.init(rng, Float64Array.of(3.7, -2));
  const gradient = {
    at(out: Float64Array, theta: Float64Array) {
      const [x, y] = [theta[0] - 3, theta[1] + 1];
      out[0] = -(100 * x + 20 * y);
      out[1] = -(20 * x + 5 * y);
      return everyCoordinate(2);
    },
  };
  integrator.step(rng, state, gradient, 0.5);
  expect(state.theta[0]).toBeCloseTo(3 + 0.75 * 0.7, 12);
  expect(state.theta[1]).toBeCloseTo(-1 - 0.75, 12);
});
