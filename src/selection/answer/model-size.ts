/**
 * How many variables models hold: their candidates, and what they may hold of the columns outside (certify/others.ts).
 * The more candidates a model has, and the narrower its slab, the more of the others does it hold.
 */

import { sizePrior } from "../../models/model-priors.js";
import { JOIN } from "../certify/belonging.js";
import type { Outside } from "../certify/certificate.js";
import { lawOfOthers } from "../certify/others.js";
import { thinnedModels } from "../posterior/model-weights.js";
import type { Weighed } from "../posterior/posterior.js";
import { scaleLaw } from "../posterior/scale-law.js";
import type { Specification } from "../posterior/specification.js";
import type { ModelSizeSummary } from "./result.js";

/** Models that are asked for their scales, at most, and multiplications that this may take. */
const ASKED = 200;
const WORK = 1e8;

export interface ModelSizes {
  /** Probability of 0, 1, 2, … selectable variables. */
  readonly sizes: Float64Array;
  /** How many of them are expected to be outside the candidates, and how far the judges say something else. */
  readonly outside: number;
  readonly outsideError: number;
}

export function modelSizes(
  weighed: Weighed,
  { prior, maxSize, slab, noiseVariance }: Specification,
  judged: Pick<Outside, "factors" | "pip" | "mass" | "massError"> | undefined,
): ModelSizes {
  const { weights, statistics, space } = weighed;
  if (!judged) return { sizes: weights.size, outside: 0, outsideError: 0 };
  const { scales } = weights.slab;
  const factors = scales.map((scale) => judged.factors[slab.scales.indexOf(scale)]);
  const asked = new Float64Array(weights.size.length);
  const scalesGiven = Array.from(asked, () => new Float64Array(scales.length));
  const largest = weights.size.reduce((most, share, k) => (share > 0 ? k : most), 1);
  const affordable = Math.floor(WORK / (scales.length * largest ** 3));
  for (const { members, probability } of thinnedModels(weights.models, Math.min(ASKED, affordable))) {
    const k = members.length - space.always.length;
    const law = scaleLaw(statistics, weights.slab, noiseVariance, members);
    asked[k] += probability;
    law.probability.forEach((share, s) => {
      scalesGiven[k][s] += probability * share;
    });
  }
  const sizes = new Float64Array(Math.max(maxSize + 1, weights.size.length));
  let outside = 0;
  weights.size.forEach((share, k) => {
    if (!(share > 0)) return;
    // Of sizes that no model was asked about the scales are taken for those of all.
    const known = asked[k] > 0;
    scales.forEach((_, s) => {
      const at = share * (known ? scalesGiven[k][s] / asked[k] : weights.scale[s]);
      lawOfOthers(prior, factors[s], k, maxSize).forEach((held, m) => {
        sizes[k + m] += at * held;
        outside += at * held * m;
      });
    });
  });
  // Those that belong by themselves are not among what models may hold besides.
  outside += judged.pip.reduce((sum, pip) => sum + (pip > JOIN ? pip : 0), 0);
  return { sizes, outside, outsideError: Math.max(judged.massError, Math.abs(outside - judged.mass)) };
}

/** Sizes to be shown. */
const SHOWN = 30;

/** The posterior counts selectable variables; the summary counts all. */
export function sizeSummary(
  posterior: Float64Array,
  { prior, selectable, maxSize }: Specification,
  forced: number,
): ModelSizeSummary {
  let [mean, cumulative] = [0, 0];
  let lower: number | undefined;
  let upper: number | undefined;
  posterior.forEach((probability, k) => {
    mean += probability * (k + forced);
    cumulative += probability;
    if (lower === undefined && cumulative >= 0.025) lower = k + forced;
    if (upper === undefined && cumulative >= 0.975) upper = k + forced;
  });
  const shown = Math.min(posterior.length, SHOWN);
  return {
    mean,
    lower: lower ?? forced,
    upper: upper ?? posterior.length - 1 + forced,
    prior: [...sizePrior(prior, selectable, maxSize).slice(0, shown)],
    posterior: [...posterior.slice(0, shown)],
  };
}
