/** The members of many models one behind the other: there may be hundreds of thousands of them. */

import { chainKernels, Region } from "../../kernels/chain-memory.js";
import { heldArrays } from "../../kernels/held-arrays.js";

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
  const { at, values } = heldArrays(
    region,
    { sums: candidates, weights: count },
    { start: count + 1, members: members.length },
  );
  values.sums.fill(0);
  values.weights.set(weights);
  values.start.set(start);
  values.members.set(members);
  chainKernels().addByMember(at.sums, at.start, at.members, at.weights, count);
  return values.sums.slice();
}
