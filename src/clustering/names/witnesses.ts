/**
 * The rows by which blocks get their names: some at random, or the first steps, and of every block that has few of these
 * more of its own. A cluster of 10 rows in 5,000 has none of a hundred, nor has a state that comes late any of the first
 * steps: two of them that claim no witness could be exchanged from draw to draw, and no diagnostic would show it.
 */

import type { Exchangeable } from "./exchangeable.js";

/** Steps in a row by which draws are compared. */
const FIRST_STEPS = 300;
/** Rows, which are in random order. */
const firstRows = (clusters: number): number => Math.max(100, 25 * clusters);

export const witnessesOf = {
  clusters: (count: number, rows: number): Uint32Array => upTo(Math.min(rows, firstRows(count))),
  states: (steps: number): Uint32Array => upTo(Math.min(steps, FIRST_STEPS)),
};

function upTo(count: number): Uint32Array {
  return Uint32Array.from({ length: count }, (_, i) => i);
}

/** Witnesses of its own that each block has at least, where it has as many rows. */
const OWN = 10;

/** The same model with more witnesses, where blocks of these θ have too few. */
export function witnessed(model: Exchangeable, some: readonly Float64Array[]): Exchangeable {
  const { count } = model;
  let enough = model;
  for (const theta of some) {
    if (!enough.witnesses) return enough;
    const lacking = sums(enough.claims(theta), count).flatMap((sum, k) => (sum < OWN ? k : []));
    if (lacking.length === 0) continue;
    const all = enough.at(undefined).claims(theta);
    const more = lacking.flatMap((k) => ownOf(all, count, k));
    const places = new Set([...enough.witnesses, ...more]);
    if (places.size > enough.witnesses.length) enough = enough.at(Uint32Array.from(places).sort());
  }
  return enough;
}

function sums(claims: Float64Array, count: number): number[] {
  const out = new Array<number>(count).fill(0);
  for (let at = 0; at < claims.length; at++) out[at % count] += claims[at];
  return out;
}

/** Rows of block k, each as likely as it is claimed, evenly from the first to the last. */
function ownOf(claims: Float64Array, count: number, k: number): number[] {
  let total = 0;
  for (let at = k; at < claims.length; at += count) total += claims[at];
  if (!(total > 0)) return [];
  const every = total / OWN;
  const out: number[] = [];
  let next = every / 2;
  let sum = 0;
  for (let at = k, row = 0; at < claims.length; at += count, row++) {
    sum += claims[at];
    if (sum < next) continue;
    out.push(row);
    while (next <= sum) next += every;
  }
  return out;
}
