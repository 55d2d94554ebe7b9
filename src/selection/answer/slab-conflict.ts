/**
 * Whether the slab expects much smaller effects than there are. Where σ² is unknown the slab is scaled by it, and what
 * the posterior calls residual, y'y − c·b'A⁻¹b, is that of least squares plus the pull of the slab on the effects. Once
 * the pull is of the size of the residual itself, σ² and with it all intervals are overstated.
 */

import { Evidence, type SufficientStatistics } from "../posterior/evidence.js";
import { likeliest, scaleLaw } from "../posterior/scale-law.js";
import type { FixedSlab } from "../posterior/slab.js";
import type { Specification } from "../posterior/specification.js";

/** Pull over residual from which on the numbers are visibly wrong: σ² by half of it. */
const TOO_MUCH = 0.2;
/** A residual below this share of the target is rounding. */
const NOTHING_LEFT = 1e-9;

/** A slab so wide that the fit is that of least squares. */
const FLAT = 1e9;

export interface SlabConflict {
  readonly option: "slabVariance" | "g";
  /** A scale that would fit the effects; absent where nothing at all is left to explain. */
  readonly better?: number;
}

export function slabConflict(
  statistics: SufficientStatistics,
  { slab, noiseVariance }: Specification,
  members: readonly number[],
): SlabConflict | undefined {
  if (noiseVariance !== undefined || members.length === 0) return undefined;
  const posterior = (slab: FixedSlab) => {
    const evidence = new Evidence(statistics, slab, undefined);
    evidence.rebuild(members);
    return evidence.posterior();
  };
  // A scale that was learned fits, unless it would have to be larger than any that there is.
  const largest = slab.scales.at(-1)!;
  const best = likeliest(slab, scaleLaw(statistics, slab, undefined, members));
  if (slab.prior && best.scale < largest) return undefined;
  const { mean, residualSquares: least } = posterior({ kind: "independent", scale: FLAT });
  if (posterior(best).residualSquares - least <= TOO_MUCH * least) return undefined;
  const { targetSquares, freedom } = statistics;
  const option = slab.kind === "zellner" ? "g" : "slabVariance";
  if (least < NOTHING_LEFT * targetSquares) return { option };
  const noise = least / Math.max(1, freedom - members.length);
  const explained = slab.kind === "zellner" ? targetSquares - least : mean.reduce((sum, b) => sum + b * b, 0);
  return { option, better: explained / noise / members.length };
}
