/**
 * Proposal weights from the residual of the current model, on a large batch (one pass over all columns). With the
 * score U_j and the information I_j of variable j, both with the intercept projected out, one Newton step says what
 * the model gains from j (design of the certificate, on the diagonal only):
 *
 *     gain_j = ½U²/(I + 1/v) − ½ log(1 + vI) + log prior odds,   U = U_j + I_j·θ_j for members
 *
 * Outside the model w_j = ceiling·exp((gain_j − max gain)/σ_gain), so that births go where the residual points, however
 * large all gains are; inside w_j = ceiling·P(in), so that deaths hit what has become useless. Weights stay within
 * [floor, ceiling]: every move remains possible in both directions.
 */

import type { Kernels } from "../kernels/interface.js";
import type { Selection } from "../latent/selection.js";
import type { Family } from "../models/families.js";
import type { SelectionPrior } from "../models/priors.js";
import type { Batch, Vector } from "../types.js";

const CEILING = 0.9;

export interface ResidualWeightsSettings {
  readonly kernels: Kernels;
  readonly family: Family;
  readonly prior: SelectionPrior;
  /** Whether a variable may move: its weight is 0 otherwise. */
  readonly movable: (j: number) => boolean;
  readonly variables: number;
  /** The variable that is always in and has a flat prior, if there is one. */
  readonly intercept: number | undefined;
  /** Room for five vectors of the batch's length. */
  readonly vector: () => Vector;
}

export interface Residual {
  readonly weights: Float64Array;
  /** Largest eigenvalue of the information of the current model. */
  readonly curvature: number;
}

export function residualWeights(
  settings: ResidualWeightsSettings,
): (z: Selection, theta: Float64Array, batch: Batch) => Residual {
  const { kernels, family, prior, movable, variables, intercept } = settings;
  const [eta, score, information, column, product] = Array.from({ length: 5 }, settings.vector);

  return (z, theta, batch) => {
    const n = batch.rows;
    const perRow = batch.weight / family.dispersion;
    kernels.fill(eta.pointer, 0, n);
    for (let i = 0; i < z.size; i++) batch.axpy(eta, theta[z.members[i]], z.members[i]);
    family.score(score.pointer, eta.pointer, batch.target.pointer, n);
    family.weights(information.pointer, eta.pointer, n);
    const total = intercept === undefined ? 0 : batch.dot(intercept, information);
    const residual = intercept === undefined ? 0 : batch.dot(intercept, score);

    const size = Math.max(1, z.size - z.always + 1);
    const v = prior.slabVariance(size);
    const odds = prior.logModel(size) - prior.logModel(size - 1);
    const gains = new Float64Array(variables).fill(Number.NEGATIVE_INFINITY);
    for (let j = 0; j < variables; j++) {
      if (!movable(j)) continue;
      weigh(j, batch);
      let u = batch.dot(j, score);
      let info = batch.dot(j, product);
      if (total > 0) {
        const shared = batch.dot(j, information);
        u -= (shared / total) * residual;
        info -= shared ** 2 / total;
      }
      info = Math.max(0, perRow * info);
      u = perRow * u + (z.place[j] >= 0 ? info * theta[j] : 0);
      gains[j] = 0.5 * (u ** 2 / (info + 1 / v) - Math.log1p(v * info)) + odds;
    }
    return { weights: weightsFrom(gains, z), curvature: perRow * curvatureOf(z, batch) + 1 / v };
  };

  /** product = W·x_j, with x_j left in `column`. */
  function weigh(j: number, batch: Batch): void {
    kernels.fill(column.pointer, 0, batch.rows);
    batch.axpy(column, 1, j);
    kernels.product(product.pointer, column.pointer, information.pointer, batch.rows);
  }

  function weightsFrom(gains: Float64Array, z: Selection): Float64Array {
    let [count, mean, squares, most] = [0, 0, 0, Number.NEGATIVE_INFINITY];
    for (let j = 0; j < variables; j++) {
      if (gains[j] === Number.NEGATIVE_INFINITY || z.place[j] >= 0) continue;
      count += 1;
      const delta = gains[j] - mean;
      mean += delta / count;
      squares += delta * (gains[j] - mean);
      most = Math.max(most, gains[j]);
    }
    const spread = Math.max(1, Math.sqrt(squares / Math.max(1, count - 1)));
    const floor = 1 / (1 + variables);
    return gains.map((gain, j) => {
      if (gain === Number.NEGATIVE_INFINITY) return 0;
      const share = z.place[j] >= 0 ? 1 / (1 + Math.exp(-gain)) : Math.exp((gain - most) / spread);
      return Math.max(floor, CEILING * share);
    });
  }

  /** The largest eigenvalue of X_S'WX_S by power iteration. */
  function curvatureOf(z: Selection, batch: Batch): number {
    const k = z.size;
    const matrix = new Float64Array(k * k);
    for (let a = 0; a < k; a++) {
      weigh(z.members[a], batch);
      for (let b = 0; b <= a; b++) {
        matrix[a * k + b] = matrix[b * k + a] = batch.dot(z.members[b], product);
      }
    }
    let direction = new Float64Array(k).fill(1 / Math.sqrt(k));
    let value = 0;
    for (let step = 0; step < 30; step++) {
      const next = direction.map((_, a) => direction.reduce((sum, d, b) => sum + matrix[a * k + b] * d, 0));
      value = Math.hypot(...next);
      if (!(value > 0)) break;
      direction = next.map((x) => x / value);
    }
    return value;
  }
}
