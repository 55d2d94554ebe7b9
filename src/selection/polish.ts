/** The exact posterior over models on the candidates: every model when there are few enough, a sampler otherwise. */

import type { Rng } from "../math/rng.js";
import { enumerateModels, modelCount } from "./enumerate.js";
import type { Evidence } from "./evidence.js";
import type { ModelSpace, ModelWeights } from "./model-weights.js";
import { temperedGibbs } from "./tempered-gibbs.js";

/** Enumerating a quarter of a million models takes well under a second. */
const MAX_ENUMERATED = 2 ** 18;
export const CHAINS = 4;
const FIRST_FLIPS = 2000;
/** The sampler doubles its length until no inclusion probability has a larger Monte Carlo error, or it is this long. */
const GOOD_ERROR = 0.002;
const MAX_FLIPS = 64_000;

/** Between two passes of the certificate a short run will do. */
const HASTY_ENUMERATED = 2 ** 12;
const HASTY_FLIPS = 1000;

export function polish(
  rng: Rng,
  evidence: Evidence,
  space: ModelSpace,
  thorough: boolean,
  signal?: AbortSignal,
): ModelWeights {
  const models = modelCount(evidence.size, space);
  if (models <= (thorough ? MAX_ENUMERATED : HASTY_ENUMERATED)) return enumerateModels(evidence, space);
  if (!thorough)
    return temperedGibbs(rng, evidence, space, { chains: 1, flips: HASTY_FLIPS, burnIn: 200, signal });
  for (let flips = FIRST_FLIPS; ; flips *= 2) {
    const weights = temperedGibbs(rng.split(flips), evidence, space, {
      chains: CHAINS,
      flips,
      burnIn: Math.max(200, flips / 10),
      signal,
    });
    const worst = weights.inclusionError.reduce((a, b) => Math.max(a, b), 0);
    const mixed = (weights.mixing?.rhat ?? 1) < 1.01;
    if ((worst <= GOOD_ERROR && mixed) || flips >= MAX_FLIPS || signal?.aborted) return weights;
  }
}
