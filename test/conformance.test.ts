/** The suites themselves: each must fail on the mistake that it is there to find. */

import { expect, it } from "vitest";
import { kernel, model, type Structural } from "../examples/zero-inflated.js";
import { checkFisher, checkGradient, checkInvariance, checkUnbiased } from "../src/conformance.js";
import { Rng } from "../src/math/rng.js";
import { rowBlocks } from "../src/sampling/row-blocks.js";
import type { InnerKernel, Model, Rows } from "../src/types.js";

const theta = Float64Array.of(-0.4, 0.3, 0.8);
const values = Float64Array.of(-1, 0, 0.2, 0, 0.5, 2, 0.9, 1);
const whole = rowBlocks(values, 2, 4).block(0);
const batches = [0, 1].map(rowBlocks(values, 2, 2).block);
const z: Structural = { zeros: Uint8Array.of(1, 0, 0, 0) };
const states = [0, 1].flatMap((a) => [0, 1].map((b) => ({ zeros: Uint8Array.of(a, b, 0, 0) })));
const key = (state: Structural): string => state.zeros.join("");

const lazy: InnerKernel<Structural, Rows> = {
  ...kernel,
  step: (rng, state, at, batch) =>
    kernel.step(
      rng,
      state,
      at.map((x) => 0.5 * x),
      batch,
    ),
};

it("checkGradient finds a gradient that forgets the prior, the weight or the scale", () => {
  const wrong = (change: (scale: number, batch: Rows) => [number, Rows]): Model<Structural, Rows> => ({
    ...model,
    addGrad(out, scale, at, state, batch) {
      const [s, b] = change(scale, batch);
      model.addGrad(out, s, at, state, b);
    },
  });
  const at = { theta, z, batch: { ...whole, weight: 3 } };
  expect(() => checkGradient(model, at)).not.toThrow();
  expect(() =>
    checkGradient(
      wrong((scale, batch) => [scale, { ...batch, weight: 1 }]),
      at,
    ),
  ).toThrow(/addGrad/);
  expect(() =>
    checkGradient(
      wrong((_, batch) => [1, batch]),
      at,
    ),
  ).toThrow(/addGrad/);
  expect(() => checkGradient({ ...model, names: ["one"] }, at)).toThrow(/names 1 coordinates/);
});

it("checkInvariance finds a kernel with another conditional, or one that leaves the states", () => {
  const at = { theta, batch: whole, states, key, rng: Rng.seeded(1) };
  expect(() => checkInvariance(model, kernel, at)).not.toThrow();
  expect(() => checkInvariance(model, lazy, at)).toThrow(/share of state/);
  expect(() => checkInvariance(model, kernel, { ...at, states: states.slice(1) })).toThrow(/not among/);
});

it("checkFisher finds a kernel with another conditional", () => {
  const logMarginal = (at: Float64Array): number => {
    const logs = states.map((state) => model.logJoint(at, state, whole));
    return Math.log(logs.reduce((sum, log) => sum + Math.exp(log), 0));
  };
  const at = { theta, batch: whole, logMarginal, rng: Rng.seeded(2) };
  expect(() => checkFisher(model, kernel, at)).not.toThrow();
  expect(() => checkFisher(model, lazy, at)).toThrow(/average gradient/);
});

it("checkUnbiased finds batches with the wrong weight", () => {
  const at = { theta, batches, whole, rng: Rng.seeded(3) };
  expect(() => checkUnbiased(model, kernel, at)).not.toThrow();
  const light = batches.map((batch) => ({ ...batch, weight: 1.7 }));
  expect(() => checkUnbiased(model, kernel, { ...at, batches: light })).toThrow(/Over all batches/);
});
