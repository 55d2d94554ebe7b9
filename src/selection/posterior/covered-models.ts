/** Which models some candidates cover together, and what each other candidate would add, by kernels. */

import { chainBuffer, chainKernels, Region } from "../../kernels/chain-memory.js";
import { type HeldArrays, heldArrays } from "../../kernels/held-arrays.js";
import { type PackedModels, weightsOfMembers } from "./packed-models.js";

const region = new Region();

/** There is one at a time: another one takes its place in the kernels' memory. */
export class CoveredModels {
  /** Of every candidate: the share of the models that hold it. */
  readonly share: Float64Array;
  private readonly count: number;
  /** Where the models begin that hold each candidate, and at last where they end. */
  private readonly ends: Int32Array;
  private readonly at: HeldArrays<
    "gain" | "weights",
    "start" | "members" | "holders" | "next" | "covered"
  >["at"];

  constructor(models: PackedModels, candidates: number) {
    const { count, start, members, probability, total } = models;
    this.count = count;
    const shares = probability.map((value) => value / total);
    this.share = weightsOfMembers(models, shares, candidates);
    this.ends = endsOf(members, candidates);
    const { length } = members;
    const { at, values } = heldArrays(
      region,
      { gain: candidates, weights: count },
      { start: count + 1, members: length, holders: length, next: candidates, covered: count },
    );
    values.weights.set(shares);
    values.start.set(start);
    values.members.set(members);
    values.next.set(this.ends.subarray(0, candidates));
    chainKernels().indexMembers(at.holders, at.next, at.start, at.members, count);
    this.at = at;
    this.forget();
  }

  /** Of every candidate: the share of the models that hold it and that nobody covers. */
  get gain(): Float64Array {
    return new Float64Array(chainBuffer(), this.at.gain, this.share.length);
  }

  /** The share of the models that nobody covers. */
  get missed(): number {
    return chainKernels().uncovered(this.at.covered, this.at.weights, this.count);
  }

  /** Nobody covers any. */
  forget(): void {
    this.gain.set(this.share);
    new Uint8Array(chainBuffer(), this.at.covered, this.count).fill(0);
  }

  /** Covers the models that hold a candidate; gains that nobody will ask for need not be kept up. */
  cover(candidate: number, keepsUp: boolean): void {
    const { gain, weights, start, members, holders, covered } = this.at;
    const [from, end] = [this.ends[candidate], this.ends[candidate + 1]];
    const own = holders + 4 * from;
    chainKernels().coverModels(keepsUp ? gain : 0, covered, own, end - from, start, members, weights);
  }
}

function endsOf(members: Int32Array, candidates: number): Int32Array {
  const ends = new Int32Array(candidates + 1);
  for (let at = 0; at < members.length; at++) ends[members[at] + 1] += 1;
  for (let j = 0; j < candidates; j++) ends[j + 1] += ends[j];
  return ends;
}
