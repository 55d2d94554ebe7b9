/**
 * Whether the prior or the data decide a standard deviation of the random effects. Draws are weighted by one over the
 * prior's density of that standard deviation, which makes them draws under a flat one (importance sampling): where the
 * median moves far, or a few draws take all the weight, the prior has decided.
 */

import { placeOf } from "../math/packed.js";
import { weightedQuantile } from "../math/quantile.js";
import { layoutOf, type MixedDesign, type MixedPriors, natural } from "./model/chart.js";

/** Median of a standard deviation under the prior in use, and under a flat one, in the coordinates of the priors. */
export interface PriorInfluence {
  readonly column: number;
  /** By how many posterior standard deviations the median moves. */
  readonly moves: number;
  /** What the median would be multiplied with. */
  readonly ratio: number;
  /** Effective share of the draws after weighting. */
  readonly share: number;
}

export function priorInfluence(design: MixedDesign, draws: readonly Float64Array[]): PriorInfluence[] {
  const layout = layoutOf(design);
  const p = design.fixed.length;
  const q = design.random.length;
  const readable = draws.map((theta) => natural(layout, theta));
  return design.random.map((column, k) => {
    const at = p + 1 + placeOf(k, k);
    const spreads = readable.map((draw) => ({ sd: Math.sqrt(draw[at]), noise: Math.sqrt(draw[p]) }));
    spreads.sort((a, b) => a.sd - b.sd);
    const sorted = Float64Array.from(spreads, ({ sd }) => sd);
    const logs = spreads.map(({ sd, noise }) => -logDensity(layout.priors, q, sd, noise));
    const largest = Math.max(...logs);
    const weights = Float64Array.from(logs, (log) => Math.exp(log - largest));
    const total = weights.reduce((sum, w) => sum + w, 0);
    const square = weights.reduce((sum, w) => sum + w * w, 0);
    const mean = sorted.reduce((sum, x) => sum + x, 0) / sorted.length;
    const spread = Math.sqrt(sorted.reduce((sum, x) => sum + (x - mean) ** 2, 0) / sorted.length);
    const median = sorted[sorted.length >> 1];
    const other = weightedQuantile(sorted, weights, 0.5);
    return {
      column,
      moves: spread > 0 ? (other - median) / spread : 0,
      ratio: other / median,
      share: (total * total) / square / sorted.length,
    };
  });
}

/** Of one standard deviation, given that of the noise, up to a constant. */
function logDensity(priors: MixedPriors, q: number, sd: number, noise: number): number {
  if (priors.law === "half-t") {
    const { spreadDegrees: nu, spread } = priors;
    return -0.5 * (nu + 1) * Math.log1p((sd / spread) ** 2 / nu);
  }
  // A diagonal element of an inverse-Wishart(δ, ψI) is ψ/χ² with δ − q + 1 degrees.
  const relative = sd / noise;
  const degrees = priors.covarianceDegrees - q + 1;
  return -(degrees + 1) * Math.log(relative) - priors.covarianceScale / (2 * relative * relative);
}

/** Half a posterior standard deviation is what a reader would notice. */
const NOTICEABLE = 0.5;
const FEW = 0.1;

export function influenceSentences(
  influences: readonly PriorInfluence[],
  columns: readonly string[],
  groups: number,
): string[] {
  return influences.flatMap(({ column, moves, ratio, share }) => {
    if (Math.abs(moves) < NOTICEABLE && share > FEW) return [];
    const times =
      share > FEW
        ? `about ${Number(ratio.toPrecision(2))} times as large`
        : ratio < 1
          ? "far smaller"
          : "far larger";
    return [
      `The prior decides much of how "${columns[column]}" differs between the ${groups} groups: under a flat prior its standard deviation would be ${times}.`,
    ];
  });
}
