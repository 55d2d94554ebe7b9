/** The exact posterior over models on the candidates: every model when there are few enough, a sampler otherwise. */

import type { Pool } from "../../workers/pool.js";
import { enumerateModels } from "./enumeration/enumerate.js";
import { modelCount } from "./enumeration/model-tree.js";
import type { SufficientStatistics } from "./evidence.js";
import type { ModelSpace, ModelWeights } from "./model-weights.js";
import { type Slab, withoutIdle } from "./slab.js";
import { startFromAll } from "./walks/ascent.js";
import { gibbsWeights } from "./walks/gibbs-weights.js";
import { type BestModel, type GibbsInput, type GibbsOutput, gibbsJob } from "./walks/tempered-gibbs.js";

export interface PolishProblem {
  readonly statistics: SufficientStatistics;
  readonly slab: Slab;
  readonly noiseVariance: number | undefined;
  readonly space: ModelSpace;
  readonly seed: number;
  readonly signal: AbortSignal | undefined;
  /** Monte Carlo error that will do from the first, where that is not the usual one. */
  readonly accuracy?: number;
  /** Whether the slab has no scales but those that matter. */
  readonly scouted?: boolean;
  /** Work after which a chain ends although it is not accurate yet, where that is not the usual one. */
  readonly work?: number;
  /** Models that are known to be good: the first chain begins without any variable, the others here. */
  readonly starts?: readonly (readonly number[])[];
}

/** Enumerating 2¹⁸ models, times scales, is a matter of milliseconds, but all that follows takes two seconds where no model stands out. */
const MAX_ENUMERATED = 2 ** 18;
export const CHAINS = 4;
/** Flips of a chain in the first round; later rounds are as long as all before, and chains go on where they were. */
const FIRST_FLIPS = 1000;
const BURN_IN = 300;
/**
 * Sampling ends when no inclusion probability has a larger Monte Carlo error and chains agree. Past the usual length a
 * larger error will do, and a chain ends when its work (flips × candidates × model size) is done.
 */
const GOOD_ERROR = { usual: 0.003, late: 0.005 };
const GOOD_RHAT = 1.01;
const USUAL_FLIPS = 64_000;
const MAX_FLIPS = 512_000;
const WORK = 6e8;
/** A chain whose work is bounded flips at least so often. */
const LEAST_FLIPS = 4000;
/** What a flip takes beside the members: looking at a candidate is worth about eight of them. */
const LOOK = 8;

/** A chain whose best model is less probable than another's by this factor, in logs, has not got there yet. */
const LAGGING = 10;

/** Between two passes of the certificate a short run will do. */
const HASTY_ENUMERATED = 2 ** 17;
const HASTY_FLIPS = 400;

export async function polish(pool: Pool, problem: PolishProblem, thorough: boolean): Promise<ModelWeights> {
  const most = thorough ? MAX_ENUMERATED : HASTY_ENUMERATED;
  if (canEnumerate(problem, most)) return enumerated(problem);
  if (problem.scouted || problem.slab.scales.length === 1) return sampled(pool, problem, thorough);
  // A short run tells which scales of the slab matter at all.
  const scout = withoutIdleScales(await sampled(pool, problem, false));
  const scouted = { ...problem, slab: scout.slab };
  if (canEnumerate(scouted, most)) return enumerated(scouted);
  return thorough ? sampled(pool, scouted, true) : scout;
}

function canEnumerate({ statistics, space, slab }: PolishProblem, most: number): boolean {
  const apart = slab.kind === "zellner" ? 1 : slab.scales.length;
  return modelCount(statistics.size, space) * apart <= most;
}

/** A scale with a smaller share of the posterior is left out. */
const IDLE_SCALE = 1e-5;

function enumerated({ statistics, slab, noiseVariance, space }: PolishProblem): ModelWeights {
  return enumerateModels(statistics, slab, noiseVariance, space, IDLE_SCALE);
}

