/** Models and the sums of products that they share where kernels find them, so many models at a time. */

import { chainKernels, Region } from "../../../kernels/chain-memory.js";
import { type HeldArrays, heldArrays } from "../../../kernels/held-arrays.js";
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
  readonly at: HeldArrays<Wide, Narrow>["at"];
  /** What the kernel finds. */
  readonly out: Float64Array;
}

/** Room for what the kernel finds, what it is told of the problem, and what it works in. */
type Wide = "out" | "sums" | "cross" | "away" | "scales" | "priors" | "gains" | "room";
type Narrow = "members" | "sizes" | "places";

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
  const { at, values } = heldArrays<Wide, Narrow>(
    region,
    {
      out: each * count + ofMember * all,
      sums: gram.length,
      cross: size,
      away: size,
      scales: scales.length,
      priors: scales.length,
      gains: scales.length,
      room: 2 * most * (most + 2) + most,
    },
    { members: all, sizes: count, places: count },
  );
  values.sums.set(gram);
  values.cross.set(cross);
  values.away.set(away ?? new Float64Array(size));
  values.scales.set(scales);
  values.priors.set(logPrior);
  values.gains.set(perMember);
  if (places) values.places.set(places.subarray(from, from + count));
  for (let m = 0, next = 0; m < count; m++) {
    const own = models[from + m];
    values.sizes[m] = own.length;
    for (let i = 0; i < own.length; i++) values.members[next++] = own[i];
  }
  const zellner = Number(slab.kind === "zellner");
  const noise = noiseVariance ?? -1;
  chainKernels().ofProblem(at.scales, at.priors, at.gains, zellner, noise, targetSquares, freedom);
  return { from, count, at, out: values.out };
}
