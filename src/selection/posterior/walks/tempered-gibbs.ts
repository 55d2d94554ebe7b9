/**
 * Weighted tempered Gibbs sampling over models (Zanella and Roberts 2019). At model γ, with
 * π_j = π(γ_j = 1 | γ_−j, y) known for every candidate, variable j is flipped with probability p_j(γ)/Z(γ),
 *
 *     p_j(γ) = κ_j(γ_−j) / (2π(γ_j | γ_−j, y)),   κ_j = π_j + 1/C,   Z(γ) = Σ_j p_j(γ),
 *
 * always accepted, and the visit counts with weight 1/Z(γ). Variables in unlikely states are flipped often, so the
 * chain crosses between correlated substitutes. Inclusion probabilities average π_j rather than γ_j.
 *
 * Where the slab's scale has a prior, the chain also moves between its values. All of the above is then given the scale,
 * and what the chain visits has density π(γ, scale)·Z; a scale drawn from π(scale | γ, y) is accepted with probability
 * min(1, Z'/Z).
 */

import { Rng } from "../../../math/rng.js";
import { RUN_STREAMS } from "../../../sampling/streams.js";
import type { Job, Work } from "../../../workers/job.js";
import { Evidence, type SufficientStatistics } from "../evidence.js";
import { largestSize, type ModelSpace } from "../model-weights.js";
import { drawFrom, scaleLaw } from "../scale-law.js";
import { logPriorAt, memberGain, type Slab, slabAt } from "../slab.js";
import { type FlipRates, flipRates } from "./flip-rates.js";

/** A stretch of a chain. Plain data: it crosses threads. */
export interface GibbsInput {
  readonly statistics: SufficientStatistics;
  readonly slab: Slab;
  readonly noiseVariance: number | undefined;
  readonly space: ModelSpace;
  readonly seed: number;
  /** Number of the chain and of the stretch within it: together they pick the random numbers. */
  readonly chain: number;
  readonly round: number;
  readonly flips: number;
  /** Flips before the first that counts. */
  readonly burnIn: number;
  /** The model to start from, and the place of its scale. */
  readonly start: readonly number[];
  readonly scale: number;
}

export interface GibbsOutput {
  readonly chain: number;
  /** The model at the end, and the place of its scale. */
  readonly members: number[];
  readonly scale: number;
  /** Weight of every scale, as the visited models see it. */
  readonly scales: Float64Array;
  /** The most probable model on the way, and log p(S, scale | y) up to a constant that all models share. */
  readonly best: BestModel;
  readonly pieces: readonly GibbsPiece[];
  /** Weight of every model size. */
  readonly sizes: Float64Array;
  /** Models visited and their weights. */
  readonly visits: Visits;
}

/** Packed: thousands of small lists would take longer to cross between threads than to be found. */
export interface Visits {
  /** The members of one model after the other, each in rising order, and where the list of each ends. */
  readonly members: Uint32Array;
  readonly ends: Uint32Array;
  readonly weights: Float64Array;
  /** A number that tells models apart, the same in all chains. */
  readonly keys: Float64Array;
}

export interface BestModel {
  readonly members: readonly number[];
  /** The place of its scale. */
  readonly scale: number;
  readonly logPosterior: number;
}

/** Weighted sums over a piece of a stretch: of π_j, of the model size and of its square. */
export interface GibbsPiece {
  weight: number;
  readonly sum: Float64Array;
  modelSize: number;
  squaredSize: number;
}

/** Pieces of a stretch over which Monte Carlo errors are measured. */
const PIECES = 20;

/** A stretch under way: whoever runs it may stop after any step and still ask for what was counted. */
export interface GibbsStretch extends Work<GibbsOutput> {}

/** Flips in a step. */
const FLIPS = 32;

