/** Every integrator with what its equation says of it, for the suites beside this file. */

import { psgld } from "../../src/integrators/psgld.js";
import { sgfs } from "../../src/integrators/sgfs.js";
import { sgfsFull } from "../../src/integrators/sgfs-full.js";
import { sghmc } from "../../src/integrators/sghmc.js";
import { sgld } from "../../src/integrators/sgld.js";
import { sgnht } from "../../src/integrators/sgnht.js";
import type { GradientWithNoise, Integrator } from "../../src/types.js";
import {
  add,
  blocks,
  diagonal,
  inverse,
  type Matrix,
  multiply,
  scaled,
  stationaryCovariance,
  transpose,
} from "./problems.js";

export const precision: Matrix = [
  [2, 0.8],
  [0.8, 1],
];
export const noise = [2.25, 0.5];
const identity = diagonal([1, 1]);
/** V of pSGLD where it is frozen. */
export const frozen = [4, 1];

type State = { readonly theta: Float64Array };
export type AnyIntegrator = Integrator<State, GradientWithNoise>;
export interface Case {
  readonly name: string;
  /** Settings that make the recursion linear, so that its stationary law is known. */
  readonly linear: (temperature: number) => AnyIntegrator;
  readonly usual: (temperature: number) => AnyIntegrator;
  /** θ after three steps at temperature 0 from θ = 1 with gradient −2θ, information 2 and variance 3, written by hand. */
  readonly drift: (stepSize: number) => number;
  /** The stationary covariance of θ for `linear` on the Gaussian above. */
  readonly law: (stepSize: number, temperature: number) => Matrix;
  readonly stepSize: number;
  readonly logisticStep: number;
}

/** r ← keep·r + kick·ĝ + noise of variance `injected`, θ ← θ + h·r as one linear recursion. */
function underdamped(h: number, keep: number, kick: number, injected: number): Matrix {
  const error = diagonal(noise.map((s2) => kick ** 2 * s2 + injected));
  const a = blocks(
    add(identity, scaled(-h * kick, precision)),
    scaled(h * keep, identity),
    scaled(-kick, precision),
    scaled(keep, identity),
  );
  return stationaryCovariance(a, blocks(scaled(h * h, error), scaled(h, error), scaled(h, error), error));
}

/** θ ← θ + P·(ĝ + noise of variance w): the overdamped ones. */
function overdamped(gain: Matrix, injected: readonly number[]): Matrix {
  const error = diagonal(noise.map((s2, j) => s2 + injected[j]));
  return stationaryCovariance(
    add(identity, scaled(-1, multiply(gain, precision))),
    multiply(multiply(gain, error), transpose(gain)),
  );
}

/** Those whose coordinates may sleep. */
export const cases: readonly Case[] = [
  {
    name: "sgld",
    linear: (temperature) => sgld({ temperature }),
    usual: (temperature) => sgld({ temperature }),
    drift: (stepSize) => (1 - stepSize) ** 3,
    law: (stepSize, temperature) =>
      overdamped(scaled(stepSize / 2, identity), Array(2).fill((4 * temperature) / stepSize)),
    stepSize: 0.4,
    logisticStep: 1e-3,
  },
  {
    name: "psgld",
    linear: (temperature) => psgld({ temperature, decay: 1, floor: 0.1 }),
    usual: (temperature) => psgld({ temperature, decay: 0.999 }),
    drift: (stepSize) => {
      let [theta, v] = [1, 4];
      for (let t = 0; t < 3; t++) {
        const g = -2 * theta;
        theta += (0.5 * stepSize * g) / (1e-5 + Math.sqrt(v));
        v = 0.999 * v + 0.001 * g * g;
      }
      return theta;
    },
    law: (stepSize, temperature) => {
      const steps = frozen.map((v) => stepSize / (0.1 + Math.sqrt(v)));
      return overdamped(
        diagonal(steps.map((s) => s / 2)),
        steps.map((s) => (4 * temperature) / s),
      );
    },
    stepSize: 0.8,
    logisticStep: 5e-3,
  },
  {
    name: "sghmc",
    linear: (temperature) => sghmc({ temperature, friction: 0.2, gradientNoise: 0.4 }),
    usual: (temperature) => sghmc({ temperature, friction: 0.2 }),
    drift: (stepSize) => {
      const h = Math.sqrt(stepSize / 2);
      let [theta, r] = [1, 0];
      for (let t = 0; t < 3; t++) {
        r = 0.8 * r - h * 2 * theta;
        theta += h * r;
      }
      return theta;
    },
    law: (stepSize, temperature) => {
      const h = Math.sqrt(stepSize / 2);
      return underdamped(h, 0.8, h, 2 * 0.2 * temperature - h * h * 0.4);
    },
    stepSize: 0.2,
    logisticStep: 3e-4,
  },
  {
    name: "sgnht",
    linear: (temperature) => sgnht({ temperature, friction: 0.2, rate: 0 }),
    usual: (temperature) => sgnht({ temperature, friction: 0.2, rate: 0.004 }),
    drift: (stepSize) => {
      const h = Math.sqrt(stepSize / 2);
      let [theta, r, alpha] = [1, 0, 0.2];
      for (let t = 0; t < 3; t++) {
        r = Math.exp(-alpha) * r - ((1 + Math.exp(-alpha)) / 2) * h * 2 * theta;
        theta += h * r;
        alpha += 0.004 * r * r;
      }
      return theta;
    },
    law: (stepSize, temperature) => {
      const h = Math.sqrt(stepSize / 2);
      const keep = Math.exp(-0.2);
      return underdamped(h, keep, ((1 + keep) / 2) * h, temperature * (1 - keep ** 2));
    },
    stepSize: 0.2,
    logisticStep: 3e-4,
  },
  {
    name: "sgfs",
    linear: (temperature) => sgfs({ temperature }),
    usual: (temperature) => sgfs({ temperature }),
    drift: (stepSize) => (1 - 4 / (2 + 3 + 4 / stepSize)) ** 3,
    law: (stepSize, temperature) => {
      const total = noise.map((s2) => s2 + 4 / stepSize);
      return overdamped(
        diagonal(total.map((s, j) => 2 / (precision[j][j] + s))),
        total.map((s, j) => temperature * s - noise[j]),
      );
    },
    stepSize: 0.6,
    logisticStep: 1e-3,
  },
];

const full: Case = {
  name: "sgfsFull",
  linear: (temperature) => sgfsFull({ temperature, refresh: 1 }),
  usual: (temperature) => sgfsFull({ temperature }),
  drift: (stepSize) => (1 - 4 / (2 + 3 + 4 / stepSize)) ** 3,
  law: (stepSize, temperature) => {
    const b = 4 / stepSize;
    const metric = add(precision, diagonal(noise.map((s2) => s2 + b)));
    return overdamped(
      scaled(2, inverse(metric)),
      noise.map((s2) => temperature * (s2 + b) - s2),
    );
  },
  stepSize: 0.6,
  logisticStep: 1e-3,
};

/** The coordinates of the last may not sleep. */
export const allCases: readonly Case[] = [...cases, full];

/** −2θ without error, at the coordinates that it is told. */
export function steady(touched: readonly number[]): GradientWithNoise {
  const coordinates = { count: touched.length, indices: Uint32Array.from(touched) };
  return {
    at(out, theta) {
      for (const j of touched) out[j] = -2 * theta[j];
      return coordinates;
    },
    noise(information, covariance, shape) {
      touched.forEach((j, i) => {
        const at = shape === "full" ? i * (touched.length + 1) : j;
        [information[at], covariance[at]] = [2, 3];
      });
    },
  };
}
