import { describe, expect, it } from "vitest";
import { integratorNamed, integratorNames } from "../../src/integrators/named.js";
import { psgld } from "../../src/integrators/psgld.js";
import { sgfs } from "../../src/integrators/sgfs.js";
import { sgfsFull } from "../../src/integrators/sgfs-full.js";
import { sghmc } from "../../src/integrators/sghmc.js";
import { sgld } from "../../src/integrators/sgld.js";
import { Rng } from "../../src/math/rng.js";
import type { Gradient } from "../../src/types.js";
import { type AnyIntegrator, allCases, cases, steady } from "./cases.js";
import { everyCoordinate } from "./problems.js";

describe.each(allCases)("$name", (integrator) => {
  it("takes exactly the steps of its equation at temperature 0", () => {
    const method = integrator.usual(0);
    const state = method.init(Rng.seeded(1), Float64Array.of(1));
    for (let t = 0; t < 3; t++) method.step(Rng.seeded(2), state, steady([0]), 0.3);
    expect(state.theta[0]).toBeCloseTo(integrator.drift(0.3), 13);
  });

  it("adds no noise at temperature 0 and some at ½", () => {
    expect(end(integrator.usual(0), 1)).toBe(end(integrator.usual(0), 2));
    expect(end(integrator.usual(0.5), 1)).not.toBe(end(integrator.usual(0.5), 2));
  });
});

describe.each(integratorNames)("%s as selection makes it", (name) => {
  it("adds no noise at temperature 0 and some at ½", () => {
    const method = (temperature: number) => integratorNamed(name, { temperature });
    expect(end(method(0), 1)).toBe(end(method(0), 2));
    expect(end(method(0.5), 1)).not.toBe(end(method(0.5), 2));
  });
});

/** θ after five steps. */
function end(method: AnyIntegrator, seed: number): number {
  const rng = Rng.seeded(seed);
  const state = method.init(rng, Float64Array.of(1));
  for (let t = 0; t < 5; t++) method.step(rng, state, steady([0]), 0.3);
  return state.theta[0];
}

describe.each(cases)("$name, where coordinates sleep,", (integrator) => {
  it("moves only the coordinates that the gradient returned", () => {
    const method = integrator.usual(1);
    const rng = Rng.seeded(3);
    const state = method.init(rng, Float64Array.of(1, 1, 1));
    for (let t = 0; t < 5; t++) method.step(rng, state, steady([2, 0]), 0.1);
    expect(state.theta[1]).toBe(1);
    expect(state.theta[0]).not.toBe(1);
    expect(state.theta[2]).not.toBe(1);
  });

  it("forgets what a coordinate carried when it wakes after a sleep", () => {
    const method = integrator.linear(0);
    const slept = method.init(Rng.seeded(4), Float64Array.of(5));
    for (let t = 0; t < 4; t++) method.step(Rng.seeded(4), slept, steady([0]), 0.3);
    method.step(Rng.seeded(4), slept, steady([]), 0.3);
    const fresh = method.init(Rng.seeded(4), slept.theta.slice());
    for (let t = 0; t < 4; t++) {
      method.step(Rng.seeded(4), slept, steady([0]), 0.3);
      method.step(Rng.seeded(4), fresh, steady([0]), 0.3);
    }
    expect(slept.theta[0]).toBe(fresh.theta[0]);
  });
});

it("friction 1 makes SGHMC into SGLD, draw by draw", () => {
  const [left, right] = [sgld(), sghmc({ friction: 1 })];
  const a = left.init(Rng.seeded(1), Float64Array.of(1));
  const b = right.init(Rng.seeded(1), Float64Array.of(1));
  const [first, second] = [Rng.seeded(5), Rng.seeded(5)];
  right.step(Rng.seeded(7), b, steady([0]), 1e-30); // draws the first momentum, which friction 1 then erases
  for (let t = 0; t < 10; t++) {
    left.step(first, a, steady([0]), 0.1);
    right.step(second, b, steady([0]), 0.1);
  }
  expect(b.theta[0]).toBeCloseTo(a.theta[0], 12);
});

it("relative pSGLD steps as SGLD does where all squared gradients are alike", () => {
  const [left, right] = [sgld({ temperature: 0 }), psgld({ temperature: 0, relative: true, floor: 0.25 })];
  const a = left.init(Rng.seeded(1), Float64Array.of(3, -3));
  const b = right.init(Rng.seeded(1), Float64Array.of(3, -3));
  for (let t = 0; t < 5; t++) {
    left.step(Rng.seeded(2), a, steady([0, 1]), 0.1);
    right.step(Rng.seeded(2), b, steady([0, 1]), 0.125);
  }
  expect(b.theta[0]).toBeCloseTo(a.theta[0], 12);
  expect(b.theta[1]).toBeCloseTo(a.theta[1], 12);
});

it("SGFS with whole matrices refuses a gradient that leaves coordinates out", () => {
  const method = sgfsFull();
  const state = method.init(Rng.seeded(1), Float64Array.of(1, 1, 1));
  expect(() => method.step(Rng.seeded(1), state, steady([2, 0]), 0.1)).toThrow(/moves all coordinates/);
});

it("SGFS refuses, when compiled, a gradient that does not estimate its noise", () => {
  const bare: Gradient = { at: () => everyCoordinate(1) };
  const method = sgfs();
  const state = method.init(Rng.seeded(1), new Float64Array(1));
  // @ts-expect-error a Gradient lacks `noise`
  expect(() => method.step(Rng.seeded(1), state, bare, 0.1)).toThrow();
});
