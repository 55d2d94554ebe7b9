/** The default prior of `mixed`, as the grid of posterior-grid.ts takes it: in or out, cut by half-t of scale 3. */

import { logRatio, type Resolution, resolutionOf } from "../../src/mixed/model/spike-and-slab.js";
import type { Design, Prior } from "./posterior-grid.js";

const known = new WeakMap<Design, Resolution>();

function resolutionIn(design: Design): Resolution {
  const total = (value: (rows: number) => number): number =>
    design.sizes.reduce((sum, { rows, count }) => sum + count * value(rows), 0);
  const found =
    known.get(design) ??
    resolutionOf(
      total((rows) => rows ** 2),
      total(() => 1),
    );
  known.set(design, found);
  return found;
}

export const spikeAndSlab: Prior = (tau, sigma, design) => {
  const resolution = resolutionIn(design);
  const ratio = Math.exp(logRatio(resolution, tau / (sigma * resolution.unit)));
  return ((1 + (tau / (3 * design.target)) ** 2 / 2) ** -1.5 * ratio) / sigma;
};
