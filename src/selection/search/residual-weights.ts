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

import type { Likelihood } from "../../families/family.js";
import type { Kernels } from "../../kernels/interface.js";
import type { Selection } from "../../latent/selection.js";
import { cholesky, solve } from "../../math/linear.js";
import type { SelectionPrior } from "../../models/priors.js";
import type { BlockBatch } from "../../store/batch/batch.js";
import type { Vector } from "../../types.js";

const CEILING = 0.9;
/** A model whose curvature on the batch is less than this share of what all rows say of one of its columns. */
const FLAT = 0.5;

export interface ResidualWeightsSettings {
  readonly kernels: Kernels;
  readonly likelihood: Likelihood;
  readonly prior: SelectionPrior;
  /** Whether a variable may move: its weight is 0 otherwise. */
  readonly movable: (j: number) => boolean;
  readonly variables: number;
  /** The variable that is always in and has a flat prior, if there is one. */
  readonly intercept: number | undefined;
  /** Mean of x_j² where all rows have weight one: it saves working out the information. */
  readonly meanSquares?: Float64Array | undefined;
  /** Room for five vectors of the batch's length. */
  readonly vector: () => Vector;
}

/** The model: what this needs of a selection. */
export type Members = Pick<Selection, "members" | "size" | "place" | "always">;

export interface Residual {
  readonly weights: Float64Array;
  /** Largest eigenvalue of the information of the current model; of the empty one, of any that holds one variable. */
  readonly curvature: number;
  /** Mean of (y − η)², for the Gaussian's σ². */
  readonly meanSquare: number;
}

export interface ResidualLook {
  (z: Members, theta: Float64Array, batch: BlockBatch): Residual;
  /** One Newton step of the coefficients of the model, on this batch: for a Gaussian it leads to their mode. */
  settle(z: Members, theta: Float64Array, batch: BlockBatch): void;
}

export function residualWeights(settings: ResidualWeightsSettings): ResidualLook {
  const { kernels, likelihood, prior, movable, variables, intercept, meanSquares } = settings;
  const [eta, score, information, column, product] = Array.from({ length: 5 }, settings.vector);

  return Object.assign(look, { settle });

  /** η, and the score and weights of its rows. */
  function stand(z: Members, theta: Float64Array, batch: BlockBatch): void {
    const n = batch.rows;
    kernels.fill(eta.pointer, 0, n);
    for (let i = 0; i < z.size; i++) batch.axpy(eta, theta[z.members[i]], z.members[i]);
    likelihood.score(score.pointer, eta.pointer, batch.target.pointer, n);
    likelihood.weights(information.pointer, eta.pointer, n);
  }

  function settle(z: Members, theta: Float64Array, batch: BlockBatch): void {
    const k = z.size;
    if (k === 0) return;
    stand(z, theta, batch);
    const perRow = batch.weight / likelihood.dispersion;
    const v = prior.slabVariance(Math.max(1, k - z.always));
    const matrix = informationOf(z, batch).map((value) => perRow * value);
    const step = Float64Array.from({ length: k }, (_, i) => {
      const j = z.members[i];
      matrix[i * k + i] += 1 / v;
      return perRow * batch.dot(j, score) - theta[j] / v;
    });
    if (!cholesky(matrix, k)) return;
    solve(matrix, k, step);
    const worth = () => {
      const squares = z.members.subarray(0, k).reduce((sum, j) => sum + theta[j] * theta[j], 0);
      const fit = likelihood.logLikelihood(eta.pointer, batch.target.pointer, batch.rows);
      return batch.weight * fit - squares / (2 * v);
    };
    const before = worth();
    for (let i = 0; i < k; i++) theta[z.members[i]] += step[i];
    stand(z, theta, batch);
    // Beyond the Gaussian a whole step may lead too far.
    if (!(worth() >= before)) for (let i = 0; i < k; i++) theta[z.members[i]] -= step[i];
  }

  function look(z: Members, theta: Float64Array, batch: BlockBatch): Residual {
    const n = batch.rows;
    const perRow = batch.weight / likelihood.dispersion;
    stand(z, theta, batch);
    const total = intercept === undefined ? 0 : batch.dot(intercept, information);
    const residual = intercept === undefined ? 0 : batch.dot(intercept, score);

    const size = Math.max(1, z.size - z.always + 1);
    const v = prior.slabVariance(size);
    const odds = prior.logModel(size) - prior.logModel(size - 1);
    const sums = meanSquares ? undefined : batch.newton(score, information);
    const dots = meanSquares && batch.dots(score);
    const gains = new Float64Array(variables).fill(Number.NEGATIVE_INFINITY);
    let [alone, member] = [0, 0];
    for (let j = 0; j < variables; j++) {
      if (!movable(j)) continue;
      let u = sums ? sums[3 * j] : dots![j];
      let info = sums ? sums[3 * j + 2] : n * meanSquares![j];
      if (total > 0) {
        const shared = sums ? sums[3 * j + 1] : batch.dot(j, information);
        u -= (shared / total) * residual;
        info -= shared ** 2 / total;
      }
      info = Math.max(0, perRow * info);
      alone = Math.max(alone, info);
      if (z.place[j] >= 0) member = Math.max(member, info);
      u = perRow * u + (z.place[j] >= 0 ? info * theta[j] : 0);
      gains[j] = 0.5 * (u ** 2 / (info + 1 / v) - Math.log1p(v * info)) + odds;
    }
    const seen = z.size > 0 ? perRow * largestEigenvalue(informationOf(z, batch), z.size) : alone;
    // A batch may have no entry of a rare column: it looks flat there, and the next batch is not.
    const together = seen < FLAT * member ? member : seen;
    const meanSquare = kernels.squaredError(eta.pointer, batch.target.pointer, n) / n;
    return { weights: weightsFrom(gains, z), curvature: together + 1 / v, meanSquare };
  }

  /** product = W·x_j, with x_j left in `column`. */
  function weigh(j: number, batch: BlockBatch): void {
    kernels.fill(column.pointer, 0, batch.rows);
    batch.axpy(column, 1, j);
    kernels.product(product.pointer, column.pointer, information.pointer, batch.rows);
  }

  /** X_S'WX_S. */
  function informationOf(z: Members, batch: BlockBatch): Float64Array {
    const k = z.size;
    const matrix = new Float64Array(k * k);
    for (let a = 0; a < k; a++) {
      weigh(z.members[a], batch);
      for (let b = 0; b <= a; b++) {
        matrix[a * k + b] = matrix[b * k + a] = batch.dot(z.members[b], product);
      }
    }
    return matrix;
  }
}

/** From what the model gains by each variable to its proposal weight. */
function weightsFrom(gains: Float64Array, z: Members): Float64Array {
  const variables = gains.length;
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

/** The largest eigenvalue of a k × k matrix, by power iteration. */
function largestEigenvalue(matrix: Float64Array, k: number): number {
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
