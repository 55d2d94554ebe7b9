/**
 * Whether the prior or the data decide a standard deviation of the random effects. Draws are weighted by one over the
 * prior's density of that standard deviation, which makes them draws under a flat one (importance sampling): where the
 * median moves far, or a few draws take all the weight, the prior has decided. Where effects are in or out, what is taken
 * away is half-t, which cuts the tail: the rest goes by what the data can tell, and how far it decides is said as the
 * probability that groups differ. Of effects common to all, whose prior is normal, the same is asked.
 */

import { placeOf } from "../math/packed.js";
import { weightedQuantile } from "../math/quantile.js";
import { layoutOf, type MixedDesign, type MixedPriors, natural } from "./model/chart.js";

/** What a prior without a scale would change. */
export interface PriorInfluence {
  /** What differs between groups, and between which. */
  readonly name: string;
  readonly groups: string;
  /** By how many posterior standard deviations the median moves. */
  readonly moves: number;
  /** What the median would be multiplied with. */
  readonly ratio: number;
  /** Effective share of the draws after weighting. */
  readonly share: number;
}

export function priorInfluence(
  design: MixedDesign,
  draws: readonly Float64Array[],
  groups: number,
): PriorInfluence[] {
  const layout = layoutOf(design);
  const p = design.fixed.length;
  const q = design.random.length;
  const readable = draws.map((theta) => natural(layout, theta));
  return design.random.map((column, k) => {
    const at = p + 1 + placeOf(k, k);
    const spreads = readable.map((draw) => {
      const sd = Math.sqrt(draw[at]);
      return { value: sd, log: logDensity(layout.priors, q, sd, Math.sqrt(draw[p])) };
    });
    return { name: design.columns[column], groups: `the ${groups} groups`, ...influenceOf(spreads) };
  });
}

/** Of draws of one standard deviation, or of one effect, with the logarithm of its prior density. */
export function influenceOf(
  draws: readonly { readonly value: number; readonly log: number }[],
): Pick<PriorInfluence, "moves" | "ratio" | "share"> {
  const ordered = [...draws].sort((a, b) => a.value - b.value);
  const sorted = Float64Array.from(ordered, ({ value }) => value);
  const least = ordered.reduce((low, { log }) => Math.min(low, log), Number.POSITIVE_INFINITY);
  const weights = Float64Array.from(ordered, ({ log }) => Math.exp(least - log));
  const total = weights.reduce((sum, w) => sum + w, 0);
  const square = weights.reduce((sum, w) => sum + w * w, 0);
  const mean = sorted.reduce((sum, x) => sum + x, 0) / sorted.length;
  const spread = Math.sqrt(sorted.reduce((sum, x) => sum + (x - mean) ** 2, 0) / sorted.length);
  const median = sorted[sorted.length >> 1];
  const other = weightedQuantile(sorted, weights, 0.5);
  return {
    moves: spread > 0 ? (other - median) / spread : 0,
    ratio: other / median,
    share: (total * total) / square / sorted.length,
  };
}

/** Of one standard deviation, given that of the noise, up to a constant. */
function logDensity(priors: MixedPriors, q: number, sd: number, noise: number): number {
  if (priors.law !== "inverse-wishart") {
    const { spreadDegrees: nu, spread } = priors;
    return logHalfT(sd, nu, spread);
  }
  // A diagonal element of an inverse-Wishart(δ, ψI) is ψ/χ² with δ − q + 1 degrees.
  const relative = sd / noise;
  const degrees = priors.covarianceDegrees - q + 1;
  return -(degrees + 1) * Math.log(relative) - priors.covarianceScale / (2 * relative * relative);
}

export const logHalfT = (sd: number, degrees: number, scale: number): number =>
  -0.5 * (degrees + 1) * Math.log1p((sd / scale) ** 2 / degrees);

/** Half a posterior standard deviation is what a reader would notice. */
const NOTICEABLE = 0.5;
const FEW = 0.1;

type Influence = Pick<PriorInfluence, "moves" | "ratio" | "share">;

const decides = ({ moves, share }: Influence): boolean => Math.abs(moves) >= NOTICEABLE || share <= FEW;

function timesAsLarge({ ratio, share }: Influence): string {
  if (share <= FEW) return ratio < 1 ? "far smaller" : "far larger";
  const times = Number(ratio.toPrecision(2));
  return times === 2 ? "about twice as large" : `about ${times} times as large`;
}

export function influenceSentences(influences: readonly PriorInfluence[], law: MixedPriors["law"]): string[] {
  const other = law === "spike-and-slab" ? "a prior without a scale" : "a flat prior";
  return influences
    .filter(decides)
    .map(
      (influence) =>
        `The prior decides much of how "${influence.name}" differs between ${influence.groups}: under ${other} its standard deviation would be ${timesAsLarge(influence)}.`,
    );
}

/** Of effects common to all, where the data alone do not bound them, as a column that separates two classes. */
export function effectSentences(influences: readonly (Influence & { readonly name: string })[]): string[] {
  return influences
    .filter(decides)
    .map(
      (influence) =>
        `The prior decides much of the effect of "${influence.name}": under a flat prior it would be ${timesAsLarge(influence)}.`,
    );
}
