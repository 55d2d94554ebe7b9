/** The plain form of kernels/model-members.ts. */

/** The members of many models one behind the other. */
interface Members {
  /** Where those of each begin, and at last where they end. */
  readonly start: Int32Array;
  readonly members: Int32Array;
}

/** Of every candidate, added to `out`: the weights of the models that hold it. */
export function addByMember(out: Float64Array, { start, members }: Members, weights: Float64Array): void {
  weights.forEach((weight, m) => {
    for (let at = start[m]; at < start[m + 1]; at++) out[members[at]] += weight;
  });
}

/** The models that hold a candidate. */
export function holdersOf({ start, members }: Members, candidate: number): number[] {
  const models = Array.from({ length: start.length - 1 }, (_, m) => m);
  return models.filter((m) => members.subarray(start[m], start[m + 1]).includes(candidate));
}

/** Covers these models; where there are gains, the members of those that nobody has covered before lose their weights. */
export function coverModels(
  covered: Uint8Array,
  holders: readonly number[],
  { start, members }: Members,
  weights: Float64Array,
  gain?: Float64Array,
): void {
  for (const m of holders) {
    if (covered[m]) continue;
    covered[m] = 1;
    if (gain) for (let at = start[m]; at < start[m + 1]; at++) gain[members[at]] -= weights[m];
  }
}

/** The weights of models that nobody covers. */
export const uncovered = (covered: Uint8Array, weights: Float64Array): number =>
  weights.reduce((sum, weight, m) => (covered[m] ? sum : sum + weight), 0);
