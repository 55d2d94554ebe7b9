/**
 * What a factor and one that is nested in it share. The likelihood sees m_l = b_outer[parent of l] + b_inner[l] alone, so
 * that both standard deviations can be moved with the outer effects integrated out, by the normal law of m within a
 * level of the outer factor, N(0, τ_i²I + τ_o²11′); then the outer effects are drawn given m.
 */

import { normal } from "../../math/normal.js";
import { placeOf } from "../../math/packed.js";
import type { Rng } from "../../math/rng.js";
import { logInOrOut } from "./in-or-out.js";
import type { Nest, RowsPriors, RowsProblem, RowsState, RowsTerm } from "./problem.js";

export function shareNested(rng: Rng, { terms, priors }: RowsProblem, nest: Nest, state: RowsState): void {
  const single = terms[nest.inner].columns.length === 1 && terms[nest.outer].columns.length === 1;
  if (single) moveSpreads(rng, terms, nest, state, priors);
  shiftNested(rng, terms, nest, state);
}

/** In the logarithm: wide enough for ten levels, narrow enough for thousands. */
const WIDTHS = [1, 0.3, 0.1, 0.03];

/** Metropolis steps of log τ_i and log τ_o given m: they cost a look at the outer levels each. */
function moveSpreads(
  rng: Rng,
  terms: readonly RowsTerm[],
  nest: Nest,
  state: RowsState,
  priors: RowsPriors,
): void {
  const { inner, outer, parents } = nest;
  const [fine, coarse] = [state.effects[inner], state.effects[outer]];
  const counts = new Float64Array(coarse.length);
  const sums = new Float64Array(coarse.length);
  let square = 0;
  for (let l = 0; l < parents.length; l++) {
    const m = fine[l] + coarse[parents[l]];
    counts[parents[l]] += 1;
    sums[parents[l]] += m;
    square += m * m;
  }
  const { degrees: nu, spread } = priors;
  const noise = Math.sqrt(state.noise);
  const value = (logInner: number, logOuter: number): number => {
    const [one, other] = [Math.exp(2 * logInner), Math.exp(2 * logOuter)];
    let log = -0.5 * (square / one + (fine.length - coarse.length) * Math.log(one));
    for (let j = 0; j < counts.length; j++) {
      const whole = one + counts[j] * other;
      log -= 0.5 * (Math.log(whole) - (sums[j] * sums[j] * other) / (one * whole));
    }
    // Half-t, in or out, and the Jacobian of the logarithms.
    for (const [t, variance] of [
      [inner, one],
      [outer, other],
    ]) {
      log -= 0.5 * (nu + 1) * Math.log1p(variance / (nu * spread * spread));
      log += logInOrOut(priors, terms[t], [Math.sqrt(variance)], noise);
    }
    return log + logInner + logOuter;
  };
  const logs = [inner, outer].map((t) => -0.5 * Math.log(state.inverses[t][0]));
  let current = value(logs[0], logs[1]);
  for (const width of WIDTHS) {
    for (let which = 0; which < 2; which++) {
      const proposed = logs.slice();
      proposed[which] += width * normal(rng);
      const there = value(proposed[0], proposed[1]);
      if (!(Math.log(rng.uniformOpen()) < there - current)) continue;
      logs[which] = proposed[which];
      current = there;
    }
  }
  state.inverses[inner][0] = Math.exp(-2 * logs[0]);
  state.inverses[outer][0] = Math.exp(-2 * logs[1]);
}

/** The outer effects given m, as a move by which one gains what the other loses. */
function shiftNested(rng: Rng, terms: readonly RowsTerm[], nest: Nest, state: RowsState): void {
  const { inner, outer, innerEffect, outerEffect, parents } = nest;
  const [qi, qo] = [terms[inner].columns.length, terms[outer].columns.length];
  const [fine, coarse] = [state.effects[inner], state.effects[outer]];
  const [ofFine, ofCoarse] = [state.inverses[inner], state.inverses[outer]];
  const levels = terms[outer].levels;
  const precision = new Float64Array(levels).fill(ofCoarse[placeOf(outerEffect, outerEffect)]);
  const slope = new Float64Array(levels);
  for (let j = 0; j < levels; j++) {
    for (let k = 0; k < qo; k++) slope[j] -= ofCoarse[placeOf(outerEffect, k)] * coarse[j * qo + k];
  }
  for (let l = 0; l < parents.length; l++) {
    precision[parents[l]] += ofFine[placeOf(innerEffect, innerEffect)];
    for (let k = 0; k < qi; k++) slope[parents[l]] += ofFine[placeOf(innerEffect, k)] * fine[l * qi + k];
  }
  const delta = slope.map((value, j) => value / precision[j] + normal(rng) / Math.sqrt(precision[j]));
  for (let j = 0; j < levels; j++) coarse[j * qo + outerEffect] += delta[j];
  for (let l = 0; l < parents.length; l++) fine[l * qi + innerEffect] -= delta[parents[l]];
}
