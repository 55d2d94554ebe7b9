/**
 * A finite mixture: z_i ∈ {0 … K − 1} is the cluster of row i, θ the logits of the weights w and K emission blocks.
 *
 *     log π(θ, z | batch) = weight·Σ_i [log w_{z_i} + log p(x_i | block z_i)] + c·Σ log w_k + Σ_k log prior(block k)
 *
 * Rows are independent given θ, so the conditional of z_i knows only its own row, and the gradient averaged over z
 * is unbiased for that of the whole posterior. Clusters have no names: the posterior is the same under all K!
 * relabellings, which the summary undoes, not the chain.
 */

import type { Model, Rows } from "../types.js";
import type { Block, Emission } from "./emissions.js";
import { addSimplexGrad, logSimplex, sumOf } from "./simplex.js";

export interface Mixture extends Model<{ readonly labels: ArrayLike<number> }, Rows> {
  readonly components: number;
  readonly emission: Emission;
  readonly blocks: readonly Block[];
  /** Where the block of component k starts in θ. */
  block(k: number): number;
  /** Writes log w_k + log p(x_i | block k) at out[i·K + k]. */
  logTerms(out: Float64Array, theta: Float64Array, batch: Rows): void;
}

export function mixture(settings: {
  components: number;
  emission: Emission;
  concentration?: number;
}): Mixture {
  const { components, emission, concentration = 1 } = settings;
  const length = emission.names.length;
  const logWeights = new Float64Array(components);
  const counts = new Float64Array(components);
  const block = (k: number): number => components - 1 + k * length;

  const every = Array.from({ length: components }, (_, k) => k);
  const blocks = every.map((k) => emission.block(block(k)));

  function unpack(theta: Float64Array): void {
    logSimplex(logWeights, theta, 0);
    for (let k = 0; k < components; k++) blocks[k].unpack(theta);
  }

  return {
    components,
    emission,
    blocks,
    block,
    names: [
      ...every.slice(1).map((k) => `weight logit ${k}`),
      ...every.flatMap((k) => emission.names.map((name) => `component ${k + 1}: ${name}`)),
    ],
    logTerms(out, theta, batch) {
      unpack(theta);
      for (let k = 0; k < components; k++) blocks[k].logDensities(out, k, components, batch, logWeights[k]);
    },
    logJoint(theta, z, batch) {
      unpack(theta);
      let sum = 0;
      for (let i = 0; i < batch.rows; i++) {
        const k = z.labels[i];
        sum += logWeights[k] + blocks[k].logDensity(batch.values, i * batch.columns);
      }
      let prior = concentration * sumOf(logWeights);
      for (let k = 0; k < components; k++) prior += blocks[k].logPrior();
      return batch.weight * sum + prior;
    },
    addGrad(out, scale, theta, z, batch) {
      unpack(theta);
      const weight = scale * batch.weight;
      counts.fill(concentration / batch.weight);
      for (let i = 0; i < batch.rows; i++) {
        const k = z.labels[i];
        counts[k] += 1;
        blocks[k].addGrad(out, weight, batch.values, i * batch.columns);
      }
      addSimplexGrad(out, 0, weight, counts, logWeights);
      for (let k = 0; k < components; k++) blocks[k].addPriorGrad(out, scale);
    },
  };
}
