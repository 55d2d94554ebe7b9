/**
 * Every model over some candidates, depth first: each model is its parent plus one variable. All that its children need
 * is what it leaves of the variables that may still join (their Schur complement, and their products with the target),
 * and most models have few of those: about three products a model, however many candidates there are (Furnival and
 * Wilson 1974).
 */

import { chainBuffer, chainKernels, Region } from "../../../kernels/chain-memory.js";
import { laidOut } from "../../../kernels/laid-out.js";
import { type SufficientStatistics, smallestPivot } from "../evidence.js";
import { largestSize, type ModelSpace } from "../model-weights.js";

/** How many models there are. */
export function modelCount(candidates: number, space: ModelSpace): number {
  const free = candidates - space.always.length;
  let total = 0;
  let ways = 1;
  for (let k = 0; k <= largestSize(space, candidates); k++) {
    total += ways;
    ways = (ways * (free - k)) / (k + 1);
  }
  return total;
}

export interface Fits {
  /** b'A⁻¹b and log |A| of every model, A = G + ρI. */
  readonly fit: Float64Array;
  readonly logDeterminant: Float64Array;
}

export class ModelTree {
  /** The candidates, those first that are in every model or in every one that is visited. */
  private readonly order: readonly number[];
  private readonly forced: number;
  /** The place of the variable by which a model differs from its parent, and by how many it does from the first. */
  private readonly joined: Int32Array;
  private readonly depth: Int32Array;
  /** Models of the first walk; nought before it. */
  private count = 0;
  private readonly largest: number;

  /** Models without one of those that are `sure` are not visited. */
  constructor(
    private readonly statistics: SufficientStatistics,
    { always, logModel }: ModelSpace,
    private readonly sure: readonly number[],
  ) {
    const { size } = statistics;
    const first = [...always, ...sure];
    const others = Array.from({ length: size }, (_, j) => j).filter((j) => !first.includes(j));
    this.order = [...first, ...others];
    this.forced = first.length;
    const visited = { always: first, logModel: logModel.subarray(sure.length) };
    this.largest = largestSize(visited, size);
    const most = modelCount(size, visited);
    this.joined = new Int32Array(most);
    this.depth = new Int32Array(most);
  }

  /** The first walk decides which models there are: that with the smallest ridge, which dependent columns need most. */
  walk(ridge: number): Fits {
    const { order, joined, depth, forced, largest } = this;
    const { gram, cross, size } = this.statistics;
    const most = joined.length;
    const level = HEAD + size * (size + 2);
    const wide = [most, most, size, (largest + 1) * level];
    const start = region.hold(laidOut(0, wide, [most, most]).end);
    const [fits, determinants, least, levels, places, depths] = laidOut(start, wide, [most, most]).at;
    const buffer = chainBuffer();
    const pivot = order.map((j) => gram[j * size + j] + ridge);
    new Float64Array(buffer, least).set(pivot.map((own) => smallestPivot(ridge, own)));
    new Float64Array(buffer, levels).set([0, 0, ...pivot, ...order.map((j) => cross[j])]);
    const products = new Float64Array(buffer, levels + 8 * (HEAD + 2 * size), size * size);
    order.forEach((a, i) => {
      for (let j = i + 1; j < size; j++) products[i * size + j] = gram[a * size + order[j]];
    });
    const [known, knownDepths] = [places, depths].map((at) => new Int32Array(buffer, at, most));
    known.set(joined);
    knownDepths.set(depth);
    const given = [fits, determinants, places, depths, least, levels, size, forced, largest, ridge];
    this.count = chainKernels().walkModels(...given, Number(this.count > 0));
    joined.set(known);
    depth.set(knownDepths);
    const [fit, logDeterminant] = [fits, determinants].map((at) =>
      new Float64Array(buffer, at, this.count).slice(),
    );
    return { fit, logDeterminant };
  }

  /** In the order of the walks; the free members are overwritten by those of the next model. */
  each(look: (model: number, members: readonly number[]) => void): void {
    const before = this.sure.length;
    const members = [...this.sure];
    for (let model = 0; model < this.count; model++) {
      const level = this.depth[model];
      while (members.length > before && members.length >= before + level) members.pop();
      if (level > 0) members.push(this.order[this.joined[model]]);
      look(model, members);
    }
  }
}

/** Numbers of a level before those of its variables: its fit and its log determinant. */
const HEAD = 2;
const region = new Region();

/** What models are worth at one scale of the slab. */
export interface AtScale {
  /** Its prior, in logs. */
  readonly constant: number;
  /** What a member costs, and what of the fit the slab leaves. */
  readonly perMember: number;
  readonly shrink: number;
  readonly noiseVariance: number | undefined;
  readonly targetSquares: number;
  readonly freedom: number;
}

/** log p(y, S, scale) of models with these fits, sizes and priors. */
export function worthsOfFits(
  { fit, logDeterminant }: Fits,
  sizes: Float64Array,
  priors: Float64Array,
  { constant, perMember, shrink, noiseVariance, targetSquares, freedom }: AtScale,
): Float64Array {
  const n = fit.length;
  const columns = [new Float64Array(n), fit, logDeterminant, sizes, priors];
  const start = region.hold(8 * n * columns.length);
  const at = columns.map((_, i) => start + 8 * n * i);
  const buffer = chainBuffer();
  columns.forEach((column, i) => {
    new Float64Array(buffer, at[i], n).set(column);
  });
  const numbers = [constant, perMember, shrink, noiseVariance ?? -1, targetSquares, freedom];
  chainKernels().worthsOfFits(...at, n, ...numbers);
  return new Float64Array(buffer, at[0], n).slice();
}
