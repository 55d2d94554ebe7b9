import { expect, it } from "vitest";
import { everyCoordinate } from "../../src/gradients/imputed.js";
import { sgld } from "../../src/integrators/sgld.js";
import { Rng } from "../../src/math/rng.js";
import { chain } from "../../src/sampling/chain.js";
import { BlowUp, steady, withSteadyStep } from "../../src/sampling/steady.js";
import type { Gradient } from "../../src/types.js";

/** ∇ of −½(a·x² + b·y²). */
const quadratic = (a: number, b: number) => ({
  at(out: Float64Array, theta: Float64Array) {
    out[0] = -a * theta[0];
    out[1] = -b * theta[1];
    return everyCoordinate(2);
  },
});

const run = (gradient: Gradient, stepSize: number) => {
  const start = Float64Array.of(1, 1);
  const moments = chain({
    rng: Rng.seeded(1),
    theta: start.slice(),
    batches: { draw: () => null },
    gradient: () => gradient,
    integrator: sgld({ temperature: 0 }),
    stepSize,
    iterations: 200,
  });
  return steady(moments, start, Float64Array.of(100, 100));
};

it("halves a step size that blows up, says so, and keeps nothing of the failed attempts", async () => {
  // θ ← (1 − ½ε·a)θ is stable for ε·a < 4; from ε = 1 and a = 30 that takes three halvings.
  const warnings: string[] = [];
  const last = await withSteadyStep(
    (factor) => {
      const draws = Array.from(run(quadratic(30, 1), factor), ({ state }) => state.theta[0]);
      return { factor, draws };
    },
    (message) => warnings.push(message),
  );
  expect(last.factor).toBe(1 / 8);
  expect(last.draws).toHaveLength(200);
  expect(Math.abs(last.draws[199])).toBeLessThan(1e-3);
  expect(warnings).toHaveLength(3);
  expect(warnings[0]).toMatch(/half/);
});

it("throws on a gradient that is not a number", () => {
  expect(() => [...run(quadratic(Number.NaN, 1), 0.1)]).toThrow(BlowUp);
});

it("gives up with a message for the user when no step size is small enough", async () => {
  const attempt = () => [...run(quadratic(Number.NaN, 1), 0.1)];
  await expect(withSteadyStep(attempt, () => {})).rejects.toThrow(/every step size/);
});
