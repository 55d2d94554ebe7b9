/** Which models some candidates cover together, and what each other candidate would add, by kernels. */

import { chainBuffer, chainKernels, Region } from "../../kernels/chain-memory.js";
import { laidOut } from "../../kernels/laid-out.js";
import { type PackedModels, weightsOfMembers } from "./packed-models.js";

const region = new Region();

/** There is one at a time: another one takes its place in the kernels' memory. */
export class CoveredModels {
  /** Of every candidate: the share of the models that hold it. */
  readonly share: Float64Array;
  private readonly count: number;
  /** Where the models begin that hold each candidate, and at last where they end. */
  private readonly ends: Int32Array;
  private readonly at: readonly number[];

  constructor(models: PackedModels, candidates: number) {
    const { count, start, members, probability, total } = models;
    this.count = count;
    const shares = probability.map((value) => value / total);
    this.share = weightsOfMembers(models, shares, candidates);
    const { length } = members;
    const wide = [candidates, count];
    const narrow = [count + 1, length, length, candidates, count];
    const place = region.hold(laidOut(0, wide, narrow).end);
    this.at = laidOut(place, wide, narrow).at;
    const [, weights, starts, all, holders, next] = this.at;
    const buffer = chainBuffer();
    new Float64Array(buffer, weights).set(shares);
    new Int32Array(buffer, starts).set(start);
    new Int32Array(buffer, all).set(members);
    this.ends = endsOf(members, candidates);
    new Int32Array(buffer, next).set(this.ends.subarray(0, candidates));
    chainKernels().indexMembers(holders, next, starts, all, count);
    this.forget();
  }

  /** Of every candidate: the share of the models that hold it and that nobody covers. */
  get gain(): Float64Array {
    return new Float64Array(chainBuffer(), this.at[0], this.share.length);
  }

  /** The share of the models that nobody covers. */
  get missed(): number {
    const [, weights, , , , , covered] = this.at;
    return chainKernels().uncovered(covered, weights, this.count);
  }

  /** Nobody covers any. */
  forget(): void {
    this.gain.set(this.share);
    new Uint8Array(chainBuffer(), this.at[6], this.count).fill(0);
  }

  /** Covers the models that hold a candidate; gains that nobody will ask for need not be kept up. */
  cover(candidate: number, keepsUp: boolean): void {
    const [gain, weights, starts, members, holders, , covered] = this.at;
    const [from, end] = [this.ends[candidate], this.ends[candidate + 1]];
    const given = [covered, holders + 4 * from, end - from, starts, members, weights];
    chainKernels().coverModels(keepsUp ? gain : 0, ...given);
  }
}

function endsOf(members: Int32Array, candidates: number): Int32Array {
  const ends = new Int32Array(candidates + 1);
  for (let at = 0; at < members.length; at++) ends[members[at] + 1] += 1;
  for (let j = 0; j < candidates; j++) ends[j + 1] += ends[j];
  return ends;
}
