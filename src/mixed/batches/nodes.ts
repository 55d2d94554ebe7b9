/**
 * Points by which the effects of a level are integrated out, in units of the normal law at their mode: those of
 * Gauss and Hermite, or draws. With importance weights both give the integral by the same formula.
 */

import { normal } from "../../math/normal.js";
import type { Rng } from "../../math/rng.js";

export interface Nodes {
  /** Points of each level. */
  readonly count: number;
  /** q numbers a point, and how many there are from one level of a batch to the next: none where all have the same. */
  readonly z: Float64Array;
  readonly stride: number;
  /** Logarithms of the weights of an average over N(0, I). */
  readonly logWeights: Float64Array;
}

/** Points a dimension, by the number of effects: more than three have draws alone. */
const ORDERS = [0, 11, 7, 5];
export const MOST_EFFECTS = ORDERS.length - 1;

/** All levels have the same points. */
export function hermiteNodes(q: number): Nodes {
  const rule = hermite(ORDERS[q]);
  const count = rule.length ** q;
  const z = new Float64Array(count * q);
  const logWeights = new Float64Array(count);
  for (let point = 0; point < count; point++) {
    for (let k = 0, rest = point; k < q; k++, rest = Math.floor(rest / rule.length)) {
      const { at, weight } = rule[rest % rule.length];
      z[point * q + k] = at;
      logWeights[point] += Math.log(weight);
    }
  }
  return { count, z, stride: 0, logWeights };
}

/** Every level has its own, in pairs z and −z, so that what is odd cancels. */
export function drawnNodes(rng: Rng, levels: number, pairs: number, q: number): Nodes {
  const count = 2 * pairs;
  const z = new Float64Array(levels * count * q);
  for (let at = 0; at < z.length; at += 2 * q) {
    for (let k = 0; k < q; k++) {
      z[at + k] = normal(rng);
      z[at + q + k] = -z[at + k];
    }
  }
  return { count, z, stride: count * q, logWeights: new Float64Array(count).fill(-Math.log(count)) };
}

/** Roots of the polynomials that are orthogonal under the standard normal law, by Newton from between changes of sign. */
function hermite(order: number): { at: number; weight: number }[] {
  /** The normalised polynomial of this order and of the one before. */
  const values = (x: number): [number, number] => {
    let [before, now] = [0, 1];
    for (let k = 0; k < order; k++)
      [before, now] = [now, (x * now - Math.sqrt(k) * before) / Math.sqrt(k + 1)];
    return [now, before];
  };
  const out: { at: number; weight: number }[] = [];
  const step = 0.05;
  for (let left = -2 * Math.sqrt(order) - step / 3; out.length < order; left += step) {
    if (values(left)[0] * values(left + step)[0] > 0) continue;
    let at = left + step / 2;
    for (let t = 0; t < 20; t++) {
      const [value, before] = values(at);
      at -= value / (Math.sqrt(order) * before);
    }
    out.push({ at, weight: 1 / (order * values(at)[1] ** 2) });
  }
  return out;
}
