/**
 * Clusters have no names, so a chain may exchange them, and chains surely differ. Each draw is relabelled to the order
 * that brings its blocks closest to a pivot, by an optimal assignment; the pivot starts as the last draw and is then
 * the average of the relabelled draws (Marin, Mengersen and Robert 2005, with the average of Stephens 2000). Finally
 * the clusters are ordered from the heaviest to the lightest.
 */

import { assignment } from "../math/assignment.js";
import type { Mixture } from "../models/mixture.js";
import { logSimplex } from "../models/simplex.js";

export function relabelled(model: Mixture, draws: readonly Float64Array[]): Float64Array[] {
  if (draws.length === 0) return [];
  const { components: k } = model;
  let pivot = draws[draws.length - 1];
  let result: Float64Array[] = [];
  for (let round = 0; round < 3; round++) {
    result = draws.map((draw) => reordered(model, draw, assignment(costs(model, pivot, draw))));
    pivot = average(result);
  }
  const logs = new Float64Array(k);
  logSimplex(logs, 0, pivot, 0, k);
  const heaviestFirst = Array.from(logs.keys()).sort((a, b) => logs[b] - logs[a]);
  return result.map((draw) => reordered(model, draw, heaviestFirst));
}

/** The same mixture with component order[i] in place i. */
export function reordered(model: Mixture, theta: Float64Array, order: readonly number[]): Float64Array {
  const { components: k } = model;
  const length = model.emission.names.length;
  const logs = new Float64Array(k);
  logSimplex(logs, 0, theta, 0, k);
  const out = new Float64Array(theta.length);
  for (let i = 0; i < k - 1; i++) out[i] = logs[order[i]] - logs[order[k - 1]];
  order.forEach((from, to) => {
    out.set(theta.subarray(model.block(from), model.block(from) + length), model.block(to));
  });
  return out;
}

function costs(model: Mixture, pivot: Float64Array, draw: Float64Array): number[][] {
  const every = Array.from({ length: model.components }, (_, c) => c);
  const length = model.emission.names.length;
  return every.map((a) =>
    every.map((b) => {
      let sum = 0;
      for (let j = 0; j < length; j++) sum += (pivot[model.block(a) + j] - draw[model.block(b) + j]) ** 2;
      return sum;
    }),
  );
}

function average(draws: readonly Float64Array[]): Float64Array {
  const mean = new Float64Array(draws[0].length);
  for (const draw of draws) for (let j = 0; j < mean.length; j++) mean[j] += draw[j] / draws.length;
  return mean;
}
