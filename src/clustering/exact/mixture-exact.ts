/**
 * A mixture on all of its rows at once: labels given θ and θ given labels, each from its exact conditional law (Diebolt
 * and Robert 1994), and EM for the mode from which a chain starts and at which numbers of clusters are compared.
 */

import { labels } from "../../latent/labels.js";
import type { Rng } from "../../math/rng.js";
import type { Mixture } from "../../models/mixture.js";
import type { Rows } from "../../types.js";
import { sharedOut } from "../shares.js";
import type { ConjugateBlocks } from "./conjugate.js";
import type { EmStep } from "./mode.js";
import { renewSimplex } from "./renew-simplex.js";
import type { Shapes } from "./shapes.js";

/** A model and what its blocks are given their rows. */
export interface ExactMixture {
  readonly model: Mixture;
  readonly blocks: ConjugateBlocks;
  readonly shapes: Shapes;
}

/** Shares below this move no sum that is reported. */
const NOTHING = 1e-10;

/** One sweep, θ to θ. */
export function mixtureSweep(
  { model, blocks }: ExactMixture,
  rows: Rows,
): (rng: Rng, theta: Float64Array) => void {
  const kernel = labels(model);
  const counts = new Float64Array(model.components);
  let z: ReturnType<typeof kernel.init> | undefined;
  return (rng, theta) => {
    z ??= kernel.init(rng, theta);
    kernel.enter(z, theta, rows);
    kernel.step(rng, z, theta, rows);
    counts.fill(0);
    blocks.clear(theta, rng);
    for (let i = 0; i < rows.rows; i++) {
      const k = z.labels[i];
      counts[k] += 1;
      blocks.add(k, 1, rows.values, i * rows.columns);
    }
    renewSimplex(theta, 0, counts, rng);
    blocks.renew(theta, rng);
  };
}

export function mixtureEm({ model, blocks }: ExactMixture, rows: Rows): EmStep {
  const { components } = model;
  const terms = new Float64Array(rows.rows * components);
  const counts = new Float64Array(components);
  return (theta) => {
    model.logTerms(terms, theta, rows);
    const logLikelihood = sharedOut(terms, rows.rows, components);
    const prior = model.logJoint(theta, { labels: [] }, { ...rows, rows: 0 });
    counts.fill(0);
    blocks.clear(theta);
    for (let i = 0; i < rows.rows; i++) {
      for (let k = 0; k < components; k++) {
        const share = terms[i * components + k];
        if (share < NOTHING) continue;
        counts[k] += share;
        blocks.add(k, share, rows.values, i * rows.columns);
      }
    }
    renewSimplex(theta, 0, counts);
    blocks.renew(theta);
    return { logLikelihood, logPosterior: logLikelihood + prior, rows: counts };
  };
}

/** Blocks of the rows that are taken to belong together, by the component of each row. */
export function ofGroups(
  { model, blocks }: ExactMixture,
  rows: Rows,
  groups: ArrayLike<number>,
): Float64Array {
  const { components, names } = model;
  const theta = new Float64Array(names.length);
  const counts = new Float64Array(components);
  // Twice, because a mean is first looked for under the covariance of all rows.
  for (let round = 0; round < 2; round++) {
    counts.fill(0);
    blocks.clear(theta);
    for (let i = 0; i < rows.rows; i++) {
      counts[groups[i]] += 1;
      blocks.add(groups[i], 1, rows.values, i * rows.columns);
    }
    blocks.renew(theta);
  }
  renewSimplex(theta, 0, counts);
  return theta;
}
