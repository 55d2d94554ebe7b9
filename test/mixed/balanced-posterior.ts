/**
 * The posterior of a group standard deviation τ of balanced groups with a random intercept, by a grid over τ and σ with
 * β ~ N(0, 10⁴) integrated out: none of the code that it is there to test.
 */

import type { CrossProducts } from "../../src/mixed/model/crossproducts.js";

/** A density of τ and σ, up to a factor. */
export type SpreadPrior = (tau: number, sigma: number) => number;

export const halfT = (sd: number, scale: number): number => (1 + (sd / scale) ** 2 / 2) ** -1.5;

/** In or out, from u and the number of groups, with half-t of a scale on τ and on σ. */
export const inOrOut =
  (unit: number, groups: number, scale: number): SpreadPrior =>
  (tau, sigma) => {
    const x = tau / (sigma * unit);
    const [slab, spike] = slabAndSpike(x, groups);
    return ((slab + spike) / sigma) * halfT(tau, scale) * halfT(sigma, scale);
  };

export function slabAndSpike(x: number, groups: number): readonly [number, number] {
  const jeffreys = x / (1 + Math.sqrt(2 / groups) * x * x);
  return [(jeffreys * x * x) / (x * x + 0.5), (0.7 / Math.sqrt(0.02 * Math.PI)) * Math.exp(-50 * x * x)];
}

/** Cells of τ, even in its logarithm, and of σ. */
const [TAUS, LEAST, MOST] = [900, 1e-4, 1e4];
const SIGMAS = Array.from({ length: 240 }, (_, s) => 0.2 * 20 ** ((s + 0.5) / 240));

/** E f(τ, σ) given `rows` rows in every group. */
export function balancedPosterior(
  data: CrossProducts,
  rows: number,
  prior: SpreadPrior,
): (f: (tau: number, sigma: number) => number) => number {
  const means = Array.from(data.rows, (_, i) => data.values[i * 3 + 1] / rows);
  const within = data.rows.reduce((sum, _, i) => sum + data.values[i * 3 + 2] - rows * means[i] ** 2, 0);
  const [sum, squares] = [1, 2].map((power) => means.reduce((all, m) => all + m ** power, 0));
  const groups = means.length;
  const cells: [tau: number, sigma: number, log: number][] = [];
  for (let t = 0; t < TAUS; t++) {
    const tau = LEAST * (MOST / LEAST) ** ((t + 0.5) / TAUS);
    for (const sigma of SIGMAS) {
      const total = sigma ** 2 + rows * tau ** 2;
      const precision = (groups * rows) / total + 1e-4;
      const quadratic = (rows * squares) / total - ((rows * sum) / total) ** 2 / precision;
      const log =
        -groups * (rows - 1) * Math.log(sigma) -
        0.5 * (groups * Math.log(total) + within / sigma ** 2 + quadratic + Math.log(precision));
      cells.push([tau, sigma, log + Math.log(prior(tau, sigma) * tau * sigma)]);
    }
  }
  const top = cells.reduce((high, [, , log]) => Math.max(high, log), Number.NEGATIVE_INFINITY);
  const masses = cells.map(([, , log]) => Math.exp(log - top));
  const whole = masses.reduce((all, mass) => all + mass, 0);
  return (f) => cells.reduce((all, [tau, sigma], i) => all + masses[i] * f(tau, sigma), 0) / whole;
}
