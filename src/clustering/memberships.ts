/** What a sampled mixture says of rows, averaged over its draws. */

import type { Mixture } from "../models/mixture.js";
import type { Rows } from "../types.js";
import type { Sampled } from "./sampled.js";
import { sharedOut } from "./shares.js";

/** log of the average over draws of p(row | θ), averaged over rows; `logScale` turns it into the data's units. */
export function predictiveScore(
  model: Mixture,
  { chains, weights }: Sampled<Float64Array>,
  batch: Rows,
  logScale: number,
) {
  const { components: k } = model;
  const terms = new Float64Array(batch.rows * k);
  const density = new Float64Array(batch.rows);
  chains.flat().forEach((theta, d) => {
    model.logTerms(terms, theta, batch);
    for (let i = 0; i < batch.rows; i++) {
      for (let c = 0; c < k; c++) density[i] += weights[d] * Math.exp(terms[i * k + c]);
    }
  });
  const logs = density.map((p) => Math.log(p) - logScale);
  const mean = logs.reduce((a, b) => a + b, 0) / logs.length;
  const variance = logs.reduce((a, b) => a + (b - mean) ** 2, 0) / (logs.length - 1);
  return { mean, error: Math.sqrt(variance / logs.length) };
}

/** Draws that are averaged: the probabilities differ little between them, and rows may be many. */
const DRAWS = 200;

/** P(row i is in cluster k | data), row after row. */
export function memberships(
  model: Mixture,
  { chains, weights }: Sampled<Float64Array>,
  batch: Rows,
): Float64Array {
  const { components: k } = model;
  const terms = new Float64Array(batch.rows * k);
  const out = new Float64Array(batch.rows * k);
  const draws = chains.flat();
  const every = Math.max(1, Math.floor(draws.length / DRAWS));
  let total = 0;
  for (let d = 0; d < draws.length; d += every) {
    model.logTerms(terms, draws[d], batch);
    sharedOut(terms, batch.rows, k);
    for (let i = 0; i < terms.length; i++) out[i] += weights[d] * terms[i];
    total += weights[d];
  }
  return out.map((sum) => sum / total);
}
