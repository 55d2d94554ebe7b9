/**
 * The probability that an effect differs between groups: that its standard deviation is of the slab and not of the spike
 * (spike-and-slab.ts). Given a draw it is a share of two densities, so that no draw has to be told to be in or out. The
 * slab reaches from what can be told to beyond the target, so that it has nearly all of the prior; what is told is
 * therefore what the Bayes factor makes of even odds.
 */

import { quantile } from "../../diagnostics/chains.js";
import { layoutOf, type MixedDesign, unpack } from "./chart.js";
import { spreadsOf } from "./prior.js";
import { type Resolution, slabBefore, slabShare } from "./spike-and-slab.js";

export interface Differs {
  /** What the effect is called. */
  readonly name: string;
  /** That it is more than practically zero, had that been a half before the data. */
  readonly probability: number;
  /** How much of the prior of the standard deviation is more than practically zero. */
  readonly before: number;
  /** How much of its posterior is. */
  readonly after: number;
}

/** From draws of τ/σ, and the scale and degrees of half-t over σ. */
export function differsOf(
  name: string,
  of: Resolution,
  spreads: readonly number[],
  { scale, degrees }: { readonly scale: number; readonly degrees: number },
): Differs {
  const after = spreads.reduce((sum, spread) => sum + slabShare(of, spread / of.unit), 0) / spreads.length;
  const before = slabBefore(of, scale / of.unit, degrees);
  const [inside, outside] = [after * (1 - before), (1 - after) * before];
  return { name, probability: inside / (inside + outside), before, after };
}

/** Of all effects of cross-products; of another law of the standard deviations, nothing. */
export function differsIn(design: MixedDesign, draws: readonly Float64Array[]): Differs[] {
  const layout = layoutOf(design);
  const { priors, random, fixed, columns } = layout;
  if (priors.law !== "spike-and-slab") return [];
  const point = unpack(layout);
  const spreads = draws.map((theta) => {
    point.read(theta);
    return spreadsOf(point, random.length);
  });
  const noises = draws.map((theta) => Math.exp(0.5 * theta[fixed.length])).sort((a, b) => a - b);
  const scale = priors.spread / quantile(Float64Array.from(noises), 0.5);
  return random.map((column, k) =>
    differsOf(
      columns[column],
      priors.resolutions[k],
      spreads.map((all) => all[k]),
      { scale, degrees: priors.spreadDegrees },
    ),
  );
}
