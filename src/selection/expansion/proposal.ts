/**
 * What the coefficients of a model are drawn from while they are integrated out: the product of densities along axes.
 * Where that leaves weights of very different size, the axes depend on each other, and draws a few times as wide are
 * mixed in.
 */

import type { AxisDensity } from "./axis.js";

export interface Proposal {
  /** E z_a and E z_a² of every axis; between axes there is no correlation. */
  readonly moments: readonly { readonly mean: number; readonly square: number }[];
  /** From numbers between 0 and 1: one for every axis, and one that chooses the width. */
  draw(u: Float64Array, choice: number): { readonly z: Float64Array; readonly logDensity: number };
}

export function plainProposal(densities: readonly AxisDensity[]): Proposal {
  return {
    moments: densities,
    draw(u) {
      const z = new Float64Array(densities.length);
      let logDensity = 0;
      for (let a = 0; a < z.length; a++) {
        const drawn = densities[a].draw(u[a]);
        z[a] = drawn.t;
        logDensity += drawn.logDensity;
      }
      return { z, logDensity };
    },
  };
}

/** Widths of the draws that are mixed, in equal shares. */
const WIDTHS = [1, 2, 4] as const;

export function wideProposal(densities: readonly AxisDensity[]): Proposal {
  const squares = WIDTHS.reduce((sum, width) => sum + width * width, 0) / WIDTHS.length;
  return {
    moments: densities.map(({ mean, square }) => ({
      mean,
      square: mean * mean + squares * (square - mean * mean),
    })),
    draw(u, choice) {
      const own = WIDTHS[Math.min(WIDTHS.length - 1, Math.floor(choice * WIDTHS.length))];
      const z = new Float64Array(densities.length);
      const logs = WIDTHS.map((width) => -z.length * Math.log(width));
      for (let a = 0; a < z.length; a++) {
        const density = densities[a];
        const away = own * (density.draw(u[a]).t - density.mean);
        z[a] = density.mean + away;
        for (let w = 0; w < WIDTHS.length; w++)
          logs[w] += density.logDensity(density.mean + away / WIDTHS[w]);
      }
      const top = Math.max(...logs);
      const total = logs.reduce((sum, log) => sum + Math.exp(log - top), 0);
      return { z, logDensity: top + Math.log(total / WIDTHS.length) };
    },
  };
}
