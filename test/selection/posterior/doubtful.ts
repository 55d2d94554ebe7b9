/** Regressions whose models are in doubt, under every kind of prior and slab. */

import { Rng } from "../../../src/math/rng.js";
import {
  betaBinomialPrior,
  inclusionPrior,
  type ModelPrior,
  uniformPrior,
} from "../../../src/models/model-priors.js";
import { enumerateModels } from "../../../src/selection/posterior/enumeration/enumerate.js";
import type { ModelSpace } from "../../../src/selection/posterior/model-weights.js";
import { fixed, normalized, type Slab } from "../../../src/selection/posterior/slab.js";
import { type Regression, regression, statisticsOf } from "../problems.js";

export const P = 8;
export const PRIORS = [inclusionPrior(P - 1, 0.2), betaBinomialPrior(P - 1, 1, 2.5), uniformPrior(P - 1)];

/** Effects near the edge of what the data can see, so that inclusion probabilities spread over (0, 1). */
export const doubtful = (seed: number, correlation: number): Regression =>
  regression(Rng.seeded(seed), {
    rows: 60,
    beta: [0.5, 0.3, -0.3, 0.2, -0.1, 0, 0, 0],
    correlation,
    noise: 1,
  });

/** With a scale that is not known, and weights that are all different. */
export const learned = (kind: Slab["kind"], scales: readonly number[]): Slab => ({
  kind,
  scales,
  logPrior: normalized(scales.map((_, s) => -0.5 * s)),
  first: scales[0],
});
export const SLABS = [
  fixed({ kind: "independent", scale: 0.8 }),
  fixed({ kind: "zellner", scale: 60 }),
  learned("independent", [0.02, 0.3, 4]),
  learned("zellner", [2, 30, 500, 9000]),
];
export const CASES = PRIORS.flatMap((prior) =>
  SLABS.flatMap((slab) =>
    [undefined, 1.1].map((noise) => ({ prior, slab, noise, kind: prior.kind, scales: slab.scales.length })),
  ),
);
export const scalesOf = ({ scales, logPrior }: Slab) =>
  scales.map((scale, s) => ({ scale, logPrior: logPrior[s] }));

export function spaceOf(prior: ModelPrior, always: readonly number[], maxSize: number): ModelSpace {
  return { logModel: Float64Array.from({ length: maxSize + 1 }, (_, k) => prior.logModel(k)), always };
}

export function enumerated(data: Regression, slab: Slab, noise: number | undefined, space: ModelSpace) {
  return enumerateModels(statisticsOf(data, true), slab, noise, space);
}
