/** What a model is worth before the data are seen: slab, noise and model prior, from the options. */

import { SparrowError } from "../../errors.js";
import {
  betaBinomialPrior,
  inclusionPrior,
  type ModelPrior,
  uniformPrior,
} from "../../models/model-priors.js";
import { defaultInclusion } from "../../models/priors.js";
import type { FitOptions } from "../../options/fit.js";
import { option } from "../../wording.js";
import { type ScalePrior, type Slab, slabOf } from "./slab.js";

export interface Specification {
  readonly slab: Slab;
  /** σ², or undefined when it is integrated out. */
  readonly noiseVariance: number | undefined;
  readonly prior: ModelPrior;
  readonly maxSize: number;
  /** Variables that may be in or out. */
  readonly selectable: number;
  /** Whether a flat intercept is in every model: then columns and target are centred. */
  readonly centred: boolean;
}

/** Beyond this a step of the sampler takes milliseconds. */
const MAX_SIZE = 300;

/** What a specification has to know of the data. */
export interface Shape {
  readonly rows: number;
  /** Columns that are not constant, and those of them that are in every model. */
  readonly usable: number;
  readonly forced: number;
  /** Of a typical column as the model sees it. */
  readonly variance: number;
  /** Whether effects have a size of their own, as those on log odds have, rather than one relative to noise. */
  readonly absoluteEffects: boolean;
}

export function specification(options: FitOptions, shape: Shape): Specification {
  const { rows, usable, forced, variance, absoluteEffects } = shape;
  const selectable = usable - forced;
  const noise = options.noiseVariance ?? "unknown";
  return {
    slab: slabOf(options, {
      rows,
      unit: (noise === "unknown" ? 1 : noise) / variance,
      ...(absoluteEffects && { most: LARGEST_ABSOLUTE }),
    }),
    noiseVariance: noise === "unknown" ? undefined : noise,
    prior: modelPrior(options, selectable),
    maxSize: Math.max(0, Math.min(options.maxSize ?? MAX_SIZE, selectable, rows - 3 - forced)),
    selectable,
    centred: options.intercept !== "none",
  };
}

/**
 * The largest slab variance that is learned for log odds and log rates: four a standard deviation. Classes that can be
 * separated fit the better the larger the effects, so without a bound the prior alone would say how large.
 */
const LARGEST_ABSOLUTE = 16;

const USUAL_MODEL_PRIOR: ModelPrior["kind"] = "beta-binomial";

function modelPrior(options: FitOptions, selectable: number): ModelPrior {
  const { priorInclusion, expectedSize } = options;
  const kind = options.modelPrior ?? (priorInclusion === undefined ? USUAL_MODEL_PRIOR : "inclusion");
  if (expectedSize !== undefined && expectedSize >= selectable) {
    throw new SparrowError(
      `${option("expectedSize", expectedSize)} must be smaller than the number of columns that can be selected, ${selectable}.`,
      "option",
    );
  }
  // Every column is in every model: there is one model.
  if (selectable === 0) return uniformPrior(0);
  if (kind === "uniform") return uniformPrior(selectable);
  if (kind === "beta-binomial") {
    const others = expectedSize === undefined ? Math.sqrt(selectable) : selectable / expectedSize - 1;
    return betaBinomialPrior(selectable, 1, others);
  }
  const inclusion = expectedSize === undefined ? defaultInclusion(selectable + 1) : expectedSize / selectable;
  return inclusionPrior(selectable, priorInclusion ?? inclusion);
}

/** Part of the settings of a result. */
export interface SpecificationSettings {
  /** The prior over models. */
  readonly modelPrior: ModelPrior["kind"];
  /** Prior probability that a variable is in, where it is the same for all models. */
  readonly priorInclusion?: number;
  /** The prior of coefficients that are in. */
  readonly slab: Slab["kind"];
  /** The prior of its scale, where that was learned. */
  readonly scalePrior?: ScalePrior;
  /** Its scale, of the zellner slab: as given, or the most probable one. */
  readonly g?: number;
  /** Its variance, of the independent slab: as given, or the most probable one. */
  readonly slabVariance?: number;
  /** σ², or that it was unknown. */
  readonly noiseVariance: number | "unknown";
  /** Most variables in a model. */
  readonly maxSize: number;
  /** Whether columns were standardised inside. */
  readonly scale: "standard" | "none";
  /** Whether every model has an intercept. */
  readonly intercept: "always" | "none";
}

/** `scale` is the most probable one. */
export function specificationSettings(
  spec: Specification,
  options: FitOptions,
  scale: number,
): SpecificationSettings {
  const { slab, prior } = spec;
  return {
    modelPrior: prior.kind,
    ...(prior.kind === "inclusion" && {
      // As it was given, rather than with the rounding of its log odds.
      priorInclusion: options.priorInclusion ?? 1 / (1 + Math.exp(prior.logModel(0) - prior.logModel(1))),
    }),
    slab: slab.kind,
    ...(slab.prior && { scalePrior: slab.prior }),
    ...(slab.kind === "zellner" ? { g: scale } : { slabVariance: scale }),
    noiseVariance: spec.noiseVariance ?? "unknown",
    maxSize: spec.maxSize,
    scale: options.scale ?? "standard",
    intercept: spec.centred ? "always" : "none",
  };
}
