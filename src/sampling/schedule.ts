/**
 * Step sizes ε_t, and with each the weights under which its draws are averaged.
 *
 *     polynomial   ε_t = a·(b + t)^(−κ), 0 < κ ≤ 1 (Teh, Thiery and Vollmer 2016)
 *     cyclical     ε_t = ½a·(1 + cos(π·u_t)), u_t = ((t − 1) mod L)/L (Zhang et al. 2020)
 *
 * Averages are unweighted for a constant step and for κ < 1 (Theorem 2 of Song et al. 2020) and weighted by ε_t
 * for κ = 1, where the late draws barely move and would drown the rest (the remark before that theorem). A cycle
 * counts only its second part, u_t ≥ `exploration`: the large steps before it look for modes.
 */

import { SparrowError } from "../errors.js";
import type { Schedule, Steps } from "../types.js";

export interface Polynomial {
  /** Scale of the steps. */
  readonly a: number;
  /** How many steps it takes before they shrink. */
  readonly b: number;
  /** How fast they shrink. */
  readonly kappa: number;
}

export interface Cyclical {
  /** The first step of a cycle. */
  readonly a: number;
  /** L, in iterations. */
  readonly length: number;
  /** The share of a cycle whose draws do not count; ½ unless told. */
  readonly exploration?: number;
}

/** A schedule as plain data, which crosses threads and can be recorded. */
export type StepSizes = number | Polynomial | Cyclical;

export function scheduleOf(steps: StepSizes): Schedule {
  if (typeof steps === "number") return steps;
  return "kappa" in steps ? polynomial(steps) : cyclical(steps);
}

export function polynomial(settings: Polynomial): Steps {
  const { a, b, kappa } = settings;
  if (!(a > 0 && b >= 0 && kappa > 0 && kappa <= 1)) {
    throw new SparrowError(
      `A polynomial schedule needs a > 0, b ≥ 0 and 0 < kappa ≤ 1, but got a = ${a}, b = ${b}, kappa = ${kappa}.`,
      "option",
    );
  }
  const steps = (t: number): number => a * (b + t) ** -kappa;
  return kappa < 1 ? steps : Object.assign(steps, { weight: steps });
}

export function cyclical(settings: Cyclical): Steps {
  const { a, length, exploration = 0.5 } = settings;
  if (!(a > 0 && length >= 2 && exploration >= 0 && exploration < 1)) {
    throw new SparrowError(
      `A cyclical schedule needs a > 0, length ≥ 2 and 0 ≤ exploration < 1, but got a = ${a}, length = ${length}, exploration = ${exploration}.`,
      "option",
    );
  }
  const position = (t: number): number => ((t - 1) % length) / length;
  return Object.assign((t: number) => 0.5 * a * (1 + Math.cos(Math.PI * position(t))), {
    weight: (t: number) => (position(t) < exploration ? 0 : 1),
  });
}

export function valueAt(schedule: Schedule, t: number): number {
  return typeof schedule === "number" ? schedule : schedule(t);
}

/** The weight of the draw of iteration t in every average over this schedule's draws. */
export function weightAt(schedule: Schedule, t: number): number {
  return typeof schedule === "number" ? 1 : (schedule.weight?.(t) ?? 1);
}
