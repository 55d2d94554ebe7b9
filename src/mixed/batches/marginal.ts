/**
 * The posterior of classes and counts in one grouping, with the effects integrated out, over θ = (β, log-Cholesky of Σ).
 * The gradient is that of Fisher's identity, E[∇log π(θ, b) | y, θ], under the points of a batch.
 */

import { packedSize } from "../../math/packed.js";
import type { Model } from "../../types.js";
import { layoutOf, type MixedLayout, pivots, unpack } from "../model/chart.js";
import { addPriorGrad, addScaleGrad, logPrior } from "../model/prior.js";
import type { GroupedRows } from "./grouped-rows.js";
import { levelIntegrals } from "./level-integral.js";
import type { Nodes } from "./nodes.js";

/** Some of the levels, N/n, and the points of each. */
export interface LevelBatch {
  readonly levels: Uint32Array;
  readonly weight: number;
  readonly nodes: Nodes;
}

export interface LevelModel extends Model<null, LevelBatch> {
  /** That of the model of numbers, which has a variance of the noise behind β: here it is 1. */
  readonly layout: MixedLayout;
  /** Σ⁻¹ at θ, packed. */
  inverseAt(theta: Float64Array): Float64Array;
}

/** θ with log σ² = 0 behind β. */
export function withNoise(theta: Float64Array, p: number): Float64Array {
  const out = new Float64Array(theta.length + 1);
  out.set(theta.subarray(0, p));
  out.set(theta.subarray(p), p + 1);
  return out;
}

export function levelModel(rows: GroupedRows, mostNodes: number): LevelModel {
  const { p, q, x, starts, priors } = rows;
  const names = Array.from({ length: p + q }, (_, j) => `${j}`);
  const layout = layoutOf({
    columns: names,
    fixed: names.slice(0, p).map(Number),
    random: names.slice(p).map(Number),
    priors: {
      law: priors.law,
      resolutions: rows.resolutions,
      fixedVariance: 1 / priors.fixedPrecision,
      spread: priors.spread,
      spreadDegrees: priors.degrees,
    },
  });
  const point = unpack(layout);
  const integral = levelIntegrals(rows, mostNodes);
  const score = new Float64Array(p);
  const squares = new Float64Array(packedSize(q));
  const wide = new Float64Array(layout.size);
  return {
    layout,
    names: layout.names.filter((_, j) => j !== p),
    inverseAt(theta) {
      point.read(withNoise(theta, p));
      return point.inverseCovariance.slice();
    },
    logJoint(theta, _z, { levels, weight, nodes }) {
      const whole = withNoise(theta, p);
      point.read(whole);
      let sum = 0;
      for (const at of pivots(layout)) sum -= levels.length * whole[at];
      for (let i = 0; i < levels.length; i++) {
        // The normal density of the effects, whose 2π is that of the integral.
        sum +=
          integral(theta, point.inverseCovariance, levels[i], nodes, i).log - 0.5 * q * Math.log(2 * Math.PI);
      }
      return logPrior(layout, whole, point) + weight * sum;
    },
    addGrad(out, scale, theta, _z, { levels, weight, nodes }) {
      const whole = withNoise(theta, p);
      point.read(whole);
      score.fill(0);
      squares.fill(0);
      for (let i = 0; i < levels.length; i++) {
        const { effects, shares, residual } = integral(theta, point.inverseCovariance, levels[i], nodes, i);
        const [from, to] = [starts[levels[i]], starts[levels[i] + 1]];
        for (let r = from; r < to; r++) {
          for (let j = 0; j < p; j++) score[j] += x[r * p + j] * residual[r - from];
        }
        for (let k = 0; k < nodes.count; k++) {
          for (let j = 0, e = 0; j < q; j++) {
            for (let l = 0; l <= j; l++, e++)
              squares[e] += shares[k] * effects[k * q + j] * effects[k * q + l];
          }
        }
      }
      wide.fill(0);
      addScaleGrad(wide, weight, layout, point, { s: squares, weight: 1, degrees: levels.length });
      addPriorGrad(wide, 1, layout, whole, point);
      for (let j = 0; j < p; j++) out[j] += scale * (wide[j] + weight * score[j]);
      for (let j = p; j < theta.length; j++) out[j] += scale * wide[j + 1];
    },
  };
}
