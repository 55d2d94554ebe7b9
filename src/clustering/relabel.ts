/**
 * Clusters have no names, so a chain may exchange them, and chains surely differ. Each draw is relabelled to the order
 * in which its blocks claim the same rows as those of a pivot, by an optimal assignment on the Kullback–Leibler
 * divergence of their claims; the pivot starts as a mode and is then the average of the relabelled ones
 * (Stephens 2000), on a few of the rows, the witnesses. Finally the clusters are ordered from the heaviest on.
 */

import { states } from "../latent/states.js";
import { assignment } from "../math/assignment.js";
import { Rng } from "../math/rng.js";
import type { Hmm } from "../models/hmm.js";
import type { Mixture } from "../models/mixture.js";
import { logSimplex } from "../models/simplex.js";
import type { Rows, Stretch } from "../types.js";
import { sharedOut } from "./shares.js";
import { smooth } from "./smoothing.js";
import { stationaryLaw } from "./stationary-law.js";

/** Steps in a row by which draws are compared. */
export const WITNESSES = 300;
/** Rows, which are in random order. */
export const witnessesOf = (clusters: number): number => Math.max(100, 25 * clusters);

/** What relabelling must know of a model whose θ holds interchangeable blocks. */
export interface Exchangeable {
  readonly count: number;
  block(k: number): number;
  /** The same θ with block order[i] in place i. */
  reordered(theta: Float64Array, order: readonly number[]): Float64Array;
  /** The share of rows in each. */
  shares(theta: Float64Array): Float64Array;
  /** The probability of each block for every witness, one after the other. */
  claims(theta: Float64Array): Float64Array;
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
  const claims = draws.map((draw) => model.claims(draw));
  let pivot = model.claims(first);
  let orders: number[][] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const logs = pivot.map((p) => Math.log(p + LEAST));
    const better = claims.map((claim) => assignment(costs(logs, claim, count)));
    const same = better.every((order, i) => order.every((b, a) => b === orders[i]?.[a]));
    orders = better;
    if (same) break;
    pivot = average(claims, orders, count);
  }
  const named = draws.map((draw, i) => model.reordered(draw, orders[i]));
  const shares = new Float64Array(count);
  for (const draw of named) {
    const one = model.shares(draw);
    for (let k = 0; k < count; k++) shares[k] += one[k];
  }
  const heaviestFirst = Array.from(shares.keys()).sort((a, b) => shares[b] - shares[a]);
  return named.map((draw) => model.reordered(draw, heaviestFirst));
}

/** The order in which the blocks of θ claim the witnesses as those of a pivot do; undefined where they do so already. */
export function namesBy(
  model: Pick<Exchangeable, "count" | "claims">,
  pivot: Float64Array,
): (theta: Float64Array) => number[] | undefined {
  const logs = pivot.map((p) => Math.log(p + LEAST));
  return (theta) => {
    const order = assignment(costs(logs, model.claims(theta), model.count));
    return order.every((b, a) => b === a) ? undefined : order;
  };
}

/** The same model, which remembers its claims for as long as their draws are kept. */
export function withMemory(model: Exchangeable): Exchangeable {
  const known = new WeakMap<Float64Array, Float64Array>();
  return {
    ...model,
    claims(theta) {
      const claims = known.get(theta) ?? model.claims(theta);
      known.set(theta, claims);
      return claims;
    },
  };
}

export function exchangeableClusters(model: Mixture, witnesses: Rows): Exchangeable {
  const { components: count, block } = model;
  const length = model.emission.names.length;
  const logs = new Float64Array(count);
  return {
    count,
    block,
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
      const terms = new Float64Array(witnesses.rows * count);
      model.logTerms(terms, theta, witnesses);
      sharedOut(terms, witnesses.rows, count, "shares");
      return terms;
    },
  };
}

export function exchangeableStates(model: Hmm, witnesses: Stretch): Exchangeable {
  const { states: count, block, initialAt } = model;
  const length = model.emission.names.length;
  const first = new Float64Array(count);
  const kernel = states(model);
  // The filter draws nothing.
  const z = kernel.init(Rng.seeded(0), new Float64Array(0));
  const transitions = new Float64Array(count * count);
  return {
    count,
    block,
    reordered(theta, order) {
      model.transitions(transitions, theta);
      const out = new Float64Array(theta.length);
      const last = order[count - 1];
      order.forEach((from, i) => {
        for (let j = 0; j < count - 1; j++) {
          const odds = transitions[from * count + order[j]] / transitions[from * count + last];
          out[i * (count - 1) + j] = Math.log(odds);
        }
      });
      copyBlocks(out, theta, order, block, length);
      if (initialAt !== undefined) {
        model.initial(first, theta);
        for (let j = 0; j < count - 1; j++) out[initialAt + j] = Math.log(first[order[j]] / first[last]);
      }
      return out;
    },
    shares(theta) {
      model.transitions(transitions, theta);
      return stationaryLaw(transitions, count);
    },
    claims(theta) {
      const out = new Float64Array(witnesses.rows * count);
      kernel.enter(z, theta, witnesses);
      smooth(z, witnesses, (t, law) => out.set(law, t * count));
      return out;
    },
  };
}

function copyBlocks(
  out: Float64Array,
  theta: Float64Array,
  order: readonly number[],
  block: (k: number) => number,
  length: number,
): void {
  order.forEach((from, to) => void out.set(theta.subarray(block(from), block(from) + length), block(to)));
}

/** A claim below this counts as this. */
const LEAST = 1e-6;

/** −Σ_i p_i(b)·log q_i(a): how badly block b of a draw suits the name a of the pivot q. */
function costs(logs: Float64Array, claim: Float64Array, count: number): number[][] {
  const out = Array.from({ length: count }, () => new Array<number>(count).fill(0));
  for (let at = 0; at < claim.length; at += count) {
    for (let b = 0; b < count; b++) {
      const p = claim[at + b];
      if (p < LEAST) continue;
      for (let a = 0; a < count; a++) out[a][b] -= p * logs[at + a];
    }
  }
  return out;
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
