/** From the sweeps of a chain to the posterior over models, with Monte Carlo errors. */

import { type Chains, mean } from "../../diagnostics/chains.js";
import { essMean } from "../../diagnostics/ess.js";
import { mcseMean } from "../../diagnostics/mcse.js";
import type { ModelSpace, ModelWeights } from "../model-weights.js";
import type { ChainRecord } from "./chain.js";

export function weightsOf(record: ChainRecord, space: ModelSpace): ModelWeights {
  const { kept, sizes, visits } = record;
  const { inclusion, errors } = inclusionOf(record.inclusion);
  const visited = [...visits.values()];
  const total = visited.reduce((sum, { time }) => sum + time, 0);
  const models = visited
    .map(({ members, time }) => ({ members, probability: time / total }))
    .sort((a, b) => b.probability - a.probability);
  const size = new Float64Array(models.reduce((most, { members }) => Math.max(most, members.length), 0) + 1);
  for (const { members, probability } of models) size[members.length - space.always.length] += probability;
  return {
    ...{ exact: false, models, inclusion, inclusionError: errors, size },
    mixing: { rhat: halvesRhat(sizes), ess: effectiveDraws(inclusion, errors, kept) },
  };
}

/** Averages over sweeps, with their Monte Carlo errors. */
function inclusionOf(sweeps: readonly Float64Array[]) {
  const series = Array.from(sweeps[0], (_, j) => Float64Array.from(sweeps, (p) => p[j]));
  return {
    inclusion: Float64Array.from(series, (values) => Math.min(1, mean(values))),
    errors: Float64Array.from(series, (values) => mcseMean([values]) ?? spread(values)),
  };
}

/** What the report promises: inclusion probabilities to ±0.01, from 400 effective draws at least. */
const ERROR = 0.01;
const DRAWS = 400;

export function accurate(sweeps: readonly Float64Array[]): boolean {
  const { inclusion, errors } = inclusionOf(sweeps);
  return errors.every((error) => error <= ERROR) && effectiveDraws(inclusion, errors, sweeps.length) >= DRAWS;
}

/** The error of a mean of independent numbers, for series too short to tell more. */
function spread(values: Float64Array): number {
  const centre = mean(values);
  const squares = values.reduce((sum, value) => sum + (value - centre) ** 2, 0);
  return Math.sqrt(squares / Math.max(1, values.length - 1) / values.length);
}

/**
 * √(1 + B/W) of the model size over the two halves of the chain, where only what they differ by beyond two standard
 * errors counts: a dozen sweeps over many rows are few, and their errors are reported anyway.
 */
function halvesRhat(sizes: readonly number[]): number {
  const half = Math.floor(sizes.length / 2);
  const chains: Chains = [sizes.slice(0, half), sizes.slice(-half)].map((part) => Float64Array.from(part));
  const within = chains.reduce((sum, part) => sum + spread(part) ** 2 * half, 0) / 2;
  const apart = (mean(chains[0]) - mean(chains[1])) ** 2 / 2;
  const noise = within / Math.max(1, essMean(chains) ?? half);
  return within > 0 ? Math.sqrt(1 + Math.max(0, apart - 4 * noise) / within) : 1;
}

/** The fewest independent models that would give any open inclusion probability its error. */
function effectiveDraws(inclusion: Float64Array, error: Float64Array, kept: number): number {
  let fewest = 1e6;
  inclusion.forEach((p, j) => {
    if (p > 0.02 && p < 0.98) fewest = Math.min(fewest, (p * (1 - p)) / Math.max(error[j] ** 2, 1e-12));
  });
  return kept < 2 ? 1 : fewest;
}
