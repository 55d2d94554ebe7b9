import type { Schedule } from "../types.js";

/** ε_t = a·(b + t)^(−κ), 0 < κ ≤ 1 (Teh, Thiery and Vollmer 2016). */
export function polynomial(settings: { a: number; b: number; kappa: number }): (t: number) => number {
  const { a, b, kappa } = settings;
  return (t) => a * (b + t) ** -kappa;
}

export function valueAt(schedule: Schedule, t: number): number {
  return typeof schedule === "number" ? schedule : schedule(t);
}
