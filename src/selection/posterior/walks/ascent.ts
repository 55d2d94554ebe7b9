/**
 * Where a walk over models may have to begin. Columns that matter together only, as the parts of which a target is the
 * difference do, look useless one at a time beside any model that lacks one of them: four and more of them are found by
 * no walk from the empty model. From the model of all candidates each is seen to be needed. So two models are climbed to
 * by single flips, the best one first: from nothing, and from all.
 */

import { Evidence } from "../evidence.js";
import { largestSize, type ModelSpace } from "../model-weights.js";
import type { PolishProblem } from "../polish.js";
import { scaleLaw } from "../scale-law.js";
import { logPriorAt, memberGain, type Slab, slabAt } from "../slab.js";
import type { BestModel } from "./tempered-gibbs.js";

type Weighted = Pick<PolishProblem, "statistics" | "slab" | "noiseVariance" | "space">;

/** Of more candidates all together take too long to be taken out one by one. */
const MOST_CANDIDATES = 400;
/** Scales and models follow each other at most so often. */
const ROUNDS = 5;
/** A model that is less probable by this factor, in logs, is no place to begin. */
const FAR = 10;

/** The model that is left of all candidates, where a climb from nothing ends elsewhere and not far above. */
export function startFromAll(problem: Weighted): BestModel | undefined {
  const { statistics, space } = problem;
  const { size, freedom } = statistics;
  // With as many columns as rows all of them together explain everything.
  if (size > MOST_CANDIDATES || size >= freedom) return undefined;
  const all = Array.from({ length: size }, (_, j) => j);
  // Where slabs are wide what is not needed goes soonest, and effects are as large as they like.
  const fromAll = climbed(problem, all, widest(problem.slab));
  const fromNothing = climbed(problem, space.always);
  const isSame = [...fromAll.members].sort().join() === [...fromNothing.members].sort().join();
  return isSame || fromAll.logPosterior < fromNothing.logPosterior - FAR ? undefined : fromAll;
}

/** By flips, each the best one, and the scale of the slab that the model likes best, unless told for the first flips. */
function climbed(
  { statistics, slab, noiseVariance, space }: Weighted,
  from: readonly number[],
  first?: number,
): BestModel {
  let members = from;
  let scale = -1;
  for (let round = 0; ; round++) {
    const next = round === 0 && first !== undefined ? first : likeliest();
    if (next === scale || round === ROUNDS) break;
    scale = next;
    const evidence = new Evidence(statistics, slabAt(slab, scale), noiseVariance);
    evidence.rebuild();
    for (const j of members) if (evidence.canAdd(j)) evidence.add(j);
    climb(evidence, {
      ...space,
      logModel: space.logModel.map((log, k) => log + k * memberGain(slab, scale)),
    });
    members = [...evidence.members];
  }
  const evidence = new Evidence(statistics, slabAt(slab, scale), noiseVariance);
  evidence.rebuild(members);
  const { logModel, always, offsets } = space;
  const size = members.length - always.length;
  const prior = logPriorAt(slab, scale, members.length) + logModel[size];
  const offset = members.reduce((sum, j) => sum + (offsets?.[j] ?? 0), 0);
  return { members, scale, logPosterior: evidence.logMarginal() + prior + offset };

  function likeliest(): number {
    const { probability } = scaleLaw(statistics, slab, noiseVariance, members);
    return probability.indexOf(Math.max(...probability));
  }
}

const widest = ({ scales }: Slab): number => scales.indexOf(Math.max(...scales));

/** One flip after the other, as long as one raises the posterior or the model is too large. */
function climb(evidence: Evidence, { logModel, always, offsets }: ModelSpace): void {
  const { size, members } = evidence;
  const most = largestSize({ logModel, always }, size);
  const isAlways = new Set(always);
  const gains = new Float64Array(size);
  // No model comes twice while its posterior rises; rounding is kept from turning in circles.
  for (let flips = 0; flips < 4 * size; flips++) {
    const k = members.length - always.length;
    const isTooLarge = k > most;
    let best = { j: -1, gain: isTooLarge ? Number.NEGATIVE_INFINITY : LITTLE };
    evidence.gainsOfMembers(gains);
    members.forEach((j, i) => {
      const gain = -gains[i] - (offsets?.[j] ?? 0) + (isTooLarge ? 0 : logModel[k - 1] - logModel[k]);
      if (!isAlways.has(j) && gain > best.gain) best = { j, gain };
    });
    for (let j = 0; j < size && k < most; j++) {
      if (evidence.place[j] >= 0) continue;
      const gain = evidence.gainOfAdding(j) + (offsets?.[j] ?? 0) + logModel[k + 1] - logModel[k];
      if (gain > best.gain) best = { j, gain };
    }
    if (best.j < 0) return;
    if (evidence.place[best.j] >= 0) evidence.remove(best.j);
    else evidence.add(best.j);
  }
}

/** In log posterior: less is no gain. */
const LITTLE = 1e-9;
