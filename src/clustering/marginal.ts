/**
 * Mixtures and hidden Markov models with the latent variables summed out: log p(θ | batch), and its gradient as the
 * expectation over z of that of log π(θ, z | batch) (Lemma 1 of Song et al. 2020), by responsibilities or smoothing
 * instead of draws. The gradient then has no error but that of the rows chosen, which a control variate can remove.
 */

import { states } from "../latent/states.js";
import type { LogDensity } from "../math/mode.js";
import { Rng } from "../math/rng.js";
import type { Hmm } from "../models/hmm.js";
import type { Mixture } from "../models/mixture.js";
import { addSimplexGrad, logSimplex, rowsOf } from "../models/simplex.js";
import type { Model, Rows, Stretch } from "../types.js";
import { logTotals, sharedOut } from "./shares.js";
import { smooth } from "./smoothing.js";

/** A share of a row below this moves no sum. */
const NOTHING = 1e-14;

export function marginalMixture(model: Mixture): Model<null, Rows> {
  const { components, blocks } = model;
  const logWeights = new Float64Array(components);
  const counts = new Float64Array(components);
  let terms = new Float64Array(0);

  function findTerms(theta: Float64Array, batch: Rows): void {
    if (terms.length < batch.rows * components) terms = new Float64Array(batch.rows * components);
    model.logTerms(terms, theta, batch);
  }

  return {
    names: model.names,
    logJoint(theta, _z, batch) {
      findTerms(theta, batch);
      const total = logTotals(terms, batch.rows, components);
      return batch.weight * total + model.logJoint(theta, { labels: [] }, withoutRows(batch));
    },
    addGrad(out, scale, theta, _z, batch) {
      findTerms(theta, batch);
      sharedOut(terms, batch.rows, components, "shares");
      logSimplex(logWeights, theta, 0);
      for (let k = 0; k < components; k++) blocks[k].unpack(theta);
      const weight = scale * batch.weight;
      counts.fill(0);
      for (let i = 0; i < batch.rows; i++) {
        for (let k = 0; k < components; k++) {
          const p = terms[i * components + k];
          if (p < NOTHING) continue;
          counts[k] += p;
          blocks[k].addGrad(out, weight * p, batch.values, i * batch.columns);
        }
      }
      addSimplexGrad(out, 0, weight, counts, logWeights);
      model.addGrad(out, scale, theta, { labels: [] }, withoutRows(batch));
    },
  };
}

/** `logJoint` is right for stretches without buffers: it is the likelihood of all steps. */
export function marginalHmm(model: Hmm): Model<null, Stretch> {
  const { states: size, blocks } = model;
  const counts = new Float64Array(size * size);
  const logs = new Float64Array(size * size);
  const [rowsOfCounts, rowsOfLogs] = [rowsOf(counts), rowsOf(logs)];
  const firsts = new Float64Array(size);
  const firstLogs = new Float64Array(size);
  const kernel = states(model);
  // The filter draws nothing.
  const z = kernel.init(Rng.seeded(0), new Float64Array(0));
  return {
    names: model.names,
    logJoint(theta, _z, batch) {
      kernel.enter(z, theta, batch);
      return batch.weight * z.logLikelihood + model.logJoint(theta, { path: [] }, withoutSteps(batch));
    },
    addGrad(out, scale, theta, _z, batch) {
      kernel.enter(z, theta, batch);
      for (let k = 0; k < size; k++) blocks[k].unpack(theta);
      const weight = scale * batch.weight;
      const { from, to, values, columns } = batch;
      counts.fill(0);
      firsts.fill(0);
      smooth(z, batch, (t, law, moves) => {
        // A move belongs to the step that it enters.
        if (moves && t + 1 >= from && t + 1 < to)
          for (let i = 0; i < counts.length; i++) counts[i] += moves[i];
        if (t < from || t >= to) return;
        if (batch.starts?.[t] === 1) for (let k = 0; k < size; k++) firsts[k] += law[k];
        for (let k = 0; k < size; k++) {
          if (law[k] < NOTHING) continue;
          blocks[k].addGrad(out, weight * law[k], values, t * columns);
        }
      });
      for (let i = 0; i < logs.length; i++) logs[i] = Math.log(z.transitions[i]);
      for (let k = 0; k < size; k++) {
        addSimplexGrad(out, k * (size - 1), weight, rowsOfCounts[k], rowsOfLogs[k]);
      }
      if (model.initialAt !== undefined) {
        logSimplex(firstLogs, theta, model.initialAt);
        addSimplexGrad(out, model.initialAt, weight, firsts, firstLogs);
      }
      model.addGrad(out, scale, theta, { path: [] }, withoutSteps(batch));
    },
  };
}

/** What is left is the prior. */
const withoutRows = (batch: Rows): Rows => ({ ...batch, rows: 0 });
const withoutSteps = (batch: Stretch): Stretch => ({ ...batch, from: 0, to: 0 });

export function densityOf<B>(model: Model<null, B>, batch: B): LogDensity {
  return {
    value: (theta) => model.logJoint(theta, null, batch),
    gradient(out, theta) {
      out.fill(0);
      model.addGrad(out, 1, theta, null, batch);
    },
  };
}
