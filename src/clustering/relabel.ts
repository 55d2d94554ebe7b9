/**
 * Clusters have no names, so a chain may exchange them, and chains surely differ. Each draw is relabelled to the order
 * that brings its blocks closest to a pivot, by an optimal assignment; the pivot starts as the last draw and is then
 * the average of the relabelled draws (Marin, Mengersen and Robert 2005, with the average of Stephens 2000). Finally
 * the clusters are ordered from the heaviest to the lightest.
 */

import { assignment } from "../math/assignment.js";
import type { Hmm } from "../models/hmm.js";
import type { Mixture } from "../models/mixture.js";
import { logSimplex } from "../models/simplex.js";

/** What relabelling must know of a model whose θ holds interchangeable blocks. */
export interface Exchangeable {
  readonly count: number;
  readonly length: number;
  block(k: number): number;
  /** The same θ with block order[i] in place i. */
  reordered(theta: Float64Array, order: readonly number[]): Float64Array;
  /** The share of rows in each. */
  shares(theta: Float64Array): Float64Array;
}

export function relabelled(model: Exchangeable, draws: readonly Float64Array[]): Float64Array[] {
  if (draws.length === 0) return [];
  let pivot = draws[draws.length - 1];
  let result: Float64Array[] = [];
  for (let round = 0; round < 3; round++) {
    result = draws.map((draw) => model.reordered(draw, assignment(costs(model, pivot, draw))));
    pivot = average(result);
  }
  const shares = model.shares(pivot);
  const heaviestFirst = Array.from(shares.keys()).sort((a, b) => shares[b] - shares[a]);
  return result.map((draw) => model.reordered(draw, heaviestFirst));
}

export function exchangeableClusters(model: Mixture): Exchangeable {
  const { components: count, block } = model;
  const length = model.emission.names.length;
  const logs = new Float64Array(count);
  return {
    count,
    length,
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
  };
}

export function exchangeableStates(model: Hmm): Exchangeable {
  const { states: count, block } = model;
  const length = model.emission.names.length;
  const transitions = new Float64Array(count * count);
  return {
    count,
    length,
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
      return out;
    },
    /** The stationary law of the chain, by powers of its matrix. */
    shares(theta) {
      model.transitions(transitions, theta);
      let law = new Float64Array(count).fill(1 / count);
      for (let round = 0; round < 1000; round++) {
        law = law.map((_, k) => law.reduce((sum, p, l) => sum + p * transitions[l * count + k], 0));
      }
      return law;
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

function costs(model: Exchangeable, pivot: Float64Array, draw: Float64Array): number[][] {
  const every = Array.from({ length: model.count }, (_, c) => c);
  return every.map((a) =>
    every.map((b) => {
      let sum = 0;
      for (let j = 0; j < model.length; j++)
        sum += (pivot[model.block(a) + j] - draw[model.block(b) + j]) ** 2;
      return sum;
    }),
  );
}

function average(draws: readonly Float64Array[]): Float64Array {
  const mean = new Float64Array(draws[0].length);
  for (const draw of draws) for (let j = 0; j < mean.length; j++) mean[j] += draw[j] / draws.length;
  return mean;
}
