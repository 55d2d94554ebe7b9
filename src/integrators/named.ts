/** Integrators by the name that a user gives, for θ whose coordinates may sleep. ε has SGLD's unit in all of them. */

import type { GradientWithNoise, Integrator } from "../types.js";
import { psgld } from "./psgld.js";
import { sgfs } from "./sgfs.js";
import { sghmc } from "./sghmc.js";
import { sgld } from "./sgld.js";
import { sgnht } from "./sgnht.js";

const factories = {
  sgld,
  psgld: (settings: { temperature: number }) => psgld({ ...settings, relative: true, floor: 0.1 }),
  sghmc,
  sgnht,
  sgfs,
} satisfies Record<string, (settings: { temperature: number }) => unknown>;

export type IntegratorName = keyof typeof factories;

export const integratorNames = Object.keys(factories) as readonly IntegratorName[];

export function integratorNamed(
  name: IntegratorName,
  settings: { temperature: number },
): Integrator<{ readonly theta: Float64Array }, GradientWithNoise> {
  // The state is the integrator's own: whoever holds it only passes it back.
  return factories[name](settings) as Integrator<{ readonly theta: Float64Array }, GradientWithNoise>;
}