function withoutIdleScales(weights: ModelWeights): ModelWeights {
  const { slab, scale } = weights;
  return {
    ...weights,
    slab: withoutIdle(slab, scale, IDLE_SCALE),
    scale: scale.filter((p) => p > IDLE_SCALE),
  };
}

async function sampled(pool: Pool, problem: PolishProblem, thorough: boolean): Promise<ModelWeights> {
  const { statistics, slab, signal, starts: given = [], accuracy, work, scouted: _, ...chainwise } = problem;
  const fromAll = startFromAll(problem);
  const starts: readonly Start[] = [...given.map((members) => ({ members })), ...(fromAll ? [fromAll] : [])];
  let outputs: readonly GibbsOutput[] = [];
  // With starts to try, a hasty run tries them all, for as long as it takes to see every candidate.
  const chains = thorough ? CHAINS : 2 + Math.max(0, starts.length - 1);
  let flips = thorough ? FIRST_FLIPS : starts.length > 0 ? HASTY_FLIPS + statistics.size : HASTY_FLIPS;
  let best: BestModel | undefined;
  for (let round = 0, done = 0; ; round++) {
    const jobs = Array.from({ length: chains }, (_, chain): GibbsInput => {
      const last = outputs.findLast((output) => output.chain === chain);
      const from = last ?? best;
      const start = from ?? (chain > 0 ? starts[(chain - 1) % starts.length] : undefined);
      return {
        ...chainwise,
        statistics,
        slab,
        chain,
        round,
        flips,
        burnIn: last ? 0 : BURN_IN,
        start: start?.members ?? [],
        // Chains start at different scales.
        scale: start?.scale ?? Math.floor(((chain + 0.5) * slab.scales.length) / chains),
      };
    });
    // The first round runs whole even when time is up: without it there is no answer.
    const all = [...outputs, ...(await pool.run(gibbsJob, jobs, round === 0 ? {} : { signal }))];
    best = all.reduce((a, b) => (b.best.logPosterior > a.best.logPosterior ? b : a)).best;
    outputs = withoutLagging(all, best);
    const together = new Set(outputs.map(({ chain }) => chain)).size === chains;
    const weights = gibbsWeights(outputs, slab);
    const worst = weights.inclusionError.reduce((a, b) => Math.max(a, b), 0);
    const sampled = done + flips;
    const enough = sampled < USUAL_FLIPS ? (accuracy ?? GOOD_ERROR.usual) : GOOD_ERROR.late;
    const good = together && worst <= enough && (weights.mixing?.rhat ?? 1) <= GOOD_RHAT;
    const most = mostFlips(statistics.size, weights.size, work);
    if (!thorough || good || sampled >= most) return weights;
    if (signal?.aborted) return { ...weights, unfinished: true };
    done = sampled;
    flips = Math.min(sampled, most - sampled);
  }
}

/**
 * The stretches of every chain from the one on that came near the best model: those before stand for another part of
 * the models, and how much that is worth beside the best one they cannot tell.
 */
function withoutLagging(outputs: readonly GibbsOutput[], best: BestModel): readonly GibbsOutput[] {
  const arrived = new Set<number>();
  return outputs.filter(({ chain, best: { logPosterior } }) => {
    if (logPosterior >= best.logPosterior - LAGGING) arrived.add(chain);
    return arrived.has(chain);
  });
}

/** A model, and the place of its scale where that is known. */
type Start = Pick<BestModel, "members"> & Partial<Pick<BestModel, "scale">>;

function mostFlips(candidates: number, sizes: Float64Array, work: number | undefined): number {
  const size = sizes.reduce((sum, probability, k) => sum + probability * k, 0);
  const affordable = Math.round((work ?? WORK) / (candidates * (size + LOOK)));
  return Math.max(work === undefined ? USUAL_FLIPS : LEAST_FLIPS, Math.min(MAX_FLIPS, affordable));
}
