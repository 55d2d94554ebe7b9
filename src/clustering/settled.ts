/**
 * Several chains of a model whose blocks have no names, each from a start of its own, run until they agree: to 3000
 * iterations (600 sweeps of Gibbs), and twice as many again while anything that is reported has too large an R-hat or too
 * few effective draws. Every time the last two thirds count, and all draws of all chains are brought to the same names first.
 */

import { ESS_PER_CHAIN } from "../diagnostics/verdict.js";
import { SparrowError } from "../errors.js";
import type { Rng, RngState } from "../math/rng.js";
import type { RunningOptions } from "../workers/crew.js";
import type { Pool } from "../workers/pool.js";
import type { ChainJob, ChainPart, Kept } from "./chains/chain-job.js";
import { type Leaps, landing, leapsFrom } from "./exact/leaps.js";
import { type Judgement, judgement, type Known, type SampleDiagnostics, type Telling } from "./judgement.js";
import type { Exchangeable } from "./names/exchangeable.js";
import { relabelled } from "./names/relabel.js";
import { witnessed } from "./names/witnesses.js";
import { estimatedShare, mapped, type Sampled } from "./sampled.js";

/** Of each chain, unless told. */
export interface Lengths {
  readonly least: number;
  readonly most: number;
}
/** Of mini-batch chains. */
export const ITERATIONS: Lengths = { least: 3000, most: 24_000 };
/** Draws kept of a chain. */
const KEPT = 500;

export interface Settled<B> extends Judgement {
  readonly draws: Sampled<Float64Array>;
  readonly blocks: readonly B[];
  /** The chains were stopped before they had settled. */
  readonly partial?: true;
}

export interface SettledSettings<D extends MayLeap, S, B> {
  readonly job: ChainJob<D, S>;
  readonly problem: D;
  readonly pool: Pool<undefined>;
  /** Its witnesses are the first; blocks that have few of them are given more. */
  readonly model: Exchangeable;
  readonly chains: number;
  /** Of each chain; as many as it takes unless told. */
  readonly iterations: number | undefined;
  readonly lengths?: Lengths;
  readonly burnIn: number | undefined;
  /** Where each chain begins; it looks for a start of its own unless told. */
  readonly starts?: readonly S[];
  /** A mode, by which clusters get their names; the last draw unless told. */
  readonly pivot?: Float64Array;
  /** The log of the posterior density, where chains sweep and may leap if sweeps alone take long. */
  readonly density?: ((theta: Float64Array) => number) | undefined;
  readonly rng: Rng;
  readonly running: RunningOptions;
  /** "cluster" or "state", and what is to be reported of each, one by one: of chains that are too short not all. */
  readonly kind: "cluster" | "state";
  describe(draws: Sampled<Float64Array>): Iterable<B>;
  /** Whether the data tell them apart, and what they are made of; asked of the draws that are reported. */
  known(draws: Sampled<Float64Array>): Known;
  readonly telling?: Telling | undefined;
}

/** A problem whose chains may leap. */
interface MayLeap {
  readonly leaps?: Leaps | undefined;
}

/** A chain so far. */
interface Running<S> {
  readonly rng: RngState;
  readonly kept: readonly Kept[];
  readonly now: ChainPart<S>["now"];
}

export async function settled<D extends MayLeap, S, B extends object>(
  settings: SettledSettings<D, S, B>,
): Promise<Settled<B>> {
  const { iterations, burnIn, rng, kind, starts, lengths = ITERATIONS } = settings;
  const most = iterations ?? lengths.most;
  let length = iterations ?? lengths.least;
  let chains: readonly Running<S>[] = Array.from({ length: settings.chains }, (_, c) => ({
    rng: rng.split(c).save(),
    kept: [],
    now: starts && { t: 0, standing: starts[c] },
  }));
  let { problem, model } = settings;
  for (; ; length = Math.min(most, 2 * length)) {
    const every = spacing(length, burnIn);
    chains = await runTo(length, every, chains, { ...settings, problem });
    const stopped = chains.some((chain) => reached(chain) < length);
    const counted = stopped ? farthest(chains) : chains;
    const upTo = Math.min(...counted.map(reached));
    model = witnessed(model, [...(settings.pivot ? [settings.pivot] : []), ...counted.flatMap(lastOf)]);
    const draws = aligned({ ...settings, model }, counted, burnIn ?? Math.floor(upTo / 3), upTo);
    if (!draws) throw nothingKept(stopped, burnIn ?? Math.floor(length / 3));
    const { length: count } = draws.chains;
    const mayGoOn = !stopped && length < most;
    const doubtOf = (some: readonly object[]): SampleDiagnostics | undefined => {
      const judged = mayGoOn ? judgement(count, upTo, kind, some) : undefined;
      return judged?.agreed === false ? judged.diagnostics : undefined;
    };
    // Chains that are far too short are known by the shares, without all the other numbers.
    let doubt = mayGoOn ? doubtOf(sharesOf(model, draws)) : undefined;
    const blocks: B[] = [];
    for (const block of doubt ? [] : settings.describe(draws)) {
      blocks.push(block);
      doubt = doubtOf([block]);
      if (doubt) break;
    }
    if (doubt) {
      if (length >= LATE || isFar(doubt)) problem = withLeaps({ ...settings, problem, model }, draws, length);
      continue;
    }
    const known = settings.known(draws);
    const { agreed: _, ...judged } = judgement(count, upTo, kind, blocks, known, settings.telling);
    return { draws, blocks, ...judged, ...(stopped && { partial: true as const }) };
  }
}

