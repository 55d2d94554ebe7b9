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
import { gainsOf, weightsFrom } from "./gains.js";
import { lookOfNothing } from "./look-of-nothing.js";
import type { KnownMeans } from "./types.js";

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
  /** Where all rows have weight one: squares save working out the information, products a look at the empty model. */
  readonly known?: KnownMeans | undefined;
  /** The same with the intercept projected out, for a look at the model that holds it alone. */
  readonly aboutMeans?: KnownMeans | undefined;
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
  /** The log-likelihood of all rows, as far as this batch tells. */
  fit(z: Members, theta: Float64Array, batch: BlockBatch): number;
  /** One Newton step of the coefficients of the model, on this batch: for a Gaussian it leads to their mode. */
  settle(z: Members, theta: Float64Array, batch: BlockBatch): void;
  /**
   * The same look at the empty model, whose intercept is at its mode: so many rows say what is known already. Undefined
   * where it is not.
   */
  ofNothing(z: Members, theta: Float64Array, rows: number): Residual | undefined;
}

export function residualWeights(settings: ResidualWeightsSettings): ResidualLook {
  const { kernels, likelihood, prior, intercept, known } = settings;
  const [eta, score, information, column, product] = Array.from({ length: 5 }, settings.vector);

  return Object.assign(look, { fit, settle, ofNothing: lookOfNothing(settings, eta, information) });

  function predict(z: Members, theta: Float64Array, batch: BlockBatch): void {
    kernels.fill(eta.pointer, 0, batch.rows);
    for (let i = 0; i < z.size; i++) batch.axpy(eta, theta[z.members[i]], z.members[i]);
  }

  function fit(z: Members, theta: Float64Array, batch: BlockBatch): number {
    predict(z, theta, batch);
    return batch.weight * likelihood.logLikelihood(eta.pointer, batch.target.pointer, batch.rows);
  }

  /** η, and the score and weights of its rows. */
  function stand(z: Members, theta: Float64Array, batch: BlockBatch): void {
    const n = batch.rows;
    predict(z, theta, batch);
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
    const held = Float64Array.from(step, (_, i) => theta[z.members[i]]);
    for (let i = 0; i < k; i++) theta[z.members[i]] += step[i];
    stand(z, theta, batch);
    // Beyond the Gaussian a whole step may lead too far.
    if (!(worth() >= before)) for (let i = 0; i < k; i++) theta[z.members[i]] = held[i];
  }

  function look(z: Members, theta: Float64Array, batch: BlockBatch): Residual {
    const n = batch.rows;
    const perRow = batch.weight / likelihood.dispersion;
    stand(z, theta, batch);
    const total = intercept === undefined ? 0 : batch.dot(intercept, information);
    const residual = intercept === undefined ? 0 : batch.dot(intercept, score);

    const sums = known ? undefined : batch.newton(score, information);
    const dots = known && batch.dots(score);
    const { gains, alone, member, v } = gainsOf(settings, z, theta, (j, out) => {
      let u = sums ? sums[3 * j] : dots![j];
      let info = sums ? sums[3 * j + 2] : n * known!.squares[j];
      if (total > 0) {
        const shared = sums ? sums[3 * j + 1] : batch.dot(j, information);
        u -= (shared / total) * residual;
        info -= shared ** 2 / total;
      }
      out.score = perRow * u;
      out.information = perRow * info;
    });
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

/** The largest eigenvalue of a k × k matrix, by power iteration. */
function largestEigenvalue(matrix: Float64Array, k: number): number {
  const direction = new Float64Array(k).fill(1 / Math.sqrt(k));
  const next = new Float64Array(k);
  let value = 0;
  for (let step = 0; step < 30; step++) {
    let squares = 0;
    for (let a = 0; a < k; a++) {
      let sum = 0;
      for (let b = 0; b < k; b++) sum += matrix[a * k + b] * direction[b];
      next[a] = sum;
      squares += sum * sum;
    }
    value = Math.sqrt(squares);
    if (!(value > 0)) break;
    for (let a = 0; a < k; a++) direction[a] = next[a] / value;
  }
  return value;
}
