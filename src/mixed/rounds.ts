/**
 * Chains round after round, each as long as all before it together, until they agree, where nobody said how long they
 * should be. The share of a chain that is discarded stays the same.
 */

import { essBulk } from "../diagnostics/ess.js";
import { rhat } from "../diagnostics/rhat.js";
import { ESS_PER_CHAIN, RHAT } from "../diagnostics/verdict.js";
import { SparrowError } from "../errors.js";

/** What the rounds have to know of a plan. */
export interface RoundsPlan {
  readonly chains: number;
  readonly iterations: number;
  readonly burnIn: number;
  readonly thin: number;
  readonly untilSettled: boolean;
}

export interface Round {
  /** 0, 1, 2, … */
  readonly round: number;
  /** Iterations of each chain before it, and its own, of which the first are discarded. */
  readonly done: number;
  readonly length: number;
  readonly burnIn: number;
}

/** What a round gives of each chain. */
export interface RoundOfChain<Draw> {
  readonly kept: readonly Draw[];
  readonly finished: boolean;
}

export interface Rounds<Draw> {
  readonly chains: Draw[][];
  readonly partial: boolean;
  readonly iterations: number;
  readonly burnIn: number;
}

/** A run is continued to this many times its first length. */
const LONGEST = 16;
/** What is kept of a chain, however long: more would not change any digit that is shown. */
const KEPT = 2000;

export async function inRounds<Draw, Chain extends RoundOfChain<Draw>>(
  { chains, iterations, burnIn, thin, untilSettled }: RoundsPlan,
  read: (draw: Draw) => Float64Array,
  run: (round: Round, before: readonly Chain[]) => Promise<Chain[]>,
): Promise<Rounds<Draw>> {
  let all: readonly Draw[][] = Array.from({ length: chains }, () => []);
  let results: Chain[] = [];
  for (let round = 0, done = 0; ; round++) {
    const length = Math.max(done, iterations);
    results = await run({ round, done, length, burnIn: round === 0 ? burnIn : 0 }, results);
    done += length;
    all = all.map((draws, c) => [...draws, ...results[c].kept]);
    const discarded = Math.round((burnIn * done) / iterations);
    const kept = all.map((draws) => draws.slice(Math.round((discarded - burnIn) / thin)));
    const partial = results.some(({ finished }) => !finished);
    if (partial || !untilSettled || done >= LONGEST * iterations || settled(kept, read)) {
      const some = kept.filter((draws, c) => results[c].finished || draws.length > 1);
      if (some.length === 0) throw new SparrowError("Stopped before anything was sampled.", "stopped");
      return { chains: some.map(thinned), partial, iterations: done, burnIn: discarded };
    }
  }
}

function thinned<Draw>(draws: readonly Draw[]): Draw[] {
  const every = Math.max(1, Math.floor(draws.length / KEPT));
  return draws.filter((_, t) => t % every === 0);
}

/** By the thresholds of the verdict. */
function settled<Draw>(chains: readonly (readonly Draw[])[], read: (draw: Draw) => Float64Array): boolean {
  if (chains.length < 2) return true;
  const numbers = chains.map((draws) => thinned(draws).map(read));
  return numbers[0][0].every((_, j) => {
    const paths = numbers.map((draws) => Float64Array.from(draws, (draw) => draw[j]));
    const [reduction, size] = [rhat(paths), essBulk(paths)];
    return (reduction ?? 1) <= RHAT && (size ?? Number.POSITIVE_INFINITY) >= ESS_PER_CHAIN * chains.length;
  });
}