/** Sweeps after which chains leap in any case, where leaps land. */
const LATE = 1200;
/** Chains that agree as little, or have drawn as little of what they should, need far more than twice as much. */
const FAR = { rhat: 1.1, ess: ESS_PER_CHAIN / 4 };
/** Leaps that land less often are a waste of time: with 0.03, on 306 rows in five clusters, half of it. */
const LANDING = 0.05;

function isFar({ chains, rhat = 1, essBulk = 0 }: SampleDiagnostics): boolean {
  return rhat > FAR.rhat || essBulk < FAR.ess * chains;
}

/** The problem with leaps to where chains have been, if they would land there. */
function withLeaps<D extends MayLeap, S, B>(
  { problem, model, density, rng, chains }: SettledSettings<D, S, B>,
  draws: Sampled<Float64Array>,
  length: number,
): D {
  const leaps = density && leapsFrom(model, draws.chains, problem.leaps);
  if (!leaps) return problem;
  const landed = landing({ model, density }, leaps, draws.chains.flat(), rng.split(chains).split(length));
  return { ...problem, leaps: landed < LANDING ? undefined : leaps };
}

function sharesOf({ count, shares }: Exchangeable, draws: Sampled<Float64Array>): object[] {
  const all = mapped(draws, shares);
  return Array.from({ length: count }, (_, k) => ({ share: estimatedShare(all, (share) => share[k]) }));
}

/** Draws kept of a chain lie so far apart; a power of two, so that those of a shorter run are among them. */
function spacing(length: number, burnIn: number | undefined): number {
  const each = Math.floor((length - (burnIn ?? length / 3)) / KEPT);
  return each < 2 ? 1 : 2 ** Math.floor(Math.log2(each));
}

/** A chain's last draw, which knows of rows that were not seen where it began. */
const lastOf = <S>({ kept }: Running<S>): Float64Array[] => kept.slice(-1).map(({ theta }) => theta);

const reached = <S>({ now }: Running<S>): number => now?.t ?? 0;

async function runTo<D extends MayLeap, S, B>(
  to: number,
  every: number,
  chains: readonly Running<S>[],
  { job, problem, pool, running }: SettledSettings<D, S, B>,
): Promise<Running<S>[]> {
  const { signal, onProgress } = running;
  const before = chains.reduce((sum, chain) => sum + reached(chain), 0);
  const report = (done: number): void =>
    onProgress?.({ stage: "sample", done: before + done, total: chains.length * to });
  report(0);
  const tasks = chains.map(({ rng, now }) => ({ problem, rng, from: now, to, every }));
  const parts = await pool.run(job, tasks, { signal, onProgress: report });
  const after = chains.map((chain, c) => ({
    rng: chain.rng,
    kept: [...chain.kept.filter(({ t }) => t % every === 0), ...parts[c].kept],
    now: parts[c].now,
  }));
  report(after.reduce((sum, chain) => sum + reached(chain), 0) - before);
  return after;
}

/** Of chains that were stopped, those that came at least half as far as the farthest: one thread runs them in turn. */
function farthest<S>(chains: readonly Running<S>[]): Running<S>[] {
  const most = Math.max(...chains.map(reached));
  return chains.filter((chain) => reached(chain) >= most / 2);
}

/** The draws of the iterations after `after`; undefined where there are none. */
function aligned<S>(
  { model, pivot }: { readonly model: Exchangeable; readonly pivot?: Float64Array },
  chains: readonly Running<S>[],
  after: number,
  upTo: number,
): Sampled<Float64Array> | undefined {
  const counted = evened(chains.map(({ kept }) => thinned(kept.filter(({ t }) => t > after && t <= upTo))));
  const all = counted.flat();
  if (all.length === 0) return undefined;
  const total = all.reduce((sum, { weight }) => sum + weight, 0);
  const named = relabelled(
    model,
    all.map(({ theta }) => theta),
    pivot,
  );
  const { length } = counted[0];
  return {
    chains: counted.map((_, c) => named.slice(c * length, (c + 1) * length)),
    weights: Float64Array.from(all, ({ weight }) => weight / total),
  };
}

/** The last draws of each, as many as the shortest has: a chain with an anchor counts from its first steps on, one without does not. */
function evened(chains: readonly (readonly Kept[])[]): (readonly Kept[])[] {
  const least = Math.min(...chains.map(({ length }) => length));
  return chains.map((draws) => draws.slice(draws.length - least));
}

function thinned(draws: readonly Kept[]): Kept[] {
  const every = Math.max(1, Math.floor(draws.length / KEPT));
  return draws.filter((_, d) => (d + 1) % every === 0);
}

function nothingKept(stopped: boolean, discarded: number): SparrowError {
  if (stopped) return new SparrowError("No draws were kept: the run was stopped too early.", "stopped");
  return new SparrowError(`No draws were kept: give more than ${discarded} iterations.`, "option");
}
