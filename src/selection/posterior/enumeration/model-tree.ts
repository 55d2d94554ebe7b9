/**
 * Every model over some candidates, depth first: each model is its parent plus one variable. All that its children need
 * is what it leaves of the variables that may still join (their Schur complement, and their products with the target),
 * and most models have few of those: about three products a model, however many candidates there are (Furnival and
 * Wilson 1974).
 */

import { chainKernels, Region } from "../../../kernels/chain-memory.js";
import { heldArrays } from "../../../kernels/held-arrays.js";
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
    const { at, values } = heldArrays(
      region,
      { fits: most, determinants: most, least: size, levels: (largest + 1) * level },
      { joined: most, depths: most },
    );
    const pivot = order.map((j) => gram[j * size + j] + ridge);
    values.least.set(pivot.map((own) => smallestPivot(ridge, own)));
    values.levels.set([0, 0, ...pivot, ...order.map((j) => cross[j])]);
    const products = values.levels.subarray(HEAD + 2 * size, level);
    order.forEach((a, i) => {
      for (let j = i + 1; j < size; j++) products[i * size + j] = gram[a * size + order[j]];
    });
    values.joined.set(joined);
    values.depths.set(depth);
    this.count = chainKernels().walkModels(
      at.fits,
      at.determinants,
      at.joined,
      at.depths,
      at.least,
      at.levels,
      size,
      forced,
      largest,
      ridge,
      Number(this.count > 0),
    );
    joined.set(values.joined);
    depth.set(values.depths);
    return {
      fit: values.fits.slice(0, this.count),
      logDeterminant: values.determinants.slice(0, this.count),
    };
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
  const { at, values } = heldArrays(region, { out: n, fits: n, determinants: n, sizes: n, priors: n });
  values.fits.set(fit);
  values.determinants.set(logDeterminant);
  values.sizes.set(sizes);
  values.priors.set(priors);
  chainKernels().worthsOfFits(
    at.out,
    at.fits,
    at.determinants,
    at.sizes,
    at.priors,
    n,
    constant,
    perMember,
    shrink,
    noiseVariance ?? -1,
    targetSquares,
    freedom,
  );
  return values.out.slice();
}
