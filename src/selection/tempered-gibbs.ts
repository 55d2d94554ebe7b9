/**
 * Weighted tempered Gibbs sampling over models (Zanella and Roberts 2019). At model γ, with
 * π_j = π(γ_j = 1 | γ_−j, y) known for every candidate, variable j is flipped with probability p_j(γ)/Z(γ),
 *
 *     p_j(γ) = κ_j(γ_−j) / (2π(γ_j | γ_−j, y)),   κ_j = π_j + 1/C,   Z(γ) = Σ_j p_j(γ),
 *
 * always accepted, and the visit counts with weight 1/Z(γ). Variables in unlikely states are flipped often, so the
 * chain crosses between correlated substitutes. Inclusion probabilities average π_j rather than γ_j.
 */

import type { Rng } from "../math/rng.js";
import type { Evidence } from "./evidence.js";
import type { ModelSpace, ModelWeights } from "./model-weights.js";

export interface GibbsSettings {
  readonly chains: number;
  readonly flips: number;
  readonly burnIn: number;
  readonly signal?: AbortSignal | undefined;
}

/** Weighted sums over a stretch of a chain: of π_j, of the model size and of its square. */
interface Stretch {
  weight: number;
  readonly sum: Float64Array;
  modelSize: number;
  squaredSize: number;
}

/** Stretches of a chain over which Monte Carlo errors are measured. */
const STRETCHES = 50;

export function temperedGibbs(
  rng: Rng,
  evidence: Evidence,
  space: ModelSpace,
  settings: GibbsSettings,
): ModelWeights {
  const { size } = evidence;
  const { chains, flips, burnIn } = settings;
  const free = size - space.always.length;
  const maxSize = Math.min(space.maxSize, free);
  const isAlways = new Uint8Array(size);
  for (const j of space.always) isAlways[j] = 1;

  const conditional = new Float64Array(size);
  const rate = new Float64Array(size);
  const gains = new Float64Array(size);
  const visits = new Map<string, { members: readonly number[]; weight: number }>();
  const sizes = new Float64Array(maxSize + 1);
  const stretches: Stretch[] = Array.from({ length: chains * STRETCHES }, () => ({
    weight: 0,
    sum: new Float64Array(size),
    modelSize: 0,
    squaredSize: 0,
  }));

  /** Fills `conditional` and `rate` at the current model and returns Z. */
  function look(): number {
    const k = evidence.members.length - space.always.length;
    const logAdd = k < maxSize ? space.logModel(k + 1) - space.logModel(k) : Number.NEGATIVE_INFINITY;
    const logKeep = k > 0 ? space.logModel(k) - space.logModel(k - 1) : 0;
    evidence.gainsOfMembers(gains);
    let z = 0;
    for (let j = 0; j < size; j++) {
      const place = evidence.place[j];
      if (isAlways[j]) {
        conditional[j] = 1;
        rate[j] = 0;
        continue;
      }
      const logOdds = place >= 0 ? gains[place] + logKeep : evidence.gainOfAdding(j) + logAdd;
      const inside = 1 / (1 + Math.exp(-logOdds));
      const outside = 1 / (1 + Math.exp(logOdds));
      conditional[j] = inside;
      // A variable that may not move (no room, collinear) has a rate of 0 in either state.
      const movable = logOdds > Number.NEGATIVE_INFINITY;
      rate[j] = movable ? (inside + 1 / size) / (2 * Math.max(place >= 0 ? inside : outside, 1e-300)) : 0;
      z += rate[j];
    }
    return z;
  }

  function choose(stream: Rng, z: number): number {
    let u = stream.uniform() * z;
    for (let j = 0; j < size; j++) {
      u -= rate[j];
      if (u < 0) return j;
    }
    return rate.lastIndexOf(Math.max(...rate));
  }

  for (let chain = 0; chain < chains; chain++) {
    const stream = rng.split(chain);
    evidence.rebuild(space.always);
    for (let t = 0; t < burnIn + flips; t++) {
      if (t % 256 === 0 && settings.signal?.aborted) break;
      const z = look();
      if (z === 0) break;
      if (t >= burnIn) record(chain, t - burnIn, 1 / z);
      const j = choose(stream, z);
      if (evidence.place[j] >= 0) evidence.remove(j);
      else evidence.add(j);
    }
  }

  function record(chain: number, t: number, weight: number): void {
    const stretch = stretches[chain * STRETCHES + Math.floor((t * STRETCHES) / flips)];
    const k = evidence.members.length - space.always.length;
    stretch.weight += weight;
    for (let j = 0; j < size; j++) stretch.sum[j] += weight * conditional[j];
    stretch.modelSize += weight * k;
    stretch.squaredSize += weight * k * k;
    sizes[k] += weight;
    const members = [...evidence.members].sort((a, b) => a - b);
    const key = members.join();
    const known = visits.get(key);
    if (known) known.weight += weight;
    else visits.set(key, { members, weight });
  }

  const total = stretches.reduce((sum, { weight }) => sum + weight, 0);
  const inclusion = new Float64Array(size);
  for (const { sum } of stretches) for (let j = 0; j < size; j++) inclusion[j] += sum[j] / total;
  const used = stretches.filter(({ weight }) => weight > 0);
  // Ratio estimates: the spread of Σ w(π_j − mean) over the stretches.
  const inclusionError = inclusion.map((mean, j) => {
    const squares = used.reduce((sum, s) => sum + (s.sum[j] - mean * s.weight) ** 2, 0);
    return Math.sqrt((squares * used.length) / Math.max(1, used.length - 1)) / total;
  });
  return {
    exact: false,
    models: [...visits.values()]
      .map(({ members, weight }) => ({ members, probability: weight / total }))
      .sort((a, b) => b.probability - a.probability),
    inclusion,
    inclusionError,
    size: sizes.map((weight) => weight / total),
    mixing: mixing(stretches, chains, inclusion, inclusionError, chains * flips),
  };
}

/**
 * R-hat of the model size, √(1 + B/W) with B the variance of the chains' means and W that within them, and the fewest
 * effective draws behind any inclusion probability that is still open.
 */
function mixing(
  stretches: readonly Stretch[],
  chains: number,
  inclusion: Float64Array,
  inclusionError: Float64Array,
  draws: number,
): { rhat: number; ess: number } {
  const moments = Array.from({ length: chains }, (_, chain) => {
    const own = stretches.slice(chain * STRETCHES, (chain + 1) * STRETCHES);
    const total = (of: (s: Stretch) => number) => own.reduce((sum, s) => sum + of(s), 0);
    const weight = Math.max(
      total((s) => s.weight),
      Number.MIN_VALUE,
    );
    const mean = total((s) => s.modelSize) / weight;
    return { mean, variance: Math.max(0, total((s) => s.squaredSize) / weight - mean * mean) };
  });
  const within = moments.reduce((sum, { variance }) => sum + variance, 0) / chains;
  const mean = moments.reduce((sum, m) => sum + m.mean, 0) / chains;
  const between = moments.reduce((sum, m) => sum + (m.mean - mean) ** 2, 0) / Math.max(1, chains - 1);
  let ess = draws;
  inclusion.forEach((p, j) => {
    if (p > 0.02 && p < 0.98) ess = Math.min(ess, (p * (1 - p)) / inclusionError[j] ** 2);
  });
  return { rhat: within > 0 ? Math.sqrt(1 + between / within) : 1, ess };
}
