import { incompleteBeta } from "./special.js";

/** The x with P(X ≤ x) = p for X ~ Beta(a, b), by bisection, which cannot fail. */
export function betaQuantile(p: number, a: number, b: number): number {
  let low = 0;
  let high = 1;
  for (let i = 0; i < 60; i++) {
    const middle = 0.5 * (low + high);
    if (incompleteBeta(middle, a, b) < p) low = middle;
    else high = middle;
  }
  return 0.5 * (low + high);
}
