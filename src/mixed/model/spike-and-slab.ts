/**
 * The prior by which a standard deviation τ of random effects is in or out. In units of what the data can just tell from
 * zero, x = τ/(σu) with u = (2/Σ_i(z_i′z_i)²)^¼ over the groups (the information on τ²/σ² is ½Σ(z_i′z_i)² at zero),
 *
 *     π(τ | σ)  ∝  half-t(τ)·r(x)/(σu),    r(x) = x/(1 + √(2/N)·x²) · x²/(x² + ½)  +  0.35·2N(x; 0, 0.1²)
 *
 * The first fraction is Jeffreys' density √information of N groups alike, whose tail 1/τ half-t cuts: few groups have a
 * posterior. Jeffreys' law alone has intervals that cover and medians that are far too large where τ can hardly be told from
 * zero. The spike, by which τ is practically zero, brings these down; the second fraction takes from the slab what the
 * spike says already (a non-local prior: Johnson and Rossell 2010), without which intervals cover too often. The three
 * numbers are in the middle of those with medians within a quarter of a posterior standard deviation and intervals that
 * cover in 92% to 98% (docs/mixed.md). Half-t alone is r = 1: r is all that the two laws differ by.
 */

import { normal } from "../../math/normal.js";
import type { Rng } from "../../math/rng.js";

/** What the data say at most of a standard deviation, as plain data. */
export interface Resolution {
  /** u */
  readonly unit: number;
  /** N, those groups whose effect there is. */
  readonly groups: number;
}

const SPIKE = 0.35;
const SPIKE_WIDTH = 0.1;
const HOLE = 0.5;
const HEIGHT = (SPIKE * Math.sqrt(2 / Math.PI)) / SPIKE_WIDTH;

const bendOf = ({ groups }: Resolution): number => Math.sqrt(2 / groups);
const slabAt = (of: Resolution, x: number): number => 1 / ((1 / x + bendOf(of) * x) * (1 + HOLE / (x * x)));
const spikeAt = (x: number): number => HEIGHT * Math.exp(-0.5 * (x / SPIKE_WIDTH) ** 2);

/** From Σ_i(z_i′z_i)² and the groups that are in it. */
export const resolutionOf = (information: number, groups: number): Resolution => ({
  unit: (2 / Math.max(information, 1e-12)) ** 0.25,
  groups: Math.max(groups, 1),
});

/** log r(x) */
export const logRatio = (of: Resolution, x: number): number => Math.log(slabAt(of, x) + spikeAt(x));

/** ∂ log r / ∂ log x */
export function ratioSlope(of: Resolution, x: number): number {
  const [slab, spike] = [slabAt(of, x), spikeAt(x)];
  const bent = bendOf(of) * x * x;
  const ofSlab = (1 - bent) / (1 + bent) + (2 * HOLE) / (x * x + HOLE);
  return (slab * ofSlab - spike * (x / SPIKE_WIDTH) ** 2) / (slab + spike);
}

/** A law of x from which samplers jump between the spike and where the slab begins, half of the time to either. */
const JUMPS = [SPIKE_WIDTH, 1.5];

export function drawJump(rng: Rng): number {
  const width = JUMPS[rng.uniform() < 0.5 ? 0 : 1];
  return width * Math.abs(normal(rng));
}

/** The logarithm of its density. */
export const logJump = (x: number): number =>
  Math.log(JUMPS.reduce((sum, width) => sum + Math.exp(-0.5 * (x / width) ** 2) / width, 1e-300));

/** The probability, given x, that τ is of the slab and not of the spike. */
export function slabShare(of: Resolution, x: number): number {
  const slab = slabAt(of, x);
  return slab / (slab + spikeAt(x));
}

/** Cells of a sum over log x, from far below what can be told to far beyond the scale of half-t. */
const CELLS = 400;

/** What that probability is before the data, for half-t with this scale over σu. */
export function slabBefore(of: Resolution, scale: number, degrees: number): number {
  const from = Math.log(1e-4 * Math.min(1, scale));
  const step = (Math.log(1e4 * Math.max(1, scale)) - from) / CELLS;
  let [slab, spike] = [0, 0];
  for (let i = 0; i < CELLS; i++) {
    const x = Math.exp(from + (i + 0.5) * step);
    const cell = x * (1 + (x / scale) ** 2 / degrees) ** (-0.5 * (degrees + 1));
    slab += cell * slabAt(of, x);
    spike += cell * spikeAt(x);
  }
  return slab / (slab + spike);
}
