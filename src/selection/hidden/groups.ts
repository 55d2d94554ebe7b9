/** From a scan over pairs to the pairs and triples that deserve to be weighed exactly. */

import { cholesky, forwardSolve, logDeterminant } from "../../math/linear.js";
import { NEIGHBOURS, type PairScan, SYNERGY, sketchedCorrelation } from "./pair-scan.js";

/** Columns as the scan sees them: sorted, sketched, with their scores. */
export interface Sketched {
  readonly sketches: Float32Array;
  readonly length: number;
  readonly count: number;
  /** Scores over the noise's standard deviation, all positive. */
  readonly strength: Float64Array;
}

export interface Group {
  /** Positions in `Sketched`, in rising order. */
  readonly members: readonly number[];
  /** χ² less the log determinant, by the sketches. */
  readonly worth: number;
}

/** So many pairs and so many triples are handed on. */
const PAIRS = 40;
const TRIPLES = 20;

/** A column and its neighbours, with their correlations. */
export interface Around {
  /** The column itself comes first. */
  readonly members: readonly number[];
  readonly gram: Float64Array;
}

/** Of every column, worked out when somebody asks, and once. */
export function neighbourhoods(sketched: Sketched, { neighbours }: PairScan): (j: number) => Around {
  const known: (Around | undefined)[] = new Array(sketched.count);
  return (j) => {
    known[j] ??= around(sketched, j, neighbours.subarray(j * NEIGHBOURS, (j + 1) * NEIGHBOURS));
    return known[j];
  };
}

function around(sketched: Sketched, j: number, near: Int32Array): Around {
  const members = [j];
  for (let at = 0; at < NEIGHBOURS && near[at] >= 0; at++) members.push(near[at]);
  return { members, gram: members.length === 1 ? ALONE : gramOf(sketched, members) };
}

/** `leastOf` the χ² from which on a pair or a triple is of interest. */
export function promisingGroups(
  sketched: Sketched,
  scan: PairScan,
  aroundOf: (j: number) => Around,
  leastOf: { readonly pair: number; readonly triple: number },
): Group[] {
  const pairs = Array.from(scan.worth, (worth, i) => ({
    members: [scan.pairs[2 * i], scan.pairs[2 * i + 1]].sort((a, b) => a - b),
    worth,
  })).filter(({ worth }) => worth >= leastOf.pair);
  return [...first(distinct(pairs), PAIRS), ...first(triples(sketched, aroundOf, leastOf.triple), TRIPLES)];
}

function distinct(groups: readonly Group[]): Group[] {
  return [...new Map(groups.map((group) => [group.members.join(), group])).values()];
}

function first(groups: readonly Group[], count: number): Group[] {
  return [...groups].sort((a, b) => b.worth - a.worth).slice(0, count);
}

/** A column with two of its neighbours, where the three say what no two of them do. */
function triples(sketched: Sketched, aroundOf: (j: number) => Around, least: number): Group[] {
  const found = new Map<string, Group>();
  for (let j = 0; j < sketched.count; j++) {
    const { members: all, gram } = aroundOf(j);
    if (all.length < 3) continue;
    const strength = all.map((i) => sketched.strength[i]);
    const squareOf = (a: number, b: number) =>
      squareOfTwo(gram[a * all.length + b], strength[a], strength[b]);
    // Neither the square nor the determinant's part of any three exceeds that of all.
    if (explainedBy(gram, strength).worth < least) continue;
    const three = new Float64Array(9);
    const own = [strength[0], 0, 0];
    for (let a = 1; a < all.length; a++) {
      for (let b = a + 1; b < all.length; b++) {
        correlationsOf(three, gram, all.length, [0, a, b]);
        own[1] = strength[a];
        own[2] = strength[b];
        const { square, worth } = explainedBy(three, own);
        if (worth < least) continue;
        if (square - Math.max(squareOf(0, a), squareOf(0, b), squareOf(a, b)) < SYNERGY) continue;
        const members = [j, all[a], all[b]].sort((x, y) => x - y);
        found.set(members.join(), { members, worth });
      }
    }
  }
  return [...found.values()];
}

/** Those of some of the columns. */
function correlationsOf(out: Float64Array, gram: Float64Array, size: number, some: readonly number[]): void {
  for (let i = 0, at = 0; i < some.length; i++) {
    for (let k = 0; k < some.length; k++, at++) out[at] = gram[some[i] * size + some[k]];
  }
}

/** Keeps twins apart. */
const RIDGE = 1e-6;
const ALONE = Float64Array.of(1 + RIDGE);

/** Correlations of a few sketches, row-major. */
function gramOf(sketched: Sketched, members: readonly number[]): Float64Array {
  const size = members.length;
  const gram = new Float64Array(size * size);
  for (let i = 0; i < size; i++) {
    gram[i * size + i] = 1 + RIDGE;
    for (let k = 0; k < i; k++) {
      gram[i * size + k] = gram[k * size + i] = sketchedCorrelation(sketched, members[i], members[k]);
    }
  }
  return gram;
}

/** What columns of these correlations explain together: z'R⁻¹z, and less log |R|. */
function explainedBy(gram: Float64Array, strength: readonly number[]): { square: number; worth: number } {
  const size = strength.length;
  const factor = gram.slice();
  if (!cholesky(factor, size)) return { square: 0, worth: 0 };
  const z = Float64Array.from(strength);
  forwardSolve(factor, size, z);
  let square = 0;
  for (let i = 0; i < size; i++) square += z[i] * z[i];
  return { square, worth: square - logDeterminant(factor, size) };
}

/** z'R⁻¹z of two. */
function squareOfTwo(correlation: number, a: number, b: number): number {
  const own = 1 + RIDGE;
  return (own * (a * a + b * b) - 2 * correlation * a * b) / (own * own - correlation * correlation);
}
