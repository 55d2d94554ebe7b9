/**
 * Reversible jumps whose births are informed by the residual (Green 1995). A coefficient exists only while its
 * variable is in the model. Birth of j draws it around one Newton step from zero on the current batch,
 *
 *     θ_j ~ q_j = N(U/(I + 1/v), 1/(I + 1/v)),   U = (N/n)·x_j'(y − μ)/φ,   I = (N/n)·x_j'Wx_j/φ
 *
 * with μ and W at the model without j, φ the dispersion and v the slab variance of the larger model. The odds of the
 * move are p(batch | with)/p(batch | without)/q_j(θ_j). For a Gaussian q_j is the exact conditional law, so a birth is
 * accepted with a probability that does not depend on the value drawn. Differs from the paper, whose births take the
 * θ_j that a Langevin walk has left behind.
 */

import type { Likelihood } from "../families/family.js";
import { normal } from "../math/normal.js";
import type { Rng } from "../math/rng.js";
import type { Batch, InnerKernel, Vector } from "../types.js";
import { type JumpSettings, jumps } from "./jumps.js";
import { Proposals } from "./proposals.js";
import type { PseudoPrior } from "./pseudo-prior.js";
import type { Selection } from "./selection.js";

export interface InformedBirthsSettings extends JumpSettings {
  readonly likelihood: Likelihood;
  /** Proposal weights in (0, 1), one per variable; 0 for variables that never move. */
  readonly weights: Float64Array;
}

export interface InformedBirths extends InnerKernel<Selection> {
  /** New proposal weights, from the next `enter` on. */
  adapt(weights: Float64Array): void;
}

/** Outside the model θ_j does not exist: nothing moves it and no density belongs to it. */
export const absent: PseudoPrior = {
  wake() {},
  sleep() {},
  advance() {},
  logDensity: () => 0,
  gradient: () => 0,
};

export function informedBirths(settings: InformedBirthsSettings): InformedBirths {
  const { kernels, likelihood, prior, weights, vector } = settings;
  const proposals = new Proposals(weights, prior.maxSize);
  const term = vector();
  /** Score and weights of the likelihood at each predictor that has been shown: the current one and a reduced one. */
  const slopes = new Map<number, { score: Vector; variance: Vector }>();

  /** Mean and precision of q_j. */
  function oneStep(j: number, size: number, eta: Vector, batch: Batch): [number, number] {
    const { score, variance } = slopes.get(eta.pointer)!;
    const perRow = batch.weight / likelihood.dispersion;
    const precision = perRow * batch.square(j, variance) + 1 / prior.slabVariance(size);
    return [(perRow * batch.dot(j, score)) / precision, precision];
  }

  /** What the log-likelihood gains when value·x_j joins η, less log q_j. */
  function odds(
    j: number,
    value: number,
    [mean, precision]: [number, number],
    eta: Vector,
    batch: Batch,
  ): number {
    kernels.fill(term.pointer, 0, batch.rows);
    batch.axpy(term, value, j);
    const gain = likelihood.change(term.pointer, eta.pointer, batch.target.pointer, batch.rows);
    return batch.weight * gain - logNormal(value, mean, precision);
  }

  const entrance = {
    value: 0,

    moved(eta: Vector, batch: Batch): void {
      let slope = slopes.get(eta.pointer);
      if (!slope) {
        slope = { score: vector(), variance: vector() };
        slopes.set(eta.pointer, slope);
      }
      likelihood.score(slope.score.pointer, eta.pointer, batch.target.pointer, batch.rows);
      likelihood.weights(slope.variance.pointer, eta.pointer, batch.rows);
    },

    draw(rng: Rng, _theta: Float64Array, j: number, size: number, eta: Vector, batch: Batch): number {
      const step = oneStep(j, size, eta, batch);
      entrance.value = step[0] + normal(rng) / Math.sqrt(step[1]);
      return odds(j, entrance.value, step, eta, batch);
    },

    back(theta: Float64Array, i: number, size: number, eta: Vector, batch: Batch): number {
      return odds(i, theta[i], oneStep(i, size, eta, batch), eta, batch);
    },
  };

  const kernel = jumps(settings, weights.length, proposals, entrance);
  return { ...kernel, adapt: (next) => proposals.adapt(next) };
}

function logNormal(value: number, mean: number, precision: number): number {
  return 0.5 * (Math.log(precision / (2 * Math.PI)) - precision * (value - mean) ** 2);
}
