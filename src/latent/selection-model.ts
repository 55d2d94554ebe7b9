/**
 * log π(θ, γ | batch) for variable selection, the Model whose latent variable is γ:
 *
 *     (N/n)·log p(batch | θ∘γ) + log π(γ) + log N(θ_S; 0, v(|S|)) + Σ_{j∉S} log π0(θ_j)
 *
 * The gradient of a coordinate outside the model is that of its pseudo-prior. `addGrad` writes, for the members,
 * the difference to that resting gradient, and `rest` gives it, so that nothing here costs O(p).
 */

import type { Likelihood } from "../families/family.js";
import { logSlab, type SelectionPrior } from "../models/priors.js";
import type { Batch, Model } from "../types.js";
import type { PseudoPrior } from "./pseudo-prior.js";
import type { Selection } from "./selection.js";

export function selectionModel(settings: {
  names: readonly string[];
  likelihood: Likelihood;
  prior: SelectionPrior;
  pseudoPrior: PseudoPrior;
}): Model<Selection> {
  const { names, likelihood, prior, pseudoPrior } = settings;
  return {
    names,
    logJoint(theta, z, batch) {
      const free = z.size - z.always;
      let outside = 0;
      for (let j = 0; j < theta.length; j++) {
        if (z.place[j] < 0) outside += pseudoPrior.logDensity(j, theta[j]);
      }
      const rows = likelihood.logLikelihood(z.eta.pointer, batch.target.pointer, batch.rows);
      return batch.weight * rows + prior.logModel(free) + logSlab(prior, free, z.sumSquares) + outside;
    },
    addGrad(out, scale, theta, z, batch: Batch) {
      const free = z.size - z.always;
      const precision = free > 0 ? 1 / prior.slabVariance(free) : 0;
      const perRow = batch.weight / likelihood.dispersion;
      likelihood.score(z.scratch.pointer, z.eta.pointer, batch.target.pointer, batch.rows);
      for (let i = 0; i < z.size; i++) {
        const j = z.members[i];
        const slab = i < z.always ? 0 : -precision * theta[j];
        const fit = perRow * batch.dot(j, z.scratch);
        out[j] += scale * (fit + slab - pseudoPrior.gradient(j, theta[j]));
      }
    },
    rest: (j, value) => pseudoPrior.gradient(j, value),
  };
}
