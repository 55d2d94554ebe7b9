/** Several chains side by side over the one store: each puts its own values into the holes when its turn comes. */

import type { WeightedCentre } from "../expansion/expansion.js";
import { centreOfWeights } from "../posterior/centre.js";
import type { ModelPosterior, SufficientStatistics } from "../posterior/evidence.js";
import type { Component } from "../posterior/laws/mixture.js";
import type { ModelSpace, WeightedModel } from "../posterior/model-weights.js";
import { type ImputationChain, type ImputationStanding, imputationChain, type Sweep } from "./chain.js";
import type { Completed } from "./completed.js";
import { fillHoles, type HolePlaces, holesAmong, readHoles } from "./holes.js";
import type { HoledProblem } from "./problem.js";
import { type Visit, visitedModels } from "./visited.js";
import { sweepsNeeded } from "./weights.js";

export interface ChainSettings {
  readonly chains: number;
  /** Of each chain. */
  readonly sweeps: number;
  readonly burnIn: number;
  /** As long as the inclusion probabilities are not accurate, there are more sweeps, as many as it takes, up to this many. */
  readonly most: number;
  /** Completed copies of the data to leave behind. */
  readonly imputations: number;
}

/** What the sweeps after the burn-in leave behind. */
export interface ChainRecord {
  /** All sweeps of a chain, and those that count. */
  readonly sweeps: number;
  readonly kept: number;
  /** Whether someone stopped the chains before their end. */
  readonly stopped: boolean;
  /** Per chain and sweep: inclusion probabilities given the completed data. */
  readonly inclusion: readonly Float64Array[][];
  /** Likewise: means of the coefficients, zero where they are out; and the mean of their squares over all sweeps. */
  readonly effects: readonly Float64Array[][];
  readonly effectSquares: Float64Array;
  /** Per chain: sizes of the drawn models, in order. */
  readonly sizes: readonly number[][];
  /** Probabilities of the scales of the slab. */
  readonly scale: Float64Array;
  /** Models with the time spent at them. */
  readonly models: readonly WeightedModel[];
  readonly mixture: readonly Component[];
  /** Averages over the completed data. */
  readonly statistics: SufficientStatistics;
  readonly centre: WeightedCentre;
  /** Means and, row-major, covariances of the completed candidates, on the model's scale. */
  readonly means: Float64Array;
  readonly covariance: Float64Array;
  /** What stood in the holes of the candidates, in sweeps far from each other. */
  readonly imputations: readonly Float32Array[];
}

/** Sweeps between two completed copies from one chain. */
const APART = 10;

export async function imputationChains(
  problem: HoledProblem,
  candidates: readonly number[],
  space: ModelSpace,
  { chains: count, sweeps, burnIn, most, imputations: copies }: ChainSettings,
): Promise<ChainRecord> {
  const { store, options, spec, holes } = problem;
  const places = holesAmong(holes, candidates);
  const chains = Array.from({ length: count }, (_, c) =>
    takingTurns(problem, places, imputationChain(problem, candidates, space, c)),
  );
  const visited = visitedModels();
  const drawn: Component[] = [];
  const sums = runningSums();
  const inclusion = chains.map((chain) => chain.inclusion);
  const effects = chains.map((chain) => chain.effects);

  let last: Completed | undefined;
  let stopped = false;
  let end = sweeps;
  let t = 0;
  const loop = problem.pool.journal?.loop();
  if (loop?.saved !== undefined) {
    const saved = loop.saved as Standing;
    ({ t, end } = saved);
    drawn.push(...saved.drawn);
    visited.restore(saved.visits);
    for (const [name, sum] of Object.entries(sums)) sum.restore(saved.sums[name]);
    chains.forEach((chain, c) => {
      chain.resume(saved.chains[c]);
      last = saved.chains[c].standing.completed;
    });
  }
  const standing = (): Standing => ({
    t,
    end,
    drawn,
    visits: visited.save(),
    sums: Object.fromEntries(Object.entries(sums).map(([name, sum]) => [name, sum.save()])),
    chains: chains.map((chain) => chain.stand()),
  });
  for (; t < end; t++) {
    // Whoever stops the chains is answered from two sweeps of each at least, typical or not.
    if (!stopped) loop?.keep(standing, options.signal?.aborted);
    stopped ||= options.signal?.aborted === true;
    if (stopped && inclusion[count - 1].length >= 2) break;
    const counts = t >= burnIn || stopped;
    for (const [c, chain] of chains.entries()) {
      options.onProgress?.({ stage: "sample", done: t * count + c, total: end * count });
      const sweep = await chain.turn();
      last = sweep.completed;
      if (!counts) continue;
      chain.inclusion.push(sweep.inclusion);
      const coefficients = effectsOf(sweep.drawn, candidates.length);
      chain.effects.push(coefficients.mean);
      sums.effectSquares.add(coefficients.square);
      const centre = spec.centred ? centreOfWeights(problem, candidates, last.centre) : undefined;
      for (const posterior of sweep.drawn) {
        chain.sizes.push(posterior.members.length);
        drawn.push({ probability: 1, posterior, centre });
      }
      visited.add(sweep.visits);
      addSweep(sums, sweep);
    }
    if (t + 1 === end && end < most) {
      const times = sweepsNeeded({ inclusion, effects, effectSquares: sums.effectSquares.mean() });
      end = Math.min(most, longer(end, burnIn, times));
    }
  }
  const atEnd = readHoles(store, places);
  const imputations = await completions(chains, stopped ? 0 : copies);
  // The answer does not depend on how many copies were asked for.
  fillHoles(store, places, (_, h) => atEnd[h]);
  const [intercept, variance] = sums.intercept.mean();
  return {
    sweeps: t,
    kept: inclusion[0].length,
    stopped,
    inclusion,
    effects,
    effectSquares: sums.effectSquares.mean(),
    imputations,
    sizes: chains.map((chain) => chain.sizes),
    scale: sums.scale.mean(),
    models: visited.models(),
    mixture: drawn.map((component) => ({ ...component, probability: 1 / drawn.length })),
    statistics: { ...last!.statistics, gram: sums.gram.mean(), cross: sums.cross.mean() },
    centre: { intercept, variance, means: sums.centres.mean() },
    means: sums.means.mean(),
    covariance: sums.squares.mean().map((value) => value / last!.scatter.rows),
  };
}

