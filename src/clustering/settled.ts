/**
 * Several chains of a model whose blocks have no names, each from a start of its own, run until they agree: to 3000
 * iterations, and twice as many again while anything that is reported has too large an R-hat or too few effective
 * draws. Every time the last two thirds count, and all draws of all chains are brought to the same names first.
 */

import { SparrowError } from "../errors.js";
import type { Rng } from "../math/rng.js";
import type { Draw } from "../sampling/sample.js";
import type { Schedule } from "../types.js";
import { type Judgement, judgement } from "./judgement.js";
import { type Exchangeable, relabelled } from "./relabel.js";
import type { Sampled } from "./sampled.js";

const ITERATIONS = { least: 3000, most: 24_000 };
/** Draws kept of a chain. */
const KEPT = 500;

/**
 * Relative to the information. Full steps from a start far from the mode may diverge (3 of 60 runs on Old Faithful with
 * one to five components), so they grow over the first thousand; none of the 60 did then.
 */
export const gentleSteps: Schedule = (t) => 0.3 * Math.min(1, t / 1000);

export interface Settled<B> extends Judgement {
  readonly draws: Sampled<Float64Array>;
  readonly blocks: readonly B[];
}

export function settled<B extends object>(settings: {
  readonly model: Exchangeable;
  readonly chains: number;
  /** Of each chain; as many as it takes unless told. */
  readonly iterations: number | undefined;
  readonly burnIn: number | undefined;
  readonly rng: Rng;
  chain(rng: Rng, iterations: number): Iterator<Draw, void>;
  /** "cluster" or "state", and what is to be reported of each. */
  readonly kind: string;
  describe(draws: Sampled<Float64Array>): B[];
}): Settled<B> {
  const { model, iterations, burnIn, rng, kind } = settings;
  const most = iterations ?? ITERATIONS.most;
  let length = iterations ?? ITERATIONS.least;
  const every = Math.max(1, Math.floor((length - (burnIn ?? length / 3)) / KEPT));
  const running = Array.from({ length: settings.chains }, (_, c) =>
    recorded(settings.chain(rng.split(c), most), every),
  );
  for (; ; length = Math.min(most, 2 * length)) {
    const reached = running.map((chain) => chain.runTo(length));
    const discarded = burnIn ?? Math.floor(length / 3);
    const draws = aligned(model, running, discarded);
    const blocks = settings.describe(draws);
    const judged = judgement(draws.chains.length, length, kind, blocks);
    const stopped = reached.some((t) => t < length);
    if (judged.agreed || stopped || length >= most) return { draws, blocks, ...judged };
  }
}

interface Kept {
  readonly t: number;
  readonly theta: Float64Array;
  readonly weight: number;
}

/** A chain that can be run on, with every so many of its draws. */
function recorded(chain: Iterator<Draw, void>, every: number) {
  const kept: Kept[] = [];
  let reached = 0;
  return {
    kept,
    /** Returns how far it came. */
    runTo(length: number): number {
      while (reached < length) {
        const { done, value } = chain.next();
        if (done || !value) break;
        const { t, theta, weight } = value;
        reached = t;
        if (t % every === 0 && weight > 0) kept.push({ t, theta: theta.slice(), weight });
      }
      return reached;
    },
  };
}

function aligned(
  model: Exchangeable,
  running: readonly { readonly kept: readonly Kept[] }[],
  discarded: number,
): Sampled<Float64Array> {
  const counted = running
    .map(({ kept }) => thinned(kept.filter(({ t }) => t > discarded)))
    .filter((draws) => draws.length > 0);
  if (counted.length === 0) {
    throw new SparrowError(
      `No draws were kept: give more than ${discarded} iterations, or let the run finish.`,
      "option",
    );
  }
  // A run that was stopped has left its last chain shorter.
  const length = Math.min(...counted.map((draws) => draws.length));
  const all = counted.flatMap((draws) => draws.slice(0, length));
  const total = all.reduce((sum, { weight }) => sum + weight, 0);
  const named = relabelled(
    model,
    all.map(({ theta }) => theta),
  );
  return {
    chains: counted.map((_, c) => named.slice(c * length, (c + 1) * length)),
    weights: Float64Array.from(all, ({ weight }) => weight / total),
  };
}

function thinned(draws: readonly Kept[]): Kept[] {
  const every = Math.max(1, Math.floor(draws.length / KEPT));
  return draws.filter((_, d) => (d + 1) % every === 0);
}
