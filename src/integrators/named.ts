/** Integrators by the name that a user gives, for θ whose coordinates may sleep. ε has SGLD's unit in all of them. */

import type { GradientWithNoise, Integrator } from "../types.js";
import { psgld } from "./psgld.js";
import { sgfs } from "./sgfs.js";
import { sghmc } from "./sghmc.js";
import { sgld } from "./sgld.js";
import { sgnht } from "./sgnht.js";

export interface IntegratorSettings {
  readonly temperature: number;
  /** SGLD's bound on a step; the others have none. */
  readonly limit?: number;
}

/**
 * Steps that SGFS's averages reach back. While a search finds its variables the residual shrinks, and the error of the
 * gradient with it: averages over 1000 steps hold on to the early errors and keep the steps short (measured on the
 * selection of Table 1, three data sets: MSE1 1.3e-4, against 3.8e-5 with 100).
 */
const SGFS_MEMORY = 100;

const factories = {
  sgld,
  psgld: ({ temperature }) => psgld({ temperature, relative: true, floor: 0.1 }),
  sghmc: ({ temperature }) => sghmc({ temperature }),
  sgnht: ({ temperature }) => sgnht({ temperature }),
  sgfs: ({ temperature }) => sgfs({ temperature, memory: SGFS_MEMORY }),
} satisfies Record<string, (settings: IntegratorSettings) => unknown>;

export type IntegratorName = keyof typeof factories;

export const integratorNames = Object.keys(factories) as readonly IntegratorName[];

export function integratorNamed(
  name: IntegratorName,
  settings: IntegratorSettings,
): Integrator<{ readonly theta: Float64Array }, GradientWithNoise> {
  // The state is the integrator's own: whoever holds it only passes it back.
  return factories[name](settings) as Integrator<{ readonly theta: Float64Array }, GradientWithNoise>;
}
