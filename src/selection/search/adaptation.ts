/** Proposal weights and a step size that follow the model: looks at the residual on a large batch. */

import type { Likelihood } from "../../families/family.js";
import type { Rng } from "../../math/rng.js";
import type { SelectionPrior } from "../../models/priors.js";
import type { Arena } from "../../store/batch/arena.js";
import { blockBatches } from "../../store/batch/batch.js";
import type { Store } from "../../store/store.js";
import { type Members, type Residual, residualWeights } from "./residual-weights.js";
import type { AdaptationPlan, ChainState, SearchPlan } from "./types.js";

export interface Adaptation {
  /** Looks at the residual of a model; with `settle`, after one Newton step of its coefficients. */
  refresh(z: Members, theta: Float64Array, settle?: boolean): Residual;
  /** Of a model of this size, by the last look. */
  curvature(size: number): number;
  /** Coefficients that ran away are those that a chain starts with: none but the intercept's. */
  startAgain(z: Members, theta: Float64Array): void;
}

/** A model whose log-likelihood is so much less for each of its coefficients than it is without them has lost its way. */
const LOST = 10;

export function adaptation(
  { store, arena }: { readonly store: Store; readonly arena: Arena },
  plan: SearchPlan,
  { blocks, known, aboutMeans }: AdaptationPlan,
  { likelihood, prior }: { readonly likelihood: Likelihood; readonly prior: SelectionPrior },
  rng: Rng,
): Adaptation {
  const variables = plan.weights.length;
  const batches = blockBatches(store, plan.scaling, arena, blocks);
  const residual = residualWeights({
    kernels: store.kernels,
    likelihood,
    prior,
    variables,
    known,
    aboutMeans,
    movable: (j) => plan.weights[j] > 0,
    intercept: plan.always.includes(variables - 1) ? variables - 1 : undefined,
    vector: () => arena.vector(blocks * store.layout.stride),
  });
  let curvature = 1;
  let measuredAt = 1;
  const first = startingPoint(plan);
  const startAgain = (z: Members, theta: Float64Array): void => {
    for (const j of z.members.subarray(0, z.size)) theta[j] = first[j];
  };
  const lookedAt = (z: Members, theta: Float64Array, settle: boolean): Residual => {
    const batch = batches.draw(rng);
    const better = residual.fit(z, theta, batch) - residual.fit(z, first, batch);
    // A row of a heavy tail, or of a rare column that batches seldom show, may have a mean beyond all numbers.
    if (!(better >= -LOST * z.size)) startAgain(z, theta);
    if (settle) residual.settle(z, theta, batch);
    return residual(z, theta, batch);
  };
  return {
    refresh(z, theta, settle = false) {
      const looked =
        (settle ? undefined : residual.ofNothing(z, theta, store.layout.rows)) ?? lookedAt(z, theta, settle);
      curvature = looked.curvature;
      measuredAt = Math.max(1, z.size);
      return looked;
    },
    // A model that has grown since may have a curvature that has grown in proportion.
    curvature: (size) => curvature * Math.max(1, size / measuredAt),
    startAgain,
  };
}

/** The coefficients that a chain starts with. */
export function startingPoint({ weights, intercept }: SearchPlan, start?: ChainState): Float64Array {
  const theta = new Float64Array(weights.length);
  if (intercept !== undefined) theta[weights.length - 1] = intercept;
  start?.members.forEach((j, i) => {
    theta[j] = start.values[i];
  });
  return theta;
}

/** The model that a stretch starts with. */
export function startingModel(plan: SearchPlan, start: ChainState | undefined): Members {
  const members = start?.members ?? Uint32Array.from(plan.always);
  const place = new Int32Array(plan.weights.length).fill(-1);
  members.forEach((j, i) => {
    place[j] = i;
  });
  return { members, place, size: members.length, always: plan.always.length };
}
