/**
 * Every model over some candidates, depth first: each model is its parent plus one variable. All that its children need
 * is what it leaves of the variables that may still join (their Schur complement, and their products with the target),
 * and most models have few of those: about three products a model, however many candidates there are (Furnival and
 * Wilson 1974).
 */

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

/** What a model leaves of the variables after it, by their places in the order of the tree. */
interface Left {
  readonly pivot: Float64Array;
  readonly score: Float64Array;
  /** Row by row, above the diagonal. */
  readonly cross: Float64Array;
  fit: number;
  logDeterminant: number;
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
  private readonly levels: Left[] = [];

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
    const { order, joined, depth, largest } = this;
    const { gram, size } = this.statistics;
    const known = this.count > 0;
    const fit = new Float64Array(joined.length);
    const logDeterminant = new Float64Array(joined.length);
    const least = order.map((j) => smallestPivot(ridge, gram[j * size + j] + ridge));
    let model = 0;
    const visit = (level: number, place: number): void => {
      const left = this.levels[level];
      joined[model] = place;
      depth[model] = level;
      fit[model] = left.fit;
      logDeterminant[model] = left.logDeterminant;
      model += 1;
      if (level === largest) return;
      this.levels[level + 1] ??= this.newLevel(level + 1);
      const below = this.levels[level + 1];
      for (let i = place + 1; i < size; i++) {
        const joins = known ? joined[model] === i && depth[model] === level + 1 : left.pivot[i] > least[i];
        if (!joins) continue;
        take(below, left, i, ridge, level + 1 < largest - 1);
        visit(level + 1, i);
      }
    };
    this.levels[0] ??= this.newLevel(0);
    const root = this.levels[0];
    this.begin(root, ridge);
    for (let i = 0; i < this.forced; i++) take(root, root, i, ridge, true);
    visit(0, this.forced - 1);
    this.count = model;
    return { fit: fit.subarray(0, model), logDeterminant: logDeterminant.subarray(0, model) };
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

  private newLevel(level: number): Left {
    const { size } = this.statistics;
    // Models one short of the largest have children without any.
    const crossed = level === 0 || level < this.largest - 1;
    return {
      pivot: new Float64Array(size),
      score: new Float64Array(size),
      cross: new Float64Array(crossed ? size * size : 0),
      fit: 0,
      logDeterminant: 0,
    };
  }

  private begin(root: Left, ridge: number): void {
    const { order } = this;
    const { size, gram, cross } = this.statistics;
    order.forEach((a, i) => {
      root.pivot[i] = gram[a * size + a] + ridge;
      root.score[i] = cross[a];
      for (let j = i + 1; j < size; j++) root.cross[i * size + j] = gram[a * size + order[j]];
    });
    root.fit = 0;
    root.logDeterminant = 0;
  }
}

/** What is left once the variable at place i has joined; of products with each other only where they are asked for. */
function take(to: Left, from: Left, i: number, ridge: number, crossed: boolean): void {
  const { pivot, score, cross } = from;
  const { pivot: toPivot, score: toScore, cross: toCross } = to;
  const size = pivot.length;
  // Members that depend on each other leave rounding where the ridge should be.
  const own = Math.max(pivot[i], 0.5 * ridge, Number.MIN_VALUE);
  const row = size * i;
  const scored = score[i];
  to.fit = from.fit + (scored * scored) / own;
  to.logDeterminant = from.logDeterminant + Math.log(own);
  for (let a = i + 1; a < size; a++) {
    const share = cross[row + a] / own;
    toPivot[a] = pivot[a] - share * cross[row + a];
    toScore[a] = score[a] - share * scored;
    if (!crossed) continue;
    for (let b = a + 1, at = size * a; b < size; b++)
      toCross[at + b] = cross[at + b] - share * cross[row + b];
  }
}
