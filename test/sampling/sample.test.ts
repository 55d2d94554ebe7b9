import { expect, it } from "vitest";
import { sgld } from "../../src/integrators/sgld.js";
import { Rng } from "../../src/math/rng.js";
import { type SampleOptions, type SampleStanding, sample } from "../../src/sampling/sample.js";
import { polynomial } from "../../src/sampling/schedule.js";
import type { InnerKernel, Model } from "../../src/types.js";

/** N(0, 1/2) without data or latent variable. */
const model: Model<null, null> = {
  names: ["x"],
  logJoint: ([x]) => -x * x,
  addGrad(out, scale, [x]) {
    out[0] -= scale * 2 * x;
  },
};
const kernel: InnerKernel<null, null> = { init: () => null, enter: () => {}, step: () => false };
function settings(
  more: Partial<SampleOptions<null, null, { theta: Float64Array; gradient: Float64Array }>> = {},
) {
  const batches = { draw: () => null };
  const theta = Float64Array.of(1);
  const integrator = sgld({ temperature: 0 });
  return {
    model,
    kernel,
    batches,
    integrator,
    stepSize: 0.5,
    iterations: 3,
    theta,
    rng: Rng.seeded(1),
    ...more,
  };
}

it("yields every iteration and leaves the starting point alone", () => {
  const start = Float64Array.of(1);
  const seen = [...sample(settings({ theta: start }))].map(({ t, weight }) => [t, weight]);
  expect(seen).toEqual([
    [1, 1],
    [2, 1],
    [3, 1],
  ]);
  expect(start[0]).toBe(1);
  const path = [];
  for (const { theta } of sample(settings())) path.push(theta[0]);
  expect(path).toEqual([0.5, 0.25, 0.125]);
});

it("weights its draws as the schedule says", () => {
  const stepSize = polynomial({ a: 0.5, b: 0, kappa: 1 });
  expect([...sample(settings({ stepSize }))].map(({ weight }) => weight)).toEqual([0.5, 0.25, 0.5 / 3]);
});

it("ends when it is aborted", () => {
  const controller = new AbortController();
  let last = 0;
  for (const { t } of sample(settings({ iterations: 1000, signal: controller.signal }))) {
    last = t;
    if (t === 7) controller.abort();
  }
  expect(last).toBe(7);
});

it("names the coordinate and the iteration where it diverges", () => {
  expect(() => [...sample(settings({ stepSize: 1e200, iterations: 10 }))]).toThrow(/iteration 2 in "x"/);
});

it("returns what its second half says of every coordinate", () => {
  const chain = sample(settings({ integrator: sgld(), iterations: 8000, stepSize: 0.2 }));
  const second: number[] = [];
  let step = chain.next();
  for (; !step.done; step = chain.next()) if (step.value.t > 4000) second.push(step.value.theta[0]);
  const { iterations, thin, coordinates } = step.value;
  expect([iterations, thin]).toEqual([8000, 4]);
  const [{ name, mean, sd, rhat, essBulk }] = coordinates();
  const kept = second.filter((_, i) => (i + 1) % thin === 0);
  expect(name).toBe("x");
  expect(mean).toBeCloseTo(kept.reduce((sum, x) => sum + x, 0) / kept.length, 12);
  // Steps of 0.2 make the variance ½/(1 − 0.1); a thousand draws know it to 5%, four times over.
  expect(Math.abs(sd ** 2 / (0.5 / 0.9) - 1)).toBeLessThan(0.25);
  expect(rhat).toBeLessThan(1.05);
  expect(essBulk).toBeGreaterThan(200);
});

it("goes on from where it stood as if it had never stopped", () => {
  const integrator = sgld();
  const iterations = 40;
  const whole: number[] = [];
  for (const { theta } of sample(settings({ integrator, iterations }))) whole.push(theta[0]);
  const parts: number[] = [];
  let from: SampleStanding<{ theta: Float64Array; gradient: Float64Array }> | undefined;
  for (const end of [13, 14, iterations]) {
    for (const draw of sample(settings({ integrator, iterations: end, from }))) {
      parts.push(draw.theta[0]);
      if (draw.t === end) from = structuredClone(draw.standing());
    }
  }
  expect(parts).toEqual(whole);
});