export function temperedGibbs(job: GibbsInput): GibbsStretch {
  const { space, flips, burnIn, statistics } = job;
  const { size } = statistics;
  const rng = Rng.seeded(job.seed).split(RUN_STREAMS.polish).split(job.chain).split(job.round);
  const scales = new Float64Array(job.slab.scales.length);
  const walkers = walkersOf(job);
  let place = job.scale;
  let { evidence, rates } = walkers(place);
  evidence.rebuild(job.start.length > 0 ? job.start : space.always);
  // The same whatever the model, once flips count: scales are counted when they are drawn.
  let between = flipsBetween(scales.length, evidence);
  const sizes = new Float64Array(largestSize(space, size) + 1);
  const pieces: GibbsPiece[] = Array.from({ length: PIECES }, () => ({
    weight: 0,
    sum: new Float64Array(size),
    modelSize: 0,
    squaredSize: 0,
  }));
  const visits = visitedModels(size);
  evidence.members.forEach(visits.toggle);

  function record(piece: GibbsPiece, weight: number): void {
    const k = evidence.members.length - space.always.length;
    piece.weight += weight;
    for (let j = 0; j < size; j++) piece.sum[j] += weight * rates.conditional[j];
    piece.modelSize += weight * k;
    piece.squaredSize += weight * k * k;
    sizes[k] += weight;
    visits.count(evidence.members, weight);
  }

  /** Draws another scale, with log Z at the current one, and returns log Z at the new one. */
  function rescale(logZ: number, counts: boolean): number {
    const { probability } = scaleLaw(statistics, job.slab, job.noiseVariance, evidence.members);
    if (counts) for (let s = 0; s < scales.length; s++) scales[s] += probability[s] * Math.exp(-logZ);
    const drawn = drawFrom(rng, probability);
    if (drawn === place) return logZ;
    const other = walkers(drawn);
    other.evidence.rebuild([...evidence.members]);
    const there = other.rates.look();
    if (rng.uniform() >= Math.exp(there - logZ)) return logZ;
    place = drawn;
    ({ evidence, rates } = other);
    return there;
  }

  let best: BestModel = { members: [], scale: place, logPosterior: Number.NEGATIVE_INFINITY };
  const { offsets } = space;
  function compare(): void {
    const { members } = evidence;
    let logPosterior = evidence.logMarginal() + logPriorAt(job.slab, place, members.length);
    logPosterior += space.logModel[members.length - space.always.length];
    if (offsets) for (const j of members) logPosterior += offsets[j];
    if (logPosterior > best.logPosterior) best = { members: [...members], scale: place, logPosterior };
  }

  function flip(t: number): void {
    let logZ = rates.look();
    // Nothing can move: this is the only model.
    const alone = logZ === Number.NEGATIVE_INFINITY;
    if (scales.length > 1 && !alone && t % between === 0) logZ = rescale(logZ, t >= 0);
    compare();
    if (t >= 0) record(pieces[Math.floor((t * PIECES) / flips)], alone ? 1 : Math.exp(-logZ));
    if (alone) return;
    const j = rates.choose(rng);
    visits.toggle(j);
    if (evidence.place[j] >= 0) evidence.remove(j);
    else evidence.add(j);
  }

  let t = -burnIn;
  return {
    next() {
      const stop = Math.min(flips, t + FLIPS);
      for (; t < stop; t++) {
        if (t === 0) between = flipsBetween(scales.length, evidence);
        flip(t);
      }
      return t < flips;
    },
    get done() {
      return t + burnIn;
    },
    result() {
      return {
        chain: job.chain,
        members: [...evidence.members],
        scale: place,
        scales,
        best,
        pieces,
        sizes,
        visits: visits.all(),
      };
    },
  };
}

/**
 * Flips from one draw of the scale to the next: about as much work as the draw itself, and an odd number, since
 * every flip turns the parity of the size.
 */
function flipsBetween(scales: number, { members, size }: Evidence): number {
  return 2 * Math.max(2, Math.round((scales * (members.length + 1) ** 2) / (6 * size))) + 1;
}

/** Models and their weights, found again by Zobrist hashing: the exclusive or of their members' words, 52 bits of it. */
function visitedModels(size: number) {
  const visits = new Map<number, { members: number[]; weight: number }>();
  const words = Rng.seeded(1);
  const high = Uint32Array.from({ length: size }, () => words.uint32() & 0xfffff);
  const low = Uint32Array.from({ length: size }, () => words.uint32());
  let [keyHigh, keyLow] = [0, 0];
  return {
    /** A variable comes into the current model, or leaves it. */
    toggle(j: number): void {
      keyHigh ^= high[j];
      keyLow ^= low[j];
    },
    /** `members` are those of the current model. */
    count(members: readonly number[], weight: number): void {
      const key = keyHigh * 4294967296 + (keyLow >>> 0);
      const known = visits.get(key);
      if (known) known.weight += weight;
      else visits.set(key, { members: [...members], weight });
    },
    all(): Visits {
      const all = [...visits.values()];
      const ends = new Uint32Array(all.length);
      let total = 0;
      all.forEach(({ members }, i) => {
        total += members.length;
        ends[i] = total;
      });
      const packed = new Uint32Array(total);
      all.forEach(({ members }, i) => {
        packed.set(members, ends[i] - members.length);
        packed.subarray(ends[i] - members.length, ends[i]).sort();
      });
      const weights = Float64Array.from(all, ({ weight }) => weight);
      return { members: packed, ends, weights, keys: Float64Array.from(visits.keys()) };
    },
  };
}

/** The evidence at one scale and what follows from it, made when first asked for. */
function walkersOf({ statistics, slab, noiseVariance, space }: GibbsInput) {
  const made = new Map<number, { readonly evidence: Evidence; readonly rates: FlipRates }>();
  return (place: number) => {
    const known = made.get(place);
    if (known) return known;
    const evidence = new Evidence(statistics, slabAt(slab, place), noiseVariance);
    const gain = memberGain(slab, place);
    const logModel = space.logModel.map((log, k) => log + k * gain);
    const walker = { evidence, rates: flipRates(evidence, { ...space, logModel }) };
    made.set(place, walker);
    return walker;
  };
}

export const gibbsJob: Job<GibbsInput, GibbsOutput> = {
  name: "gibbs",
  start: (_, input) => temperedGibbs(input),
};
