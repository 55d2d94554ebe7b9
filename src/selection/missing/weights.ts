/** From the sweeps of the chains to the posterior over models, with Monte Carlo errors. */

import { type Chains, mean, pooled, splitChains, variance } from "../../diagnostics/chains.js";
import { essMean } from "../../diagnostics/ess.js";
import { mcseMean } from "../../diagnostics/mcse.js";
import { ESS_PER_CHAIN } from "../../diagnostics/verdict.js";
import { SELECTED } from "../answer/selected.js";
import type { ModelSpace, ModelWeights } from "../posterior/model-weights.js";
import type { Slab } from "../posterior/slab.js";
import { effectiveDraws } from "../posterior/walks/gibbs-weights.js";
import type { ChainRecord } from "./chains.js";

export function weightsOf(record: ChainRecord, space: ModelSpace, slab: Slab): ModelWeights {
  const { models, sizes } = record;
  const { inclusion, errors } = inclusionOf(record.inclusion);
  const draws = effectDraws(record, inclusion);
  const size = new Float64Array(models.reduce((most, { members }) => Math.max(most, members.length), 0) + 1);
  for (const { members, probability } of models) size[members.length - space.always.length] += probability;
  return {
    exact: false,
    models,
    inclusion,
    inclusionError: errors,
    size,
    slab,
    scale: record.scale,
    mixing: {
      rhat: rhatOf(sizes.map((chain) => Float64Array.from(chain))),
      ...effectiveDraws(inclusion, errors),
      ...(draws < FEWEST_DRAWS && { ess: draws }),
    },
  };
}

/** Averages over sweeps, with their Monte Carlo errors. */
export function inclusionOf(chains: readonly Float64Array[][]) {
  const series = Array.from(chains[0][0], (_, j) =>
    chains.map((sweeps) => Float64Array.from(sweeps, (p) => p[j])),
  );
  return {
    inclusion: Float64Array.from(series, (values) => Math.min(1, mean(pooled(values)))),
    errors: Float64Array.from(series, (values) => mcseMean(values) ?? spread(pooled(values))),
  };
}

/** What the verdict asks for: inclusion probabilities to ±0.01, and 100 effective draws of every chain. */
const ERROR = 0.01;
/** With fewer draws of an effect its mean is off by a quarter of its deviation: long chains try, short ones settle for it. */
const FEWEST_DRAWS = 20;

type Series = Pick<ChainRecord, "inclusion" | "effects" | "effectSquares">;

/** How many times as many sweeps would be accurate enough; at most one where those that there are will do. */
export function sweepsNeeded(record: Series): number {
  const { inclusion, errors } = inclusionOf(record.inclusion);
  const largest = errors.reduce((most, error) => Math.max(most, error), 0);
  const { ess = Number.POSITIVE_INFINITY } = effectiveDraws(inclusion, errors);
  const fewest = Math.min(ess, effectDraws(record, inclusion));
  return Math.max((largest / ERROR) ** 2, (ESS_PER_CHAIN * record.inclusion.length) / fewest);
}

/**
 * The fewest independent draws that would give the mean of the effect of a selected variable its error. Where a column
 * is mostly holes its effect moves slowly from sweep to sweep, be it as certain as it may that it is in.
 */
export function effectDraws({ effects, effectSquares }: Series, inclusion: Float64Array): number {
  return inclusion.reduce((fewest, pip, j) => {
    if (pip <= SELECTED) return fewest;
    const series = effects.map((sweeps) => Float64Array.from(sweeps, (coefficients) => coefficients[j]));
    const error = mcseMean(series) ?? spread(pooled(series));
    return Math.min(fewest, (effectSquares[j] - mean(pooled(series)) ** 2) / error ** 2);
  }, Number.POSITIVE_INFINITY);
}

/** The error of a mean of independent numbers, for series too short to tell more. */
function spread(values: Float64Array): number {
  return values.length < 2 ? 0 : Math.sqrt(variance(values) / values.length);
}

/**
 * √(1 + B/W) of the model size over the halves of the chains, where only what they differ by beyond two standard
 * errors counts: a dozen sweeps over many rows are few, and their errors are reported anyway. In long chains those
 * errors vanish, and this is R-hat.
 */
export function rhatOf(chains: Chains): number {
  const halves = splitChains(chains);
  const within = mean(Float64Array.from(halves, variance));
  const apart = variance(Float64Array.from(halves, mean));
  if (apart === 0) return 1;
  // Each half by itself: together, halves that disagree would have few effective draws, and be excused by that.
  const draws = mean(Float64Array.from(halves, (half) => essMean([half]) ?? half.length));
  const noise = within / Math.max(1, draws);
  return Math.sqrt(1 + Math.max(0, apart - 4 * noise) / within);
}
