import type { SufficientStatistics } from "./evidence.js";

/** A model that explains everything is kept at a residual of this share of the target. */
export const SATURATED = 1e-12;

/** F: what it is worth to explain so much of y'y, in log probability. */
export function worthOf(
  explained: number,
  { targetSquares, freedom }: SufficientStatistics,
  noiseVariance: number | undefined,
): number {
  if (noiseVariance !== undefined) return explained / (2 * noiseVariance);
  return -0.5 * freedom * Math.log(Math.max(targetSquares - explained, SATURATED * targetSquares));
}
