/**
 * What a member may stand for. A total that was measured with an error explains nearly as much as all of its parts
 * together, and beside it none of them shows, neither alone nor with one or two others. So, of every member, the columns
 * that are far more like it than most are taken together, as long as they may say most of what it says: the two that are
 * most like it, the three, and so on.
 */

import { normalQuantile } from "../../math/distributions.js";

/** Of normal numbers, without their signs: the median, and the median distance from it. */
const USUAL = { middle: 0.6745, away: 0.3995 };
/** They are taken of so many columns. */
const SAMPLE = 4000;
/** A member may stand for so many. */
const MOST_PARTS = 64;
/** Larger sets grow by an eighth at a time: a column too many costs less than parts explain together. */
const GROWTH = 1.125;

/** Squared correlations of those that a member stands for add up to this much at least. */
const LEAST_SHARE = 0.3;

/** `likeness` of all columns to the member, up to a factor; those that are not `free` are nobody's part. */
export function partsOf(
  likeness: ArrayLike<number>,
  member: number,
  isFree: (column: number) => boolean,
): number[][] {
  const near = mostAlike(likeness, isFree, farFromMost(likeness, isFree));
  const shares = near.map((j) => (likeness[j] / likeness[member]) ** 2);
  const sets: number[][] = [];
  for (let size = 2; size <= near.length; size = nextSize(size, near.length)) {
    const share = shares.slice(0, size).reduce((sum, value) => sum + value, 0);
    if (share > LEAST_SHARE) sets.push(near.slice(0, size).sort((a, b) => a - b));
  }
  return sets;
}

/** All columns that are far more like the member than most are one of the sets. */
function nextSize(size: number, most: number): number {
  return size === most ? most + 1 : Math.min(most, Math.max(size + 1, Math.round(GROWTH * size)));
}

/**
 * Where one column would be by chance: in data where all columns have something in common, all are much like the member,
 * and what counts is by how much more than the others.
 */
function farFromMost(likeness: ArrayLike<number>, isFree: (column: number) => boolean): number {
  const stride = Math.ceil(likeness.length / SAMPLE);
  const some: number[] = [];
  for (let j = 0; j < likeness.length; j += stride) if (isFree(j)) some.push(Math.abs(likeness[j]));
  const middle = median(some);
  const away = median(some.map((value) => Math.abs(value - middle)));
  const most = normalQuantile(1 - 0.5 / Math.max(2, likeness.length));
  return middle + (away * (most - USUAL.middle)) / USUAL.away;
}

const median = (values: readonly number[]): number =>
  Float64Array.from(values).sort()[values.length >> 1] ?? 0;

/** The columns beyond `least`, the one that is most like the member first. */
function mostAlike(
  likeness: ArrayLike<number>,
  isFree: (column: number) => boolean,
  least: number,
): number[] {
  const found: number[] = [];
  let limit = least;
  for (let j = 0; j < likeness.length; j++) {
    const own = Math.abs(likeness[j]);
    if (!(own > limit) || !isFree(j)) continue;
    let at = found.length;
    while (at > 0 && Math.abs(likeness[found[at - 1]]) < own) at--;
    found.splice(at, 0, j);
    if (found.length > MOST_PARTS) found.pop();
    if (found.length === MOST_PARTS) limit = Math.max(limit, Math.abs(likeness[found[MOST_PARTS - 1]]));
  }
  return found;
}
