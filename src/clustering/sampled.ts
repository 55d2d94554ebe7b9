/**
 * Draws of several chains of a model whose blocks have no names, each chain from a start of its own, brought to the same
 * names; and what they say of a quantity: its posterior, and whether the chains agree about it.
 */

import { essBulk, essTail, evenness } from "../diagnostics/ess.js";
import { rhat } from "../diagnostics/rhat.js";
import { SparrowError } from "../errors.js";
import { weightedQuantile } from "../math/quantile.js";
import type { Rng } from "../math/rng.js";
import type { Draw } from "../sampling/sample.js";
import { type Exchangeable, relabelled } from "./relabel.js";

/** Draws kept of a chain. */
const KEPT = 500;

export interface Sampled<T> {
  /** One list per chain, all of one length. */
  readonly chains: readonly (readonly T[])[];
  /** How much each draw counts in an average, all chains together, adding up to 1. */
  readonly weights: Float64Array;
}

export interface Estimate {
  readonly mean: number;
  readonly sd: number;
  /** The ends of the equal-tailed 95% interval. */
  readonly lower: number;
  readonly upper: number;
  /** Of the chains, once their labels agree; absent for a quantity that does not vary. */
  readonly rhat?: number;
  readonly essBulk?: number;
  readonly essTail?: number;
}

export function sampled(settings: {
  readonly model: Exchangeable;
  readonly chains: number;
  readonly iterations: number;
  readonly burnIn: number;
  readonly rng: Rng;
  chain(rng: Rng): Iterable<Draw>;
}): Sampled<Float64Array> {
  const { model, iterations, burnIn, rng } = settings;
  const every = Math.max(1, Math.floor((iterations - burnIn) / KEPT));
  const kept = Array.from({ length: settings.chains }, (_, c) => {
    const draws: { theta: Float64Array; weight: number }[] = [];
    for (const { t, theta, weight } of settings.chain(rng.split(c))) {
      if (t > burnIn && t % every === 0 && weight > 0) draws.push({ theta: theta.slice(), weight });
    }
    return draws;
  }).filter((draws) => draws.length > 0);
  if (kept.length === 0) {
    throw new SparrowError(
      `No draws were kept: give more than ${burnIn} iterations, or let the run finish.`,
      "usage",
    );
  }
  // A run that was stopped has left its last chain shorter.
  const length = Math.min(...kept.map((draws) => draws.length));
  const all = kept.flatMap((draws) => draws.slice(0, length));
  const total = all.reduce((sum, { weight }) => sum + weight, 0);
  const named = relabelled(
    model,
    all.map(({ theta }) => theta),
  );
  return {
    chains: kept.map((_, c) => named.slice(c * length, (c + 1) * length)),
    weights: Float64Array.from(all, ({ weight }) => weight / total),
  };
}

export function mapped<T, U>({ chains, weights }: Sampled<T>, f: (draw: T) => U): Sampled<U> {
  return { chains: chains.map((draws) => draws.map(f)), weights };
}

/** The posterior of a number that every draw has. */
export function estimate<T>({ chains, weights }: Sampled<T>, of: (draw: T) => number): Estimate {
  const series = chains.map((draws) => Float64Array.from(draws, of));
  const pairs = series.flatMap((chain) => [...chain]).map((value, i) => ({ value, weight: weights[i] }));
  const mean = pairs.reduce((sum, { value, weight }) => sum + weight * value, 0);
  const variance = pairs.reduce((sum, { value, weight }) => sum + weight * (value - mean) ** 2, 0);
  pairs.sort((a, b) => a.value - b.value);
  const [values, masses] = [pairs.map(({ value }) => value), pairs.map(({ weight }) => weight)];
  const worth = evenness(weights);
  const [agreement, bulk, tail] = [rhat(series), essBulk(series), essTail(series)];
  return {
    mean,
    sd: Math.sqrt(variance),
    lower: weightedQuantile(values, masses, 0.025),
    upper: weightedQuantile(values, masses, 0.975),
    ...(agreement !== undefined && { rhat: agreement }),
    ...(bulk !== undefined && { essBulk: worth * bulk }),
    ...(tail !== undefined && { essTail: worth * tail }),
  };
}
