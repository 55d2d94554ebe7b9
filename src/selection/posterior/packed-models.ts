/** The members of many models one behind the other: there may be hundreds of thousands of them. */

import { chainBuffer, chainKernels, Region } from "../../kernels/chain-memory.js";
import { laidOut } from "../../kernels/laid-out.js";

const region = new Region();

export interface PackedModels {
  readonly count: number;
  /** As they are listed. */
  readonly probability: Float64Array;
  readonly total: number;
  /** Where the members of each begin, and at last where they end. */
  readonly start: Int32Array;
  readonly members: Int32Array;
}

interface Listed {
  readonly members: readonly number[];
  readonly probability: number;
}

const PACKED = new WeakMap<readonly Listed[], PackedModels>();

/** Made once for a list. */
export function packedModels(models: readonly Listed[]): PackedModels {
  const known = PACKED.get(models) ?? pack(models);
  PACKED.set(models, known);
  return known;
}

function pack(models: readonly Listed[]): PackedModels {
  const count = models.length;
  const start = new Int32Array(count + 1);
  const probability = new Float64Array(count);
  let total = 0;
  for (let m = 0; m < count; m++) {
    const model = models[m];
    start[m + 1] = start[m] + model.members.length;
    probability[m] = model.probability;
    total += model.probability;
  }
  const members = new Int32Array(start[count]);
  for (let m = 0, at = 0; m < count; m++) {
    const own = models[m].members;
    for (let i = 0; i < own.length; i++) members[at++] = own[i];
  }
  return { count, probability, total, start, members };
}

/** Of every candidate: the sum of the weights of the models that hold it. */
export function weightsOfMembers(
  { count, start, members }: PackedModels,
  weights: Float64Array,
  candidates: number,
): Float64Array {
  const wide = [candidates, count];
  const narrow = [count + 1, members.length];
  const place = region.hold(laidOut(0, wide, narrow).end);
  const [sums, own, starts, all] = laidOut(place, wide, narrow).at;
  const buffer = chainBuffer();
  const out = new Float64Array(buffer, sums, candidates).fill(0);
  new Float64Array(buffer, own).set(weights);
  new Int32Array(buffer, starts).set(start);
  new Int32Array(buffer, all).set(members);
  chainKernels().addByMember(sums, starts, all, own, count);
  return out.slice();
}
