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
  /** Numbers that the kernel finds. */
  readonly found: number;
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

/** Models that a kernel works on at a time. */
const AT_ONCE = 1024;
const region = new Region();

/** Models by their members, and what else a kernel is told of them. */
export interface ToLay {
  readonly models: readonly (readonly number[])[];
  /** Of their scales among those of the slab; negative for the most probable one. */
  readonly places?: Int32Array;
  /** How far candidates are from the centre. */
  readonly away?: readonly number[] | undefined;
  /** Numbers that the kernel finds for a model, and for each of its members. */
  readonly found: readonly [number, number];
}

/** Lays models out for `work`, some after the others. */
export function eachLaid(of: ModelsOf, asked: ToLay, work: (laid: LaidModels) => void): void {
  const { length } = asked.models;
  for (let from = 0; from < length; from += AT_ONCE) {
    work(laid(of, asked, from, Math.min(AT_ONCE, length - from)));
  }
}

function laid(
  { statistics, slab, noiseVariance }: ModelsOf,
  { models, places, away, found: [each, ofMember] }: ToLay,
  from: number,
  count: number,
): LaidModels {
  const { size, gram, cross, targetSquares, freedom } = statistics;
  const { scales, logPrior, perMember = new Float64Array(scales.length) } = slab;
  let [all, most] = [0, 0];
  for (let m = from; m < from + count; m++) {
    const k = models[m].length;
    all += k;
    if (k > most) most = k;
  }
  const found = each * count + ofMember * all;
  const room = 2 * most * (most + 2) + most;
  const wide = [found, gram.length, size, size, scales.length, scales.length, scales.length, room];
  const narrow = [all, count, count];
  const start = region.hold(laidOut(0, wide, narrow).end);
  const at = laidOut(start, wide, narrow).at;
  const buffer = chainBuffer();
  const put = (where: number, values: ArrayLike<number>) => new Float64Array(buffer, where).set(values);
  put(at[1], gram);
  put(at[2], cross);
  put(at[3], away ?? new Float64Array(size));
  put(at[4], scales);
  put(at[5], logPrior);
  put(at[6], perMember);
  const members = new Int32Array(buffer, at[8], all);
  const sizes = new Int32Array(buffer, at[9], count);
  if (places) new Int32Array(buffer, at[10], count).set(places.subarray(from, from + count));
  for (let m = 0, next = 0; m < count; m++) {
    const own = models[from + m];
    sizes[m] = own.length;
    for (let i = 0; i < own.length; i++) members[next++] = own[i];
  }
  const zellner = Number(slab.kind === "zellner");
  chainKernels().ofProblem(at[4], at[5], at[6], zellner, noiseVariance ?? -1, targetSquares, freedom);
  return {
    ...{ from, count, found },
    out: at[0],
    room: at[7],
    sums: at[1],
    cross: at[2],
    away: at[3],
    members: at[8],
    sizes: at[9],
    places: at[10],
  };
}
