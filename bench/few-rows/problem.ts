/** The prior that `fit` has unless told, as the yardstick needs it. */

import { specification } from "../../src/selection/posterior/specification.js";
import type { TruthPrior, TruthProblem } from "../../test/selection/augmented/jumps.js";
import { type Design, makeDesign } from "./designs.js";

export function usualPrior(rows: number, columns: number): TruthPrior {
  const spec = specification(
    { target: "y", noiseVariance: 1 },
    { rows, usable: columns, forced: 0, variance: 1, absoluteEffects: true },
  );
  return {
    logModel: Float64Array.from({ length: spec.maxSize + 1 }, (_, k) => spec.prior.logModel(k)),
    scales: spec.slab.scales,
    logScale: spec.slab.logPrior,
  };
}

export function truthProblem(design: Design): TruthProblem {
  return {
    ...makeDesign(design),
    family: design.family,
    prior: usualPrior(design.rows, design.columns),
  };
}

export interface StoredTruth {
  readonly sweeps: number;
  /** Of every column, and by how much four chains differ: the standard error of their mean. */
  readonly pip: readonly number[];
  readonly pipError: readonly number[];
  readonly size: number;
  readonly sizeError: number;
}
