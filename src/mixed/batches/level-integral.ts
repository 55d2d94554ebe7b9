/**
 * The integral over the effects of one level, ∫ p(y | β, b) N(b; 0, Σ) db, and expectations under p(b | y): with b̂ the
 * mode, R·R′ the curvature there and points z_k with weights w_k of an average over N(0, I),
 *
 *     b_k = b̂ + R⁻ᵀz_k,   log ∫ ≈ log Σ w_k exp{ℓ(b_k) + ½‖z_k‖²} − log|R| + (q/2)·log 2π.
 */

import { familyNamed } from "../../families/register.js";
import { choleskyInPlace, packedSize, placeOf, solveLower, solveUpper } from "../../math/packed.js";
import type { GroupedRows } from "./grouped-rows.js";
import type { Nodes } from "./nodes.js";

export interface LevelIntegral {
  /** log ∫, without the determinant of Σ. */
  log: number;
  /** b_k, and its share of p(b | y). */
  readonly effects: Float64Array;
  readonly shares: Float64Array;
  /** E[y − μ | y] of the rows, times their weights; the first ones are those of the level. */
  readonly residual: Float64Array;
  readonly mode: Float64Array;
}

/** Newton steps to the mode; a step this short, in standard deviations, is the last. */
const [STEPS, NEAR] = [50, 1e-2];

export function levelIntegrals(rows: GroupedRows, mostNodes: number) {
  const { q, starts, groups } = rows;
  let largest = 0;
  for (let i = 0; i < groups; i++) largest = Math.max(largest, starts[i + 1] - starts[i]);
  const out: LevelIntegral = {
    log: 0,
    effects: new Float64Array(mostNodes * q),
    shares: new Float64Array(mostNodes),
    residual: new Float64Array(largest),
    mode: new Float64Array(q),
  };
  const fixedPart = new Float64Array(largest);
  const means = new Float64Array(mostNodes * largest);
  const climb = climber(rows, largest);

  /** Of level i, given β at the front of θ and Σ⁻¹; `place` is that of the level in the batch. */
  return (
    theta: Float64Array,
    inverse: Float64Array,
    i: number,
    nodes: Nodes,
    place: number,
  ): LevelIntegral => {
    const { p, x, offset } = rows;
    const [from, count] = [starts[i], starts[i + 1] - starts[i]];
    for (let r = 0; r < count; r++) {
      let sum = offset ? offset[from + r] : 0;
      for (let j = 0; j < p; j++) sum += x[(from + r) * p + j] * theta[j];
      fixedPart[r] = sum;
    }
    const { factor, valueAt } = climb(out.mode, inverse, from, count, fixedPart);
    let top = Number.NEGATIVE_INFINITY;
    for (let k = 0; k < nodes.count; k++) {
      const b = out.effects.subarray(k * q, (k + 1) * q);
      let square = 0;
      for (let e = 0; e < q; e++) {
        b[e] = nodes.z[place * nodes.stride + k * q + e];
        square += b[e] * b[e];
      }
      solveUpper(b, 0, factor, 0, q);
      for (let e = 0; e < q; e++) b[e] += out.mode[e];
      const log = valueAt(b, means.subarray(k * count, (k + 1) * count)) + 0.5 * square + nodes.logWeights[k];
      out.shares[k] = log;
      top = Math.max(top, log);
    }
    let total = 0;
    for (let k = 0; k < nodes.count; k++) {
      out.shares[k] = Math.exp(out.shares[k] - top);
      total += out.shares[k];
    }
    out.log = top + Math.log(total) + 0.5 * q * Math.log(2 * Math.PI);
    for (let e = 0; e < q; e++) out.log -= Math.log(factor[placeOf(e, e)]);
    for (let r = 0; r < count; r++) {
      let mean = 0;
      for (let k = 0; k < nodes.count; k++) mean += (out.shares[k] / total) * means[k * count + r];
      out.residual[r] = (rows.weights ? rows.weights[from + r] : 1) * (rows.y[from + r] - mean);
    }
    for (let k = 0; k < nodes.count; k++) out.shares[k] /= total;
    return out;
  };
}

/** Newton to the mode of ℓ(b) = log p(y | β, b) − ½b′Σ⁻¹b, from zero: ℓ is concave, and steps are halved where it falls. */
function climber({ q, z, y, weights, family: name }: GroupedRows, largest: number) {
  const family = familyNamed(name);
  const { logDensity } = family.response(1);
  const factor = new Float64Array(packedSize(q));
  const step = new Float64Array(q);
  const next = new Float64Array(q);
  const means = new Float64Array(largest);
  return (b: Float64Array, inverse: Float64Array, from: number, count: number, fixedPart: Float64Array) => {
    const valueAt = (at: Float64Array, out: Float64Array): number => {
      let value = 0;
      for (let k = 0; k < q; k++) {
        for (let l = 0; l < q; l++) value -= 0.5 * inverse[placeOf(k, l)] * at[k] * at[l];
      }
      for (let r = 0; r < count; r++) {
        let eta = fixedPart[r];
        for (let k = 0; k < q; k++) eta += z[(from + r) * q + k] * at[k];
        out[r] = family.inverseLink(eta);
        value += (weights ? weights[from + r] : 1) * logDensity(y[from + r], eta);
      }
      return value;
    };
    b.fill(0);
    let value = valueAt(b, means);
    for (let t = 0; t < STEPS; t++) {
      factor.set(inverse);
      for (let k = 0; k < q; k++) {
        step[k] = 0;
        for (let l = 0; l < q; l++) step[k] -= inverse[placeOf(k, l)] * b[l];
      }
      for (let r = 0; r < count; r++) {
        const weight = weights ? weights[from + r] : 1;
        const bend = weight * family.variance(means[r]);
        const slope = weight * (y[from + r] - means[r]);
        for (let k = 0, e = 0; k < q; k++) {
          const own = z[(from + r) * q + k];
          step[k] += own * slope;
          for (let l = 0; l <= k; l++, e++) factor[e] += bend * own * z[(from + r) * q + l];
        }
      }
      choleskyInPlace(factor, 0, q);
      solveLower(step, 0, factor, 0, q);
      const length = Math.hypot(...step);
      if (length < NEAR) break;
      solveUpper(step, 0, factor, 0, q);
      for (let share = 1; share > 1e-6; share /= 2) {
        for (let k = 0; k < q; k++) next[k] = b[k] + share * step[k];
        const there = valueAt(next, means);
        if (there < value) continue;
        value = there;
        b.set(next);
        break;
      }
    }
    return { factor, valueAt };
  };
}
