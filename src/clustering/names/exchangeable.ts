/** Models whose θ holds blocks that could as well come in any other order, and which rows each block of a θ claims. */

import type { Mixture } from "../../models/mixture.js";
import { logSimplex } from "../../models/simplex.js";
import type { Rows } from "../../types.js";
import { sharedOut } from "../shares.js";

export interface Exchangeable {
  readonly count: number;
  /** Where block k begins in θ. */
  block(k: number): number;
  /** The same θ with block order[i] in place i. */
  reordered(theta: Float64Array, order: readonly number[]): Float64Array;
  /** The share of rows in each; of very many steps, of some of them. */
  shares(theta: Float64Array): Float64Array;
  /** The share of all rows in each, less that; undefined where that is of all rows. */
  readonly beyond?: ((theta: Float64Array) => Float64Array) | undefined;
  /** The probability of each block for every witness, one after the other. */
  claims(theta: Float64Array): Float64Array;
  /** Rows in all. */
  readonly rows: number;
  /** Which of them are witnesses, in their order; undefined for all. Plain data: it crosses threads. */
  readonly witnesses: Uint32Array | undefined;
  /** The same model with other witnesses. */
  at(witnesses: Uint32Array | undefined): Exchangeable;
}

/**
 * The share of all rows in each block, of draws that have the same names. Where a draw is asked about some of the rows
 * only, the others are asked at the average of the draws: what is left out is how their shares bend about it.
 */
export function sharesOf(
  { count, shares, beyond }: Exchangeable,
  draws: readonly Float64Array[],
): Float64Array[] {
  const own = draws.map((draw) => shares(draw));
  if (!beyond || draws.length === 0) return own;
  const mean = new Float64Array(draws[0].length);
  for (const draw of draws) for (let j = 0; j < mean.length; j++) mean[j] += draw[j] / draws.length;
  const rest = beyond(mean);
  return own.map((share) => {
    const all = share.map((s, k) => Math.max(0, s + rest[k]));
    const total = all.reduce((sum, s) => sum + s, 0);
    for (let k = 0; k < count; k++) all[k] /= total;
    return all;
  });
}

/** The same model, which remembers claims and shares for as long as their draws are kept. */
export function withMemory(
  model: Exchangeable,
  shares = new WeakMap<Float64Array, Float64Array>(),
): Exchangeable {
  return {
    ...model,
    claims: remembering(new WeakMap(), model.claims),
    shares: remembering(shares, model.shares),
    reordered(theta, order) {
      const out = model.reordered(theta, order);
      const known = shares.get(theta);
      if (known)
        shares.set(
          out,
          Float64Array.from(order, (k) => known[k]),
        );
      return out;
    },
    at: (witnesses) => withMemory(model.at(witnesses), shares),
  };
}

function remembering(
  known: WeakMap<Float64Array, Float64Array>,
  find: (theta: Float64Array) => Float64Array,
): (theta: Float64Array) => Float64Array {
  return (theta) => {
    const found = known.get(theta) ?? find(theta);
    known.set(theta, found);
    return found;
  };
}

/** All rows are witnesses unless told. */
export function exchangeableClusters(model: Mixture, rows: Rows, witnesses?: Uint32Array): Exchangeable {
  const { components: count, block } = model;
  const length = model.emission.names.length;
  const logs = new Float64Array(count);
  const seen = witnesses ? rowsAt(rows, witnesses) : rows;
  return {
    count,
    block,
    rows: rows.rows,
    witnesses,
    at: (others) => exchangeableClusters(model, rows, others),
    reordered(theta, order) {
      logSimplex(logs, theta, 0);
      const out = new Float64Array(theta.length);
      for (let i = 0; i < count - 1; i++) out[i] = logs[order[i]] - logs[order[count - 1]];
      copyBlocks(out, theta, order, block, length);
      return out;
    },
    shares(theta) {
      logSimplex(logs, theta, 0);
      return logs.map(Math.exp);
    },
    claims(theta) {
      const terms = new Float64Array(seen.rows * count);
      model.logTerms(terms, theta, seen);
      sharedOut(terms, seen.rows, count, "shares");
      return terms;
    },
  };
}

function rowsAt({ columns, values }: Rows, places: Uint32Array): Rows {
  const out = new Float64Array(places.length * columns);
  places.forEach((row, i) => void out.set(values.subarray(row * columns, (row + 1) * columns), i * columns));
  return { rows: places.length, columns, weight: 1, values: out };
}

export function copyBlocks(
  out: Float64Array,
  theta: Float64Array,
  order: readonly number[],
  block: (k: number) => number,
  length: number,
): void {
  order.forEach((from, to) => void out.set(theta.subarray(block(from), block(from) + length), block(to)));
}
