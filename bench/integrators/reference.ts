/**
 * Posterior means and sds that are as good as exact: independence Metropolis on all the data, with proposals from a t
 * distribution of 8 degrees of freedom about the mode, shaped by the curvature there.
 */

import { essMean } from "../../src/diagnostics/ess.js";
import { curvature, dampedFactor, mode } from "../../src/math/mode.js";
import { normal } from "../../src/math/normal.js";
import { solveUpper } from "../../src/math/packed.js";
import type { Rng } from "../../src/math/rng.js";
import { gamma } from "../../src/math/variates.js";
import type { Posterior } from "./posteriors.js";

const FREEDOM = 8;

export interface Reference {
  readonly mode: Float64Array;
  /** The largest curvature of a coordinate at the mode. */
  readonly stiffest: number;
  readonly mean: Float64Array;
  readonly sd: Float64Array;
  readonly draws: readonly Float64Array[];
  /** The fewest effective draws behind a mean. */
  readonly ess: number;
}

export function reference(rng: Rng, target: Posterior, steps: number): Reference {
  const centre = mode(target, target.near);
  const d = centre.length;
  const bend = curvature(target, centre);
  const factor = dampedFactor(bend, d);
  const draws: Float64Array[] = [];
  let theta = centre;
  let weight = target.value(centre);
  for (let t = 0; t < steps; t++) {
    const z = Float64Array.from({ length: d }, () => normal(rng));
    const square = z.reduce((sum, x) => sum + x * x, 0);
    const chi = (2 * gamma(rng, FREEDOM / 2)) / FREEDOM;
    const logDensity = -0.5 * (FREEDOM + d) * Math.log1p(square / chi / FREEDOM);
    solveUpper(z, 0, factor, 0, d);
    const proposal = centre.map((x, j) => x + z[j] / Math.sqrt(chi));
    const proposed = target.value(proposal) - logDensity;
    if (Math.log(rng.uniformOpen()) < proposed - weight) [theta, weight] = [proposal, proposed];
    draws.push(theta);
  }
  const series = Array.from(centre, (_, j) => Float64Array.from(draws, (draw) => draw[j]));
  const mean = Float64Array.from(series, (x) => x.reduce((a, b) => a + b, 0) / steps);
  const sd = Float64Array.from(series, (x, j) =>
    Math.sqrt(x.reduce((sum, value) => sum + (value - mean[j]) ** 2, 0) / steps),
  );
  const diagonal = Array.from(centre, (_, j) => bend[(j * (j + 3)) / 2]);
  return {
    ...{ mode: centre, mean, sd, draws },
    stiffest: Math.max(...diagonal),
    ess: Math.min(...series.map((x) => essMean([x]) ?? 0)),
  };
}
