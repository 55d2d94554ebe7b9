/**
 * Clusters have no names, so a chain may exchange them, and chains surely differ. Each draw is relabelled to the order
 * in which its blocks claim the same rows as those of a pivot, by an optimal assignment on the Kullback–Leibler
 * divergence of their claims; the pivot starts as a mode and is then the average of the relabelled ones
 * (Stephens 2000), on a few of the rows, the witnesses. Finally the clusters are ordered from the heaviest on.
 *
 * Where claims do not tell, as those of blocks that hold nothing, all orders would be as good as each other, and draws
 * would come in any of them. There blocks have the names of those that they lie next to.
 */

import { assignment } from "../../math/assignment.js";
import { type Exchangeable, sharesOf } from "./exchangeable.js";

/** By what blocks have their names. Plain data: it crosses threads. */
export interface Pivot {
  /** Of each block to every witness, one witness after the other. */
  readonly claims: Float64Array;
  /** The numbers of each block, one block after the other. */
  readonly blocks: Float64Array;
}

type Named = Pick<Exchangeable, "count" | "block" | "claims">;

export function pivotOf(model: Named, theta: Float64Array): Pivot {
  return { claims: model.claims(theta), blocks: blocksOf(model, theta) };
}

const ROUNDS = 5;

/** `first` is a θ whose names are taken to begin with, such as a mode; the last draw unless told. */
export function relabelled(
  model: Exchangeable,
  draws: readonly Float64Array[],
  first = draws[draws.length - 1],
): Float64Array[] {
  if (draws.length === 0) return [];
  const { count } = model;
  const places = draws.map((draw) => pivotOf(model, draw));
  let pivot = pivotOf(model, first);
  let orders: number[][] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const order = orderBy(pivot, count);
    const better = places.map(order);
    const same = better.every((order, i) => order.every((b, a) => b === orders[i]?.[a]));
    orders = better;
    if (same) break;
    pivot = averagePivot(places, orders, count);
  }
  // Asked before they are renamed, so that a draw that is kept is asked once.
  for (const draw of draws) model.shares(draw);
  const named = draws.map((draw, i) => model.reordered(draw, orders[i]));
  const shares = new Float64Array(count);
  for (const one of sharesOf(model, named)) for (let k = 0; k < count; k++) shares[k] += one[k];
  const heaviestFirst = Array.from(shares.keys()).sort((a, b) => shares[b] - shares[a]);
  return named.map((draw) => model.reordered(draw, heaviestFirst));
}

/** The order in which the blocks of θ claim the witnesses as those of a pivot do; undefined where they do so already. */
export function namesBy(model: Named, pivot: Pivot): (theta: Float64Array) => number[] | undefined {
  const orderOf = orderBy(pivot, model.count);
  return (theta) => {
    const order = orderOf(pivotOf(model, theta));
    return order.every((b, a) => b === a) ? undefined : order;
  };
}

export function averagePivot(
  places: readonly Pivot[],
  orders: readonly (readonly number[])[],
  count: number,
): Pivot {
  return {
    claims: average(
      places.map(({ claims }) => claims),
      orders,
      count,
    ),
    blocks: averageBlocks(
      places.map(({ blocks }) => blocks),
      orders,
      count,
    ),
  };
}

/** The numbers of each block of θ, one block after the other. */
function blocksOf({ count, block }: Named, theta: Float64Array): Float64Array {
  return theta.slice(block(0), block(count));
}

/** A claim below this counts as this. */
const LEAST = 1e-6;
/** What a distance of blocks counts: nothing beside what claims say, and all where they say nothing. */
const BESIDE = 1e-3;

/** −Σ_i p_i(b)·log q_i(a) for witnesses i: how badly block b of a draw suits the name a of the pivot q. */
function orderBy(pivot: Pivot, count: number): (draw: Pivot) => number[] {
  const logs = pivot.claims.map((p) => Math.log(p + LEAST));
  const length = pivot.blocks.length / count;
  return ({ claims, blocks }) => {
    const costs = Array.from({ length: count }, () => new Array<number>(count).fill(0));
    for (let at = 0; at < claims.length; at += count) {
      for (let b = 0; b < count; b++) {
        const p = claims[at + b];
        if (p < LEAST) continue;
        for (let a = 0; a < count; a++) costs[a][b] -= p * logs[at + a];
      }
    }
    for (let a = 0; a < count; a++) {
      for (let b = 0; b < count; b++) costs[a][b] += BESIDE * distance(pivot.blocks, a, blocks, b, length);
    }
    return assignment(costs);
  };
}

/** Of block b from place a: it grows slowly, so that no number that is far out outweighs the rest. */
function distance(places: Float64Array, a: number, blocks: Float64Array, b: number, length: number): number {
  let square = 0;
  for (let j = 0; j < length; j++) square += (blocks[b * length + j] - places[a * length + j]) ** 2;
  return Math.log1p(square);
}

function average(
  claims: readonly Float64Array[],
  orders: readonly (readonly number[])[],
  count: number,
): Float64Array {
  const mean = new Float64Array(claims[0].length);
  const { length } = claims;
  claims.forEach((claim, i) => {
    const order = orders[i];
    for (let at = 0; at < mean.length; at += count) {
      for (let k = 0; k < count; k++) mean[at + k] += claim[at + order[k]] / length;
    }
  });
  return mean;
}

function averageBlocks(
  all: readonly Float64Array[],
  orders: readonly (readonly number[])[],
  count: number,
): Float64Array {
  const mean = new Float64Array(all[0].length);
  const length = mean.length / count;
  all.forEach((blocks, i) => {
    orders[i].forEach((from, to) => {
      for (let j = 0; j < length; j++) mean[to * length + j] += blocks[from * length + j] / all.length;
    });
  });
  return mean;
}