/** Means over the sweeps. */
const runningSums = () => ({
  gram: runningMean(),
  cross: runningMean(),
  centres: runningMean(),
  intercept: runningMean(),
  means: runningMean(),
  squares: runningMean(),
  scale: runningMean(),
  effectSquares: runningMean(),
});

function addSweep(sums: ReturnType<typeof runningSums>, { completed, scale }: Sweep): void {
  const { statistics, centre, scatter } = completed;
  sums.gram.add(statistics.gram);
  sums.cross.add(statistics.cross);
  sums.centres.add(centre.means);
  sums.intercept.add([centre.intercept, centre.variance]);
  sums.means.add(scatter.mean);
  sums.squares.add(scatter.squares);
  sums.scale.add(scale);
}

/** Means of the coefficients and of their squares over some models, zero in those that lack them. */
function effectsOf(drawn: readonly ModelPosterior[], size: number) {
  const mean = new Float64Array(size);
  const square = new Float64Array(size);
  for (const { members, mean: own, covariance } of drawn) {
    members.forEach((j, i) => {
      mean[j] += own[i] / drawn.length;
      square[j] += (own[i] ** 2 + covariance[i * (members.length + 1)]) / drawn.length;
    });
  }
  return { mean, square };
}

/** The sweeps that will do, with a little to spare, but no more than twice as many at a time. */
function longer(sweeps: number, burnIn: number, times: number): number {
  return times > 1 ? sweeps + Math.ceil((sweeps - burnIn) * Math.min(1, 1.1 * times - 1)) : sweeps;
}

/** A chain with values of its own for the holes, which it puts into the store when its turn comes. */
interface TurnTaking {
  values: Float32Array | undefined;
  readonly inclusion: Float64Array[];
  readonly effects: Float64Array[];
  readonly sizes: number[];
  turn(): Promise<Sweep>;
  /** Where it stands between two turns, as plain data. */
  stand(): ChainStanding;
  resume(standing: ChainStanding): void;
}

function takingTurns(
  { store, holes }: HoledProblem,
  places: HolePlaces,
  { save, restore, sweep }: ImputationChain,
): TurnTaking {
  const chain: TurnTaking = {
    values: undefined,
    inclusion: [],
    effects: [],
    sizes: [],
    async turn() {
      const { values } = chain;
      fillHoles(store, places, values ? (_, h) => values[h] : (j) => holes.mean[j]);
      const swept = await sweep();
      chain.values = readHoles(store, places);
      return swept;
    },
    stand() {
      const { inclusion, effects, sizes, values } = chain;
      return { inclusion, effects, sizes, values, standing: save() };
    },
    resume({ inclusion, effects, sizes, values, standing }) {
      restore(standing);
      chain.inclusion.push(...inclusion);
      chain.effects.push(...effects);
      chain.sizes.push(...sizes);
      chain.values = values;
    },
  };
  return chain;
}

/** What stands in the holes after every so many further sweeps, of the chains in turn. */
async function completions(chains: readonly TurnTaking[], copies: number): Promise<Float32Array[]> {
  const values: Float32Array[] = [];
  for (let k = 0; k < copies; k++) {
    const chain = chains[k % chains.length];
    for (let s = 0; s < APART; s++) await chain.turn();
    values.push(chain.values!);
  }
  return values;
}

/** Where all chains stand between two sweeps, as plain data. */
interface Standing {
  readonly t: number;
  readonly end: number;
  readonly drawn: readonly Component[];
  readonly visits: ReadonlyMap<string, Visit>;
  readonly sums: Readonly<Record<string, MeanStanding>>;
  readonly chains: readonly ChainStanding[];
}

interface ChainStanding {
  readonly inclusion: readonly Float64Array[];
  readonly effects: readonly Float64Array[];
  readonly sizes: readonly number[];
  readonly values: Float32Array | undefined;
  readonly standing: ImputationStanding;
}

interface MeanStanding {
  readonly sum: Float64Array | undefined;
  readonly count: number;
}

/** The mean of arrays of one length, as they come. */
function runningMean() {
  let sum: Float64Array | undefined;
  let count = 0;
  return {
    save: (): MeanStanding => ({ sum, count }),
    restore(standing: MeanStanding): void {
      ({ sum, count } = standing);
    },
    add(values: ArrayLike<number>): void {
      sum ??= new Float64Array(values.length);
      for (let i = 0; i < values.length; i++) sum[i] += values[i];
      count += 1;
    },
    mean: (): Float64Array => sum!.map((value) => value / count),
  };
}
