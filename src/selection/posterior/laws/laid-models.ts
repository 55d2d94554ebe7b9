/** Models and the sums of products that they share where kernels find them, so many models at a time. */

import { chainBuffer, chainKernels, Region } from "../../../kernels/chain-memory.js";
import { laidOut } from "../../../kernels/laid-out.js";
import type { SufficientStatistics } from "../evidence.js";
import type { Slab } from "../slab.js";

/** Everything that the models share. */
export interface ModelsOf {
  readonly statistics: SufficientStatistics;
  readonly slab: Slab;
  readonly noiseVariance: number | undefined;
}

/** Some of the models, from one on, and where all that a kernel needs of them lies. */
export interface LaidModels {
  readonly from: number;
  readonly count: number;
  /** Room for what the kernel finds, and what it works in. */
  readonly out: number;
  readonly room: number;
  readonly sums: number;
  readonly cross: number;
  /** How far candidates are from the centre. */
  readonly away: number;
  readonly members: number;
  readonly sizes: number;
  /** Of their scales among those of the slab. */
  readonly places: number;
}

export interface Asked {
  readonly members: readonly number[];
  /** Of its scale among those of the slab; negative for the most probable one. */
  readonly place: number;
}

/** Models that a kernel works on at a time. */
const AT_ONCE = 1024;
const region = new Region();

/** Lays models out for `work`, some after the others; `numbers` is how much room a model of so many members asks for. */
export function eachLaid(
  of: ModelsOf & { readonly away?: readonly number[] | undefined },
  models: readonly Asked[],
  numbers: (members: number) => number,
  work: (laid: LaidModels) => void,
): void {
  for (let from = 0; from < models.length; from += AT_ONCE) {
    work(laid(of, models, from, Math.min(AT_ONCE, models.length - from), numbers));
  }
}

function laid(
  { statistics, slab, noiseVariance, away }: Parameters<typeof eachLaid>[0],
  models: readonly Asked[],
  from: number,
  count: number,
  numbers: (members: number) => number,
): LaidModels {
  const { size, gram, cross, targetSquares, freedom } = statistics;
  const { scales, logPrior } = slab;
  let [all, most, found] = [0, 0, 0];
  for (let m = from; m < from + count; m++) {
    const k = models[m].members.length;
    all += k;
    found += numbers(k);
    if (k > most) most = k;
  }
  const room = 2 * most * (most + 2) + most;
  const wide = [found, gram.length, size, size, scales.length, scales.length, room];
  const narrow = [all, count, count];
  const start = region.hold(laidOut(0, wide, narrow).end);
  const places = laidOut(start, wide, narrow).at;
  const buffer = chainBuffer();
  const put = (at: number, values: ArrayLike<number>) => new Float64Array(buffer, at).set(values);
  put(places[1], gram);
  put(places[2], cross);
  put(places[3], away ?? new Float64Array(size));
  put(places[4], scales);
  put(places[5], logPrior);
  const members = new Int32Array(buffer, places[7], all);
  const sizes = new Int32Array(buffer, places[8], count);
  const scaleOf = new Int32Array(buffer, places[9], count);
  for (let m = 0, at = 0; m < count; m++) {
    const model = models[from + m];
    sizes[m] = model.members.length;
    scaleOf[m] = model.place;
    for (let i = 0; i < sizes[m]; i++) members[at++] = model.members[i];
  }
  const zellner = Number(slab.kind === "zellner");
  chainKernels().ofProblem(places[4], places[5], zellner, noiseVariance ?? -1, targetSquares, freedom);
  return {
    from,
    count,
    out: places[0],
    room: places[6],
    sums: places[1],
    cross: places[2],
    away: places[3],
    members: places[7],
    sizes: places[8],
    places: places[9],
  };
}
