/**
 * Leaps of a chain of sweeps, from where it stands to a place that knows nothing of it. Sweeps forget slowly where many
 * rows are in doubt, and hardly ever go from one mode to another. A leap proposes θ' from an approximation of the
 * posterior,
 *
 *     q = Σ_c w_c·t_8(θ̄_c, S_c),   taken with probability min(1, π(θ')q(θ) / π(θ)q(θ')),
 *
 * with the latent variables summed out of π: one law for each chain, fitted by EM to what the chains have drawn, so that
 * chains in modes of their own exchange them, each as often as its mass says (an independence sampler, Tierney 1994).
 *
 * π is the same under all renamings of the blocks and q is not. Both are taken on those θ alone whose blocks claim the
 * witnesses as those of a pivot do: a chain gives its blocks these names first, and what has other names is not taken.
 */

import { normal } from "../../math/normal.js";
import { choleskyInPlace, packedSize, placeOf, solveLower } from "../../math/packed.js";
import type { Rng } from "../../math/rng.js";
import { gamma } from "../../math/variates.js";
import type { Exchangeable } from "../names/exchangeable.js";
import { averagePivot, namesBy, type Pivot, pivotOf } from "../names/relabel.js";

/** A multivariate t law. */
interface Law {
  readonly centre: Float64Array;
  /** Of the scale, lower triangular and packed. */
  readonly factor: Float64Array;
  readonly weight: number;
  /** The logarithm of its weight over the determinant of the factor. */
  readonly height: number;
}

/** Plain data: it crosses threads. */
export interface Leaps {
  /** By which blocks have their names, and the witnesses that it has. */
  readonly pivot: Pivot;
  readonly witnesses: Uint32Array | undefined;
  readonly laws: readonly Law[];
}

/** Of the t laws: tails that are heavier than those of the posterior, as a rule. */
const FREEDOM = 8;
/** No mode that was found is forgotten. */
const LEAST_WEIGHT = 0.1;
/** A share of a draw that moves no sum. */
const NOTHING = 1e-6;
/** Draws and proposals by which it is judged how often leaps would land. */
const TRIED = 50;

/** What a leap needs to know of a model: its names, and the log of the posterior density but for a constant. */
export interface Ground {
  readonly model: Exchangeable;
  density(theta: Float64Array): number;
}

/** Writes the place where it lands over θ. */
export type Leap = (rng: Rng, theta: Float64Array) => void;

export function leap({ model: any, density }: Ground, { pivot, witnesses, laws }: Leaps): Leap {
  const model = any.at(witnesses);
  const names = namesBy(model, pivot);
  return (rng, theta) => {
    const order = names(theta);
    if (order) theta.set(model.reordered(theta, order));
    const other = proposed(laws, rng);
    const gain = density(other) - logLaw(laws, other) - density(theta) + logLaw(laws, theta);
    // Nor where it is no number.
    if (!(gain >= 0 || Math.log(rng.uniformOpen()) < gain) || names(other)) return;
    theta.set(other);
  };
}

/** How often leaps from these draws would land, about. */
export function landing(
  { model, density }: Ground,
  { pivot, witnesses, laws }: Leaps,
  draws: readonly Float64Array[],
  rng: Rng,
): number {
  const worth = (theta: Float64Array): number => density(theta) - logLaw(laws, theta);
  const every = Math.ceil(draws.length / TRIED);
  const some = draws.filter((_, i) => i % every === 0);
  const here = named(model.at(witnesses), pivot, some).map(worth);
  const there = Array.from({ length: TRIED }, () => worth(proposed(laws, rng)));
  const chances = here.flatMap((from) => there.map((to) => (to > from ? 1 : Math.exp(to - from) || 0)));
  return chances.reduce((sum, chance) => sum + chance, 0) / chances.length;
}

function named(model: Exchangeable, pivot: Pivot, draws: readonly Float64Array[]): Float64Array[] {
  const names = namesBy(model, pivot);
  return draws.map((draw) => {
    const order = names(draw);
    return order ? model.reordered(draw, order) : draw;
  });
}

/**
 * Fitted to the draws of each chain, or where there are laws already to what these have of all draws; undefined where
 * draws are too few for the numbers of θ.
 */
export function leapsFrom(
  model: Exchangeable,
  chains: readonly (readonly Float64Array[])[],
  before: Leaps | undefined,
): Leaps | undefined {
  const witnesses = before ? before.witnesses : model.witnesses;
  const all = chains.flat();
  const pivot = before?.pivot ?? averageOf(model, all);
  const draws = named(model.at(witnesses), pivot, all);
  const { length } = chains[0];
  const shares = before
    ? sharesOf(before.laws, draws)
    : chains.map((_, c) => Float64Array.from(draws, (__, i) => (Math.floor(i / length) === c ? 1 : 0)));
  const laws = shares.flatMap((share, c) => lawOf(draws, share, before?.laws[c]) ?? []);
  return laws.length === 0 ? undefined : { pivot, witnesses, laws };
}

/** Draws have the same names. */
function averageOf(model: Exchangeable, draws: readonly Float64Array[]): Pivot {
  const asTheyAre = Array.from({ length: model.count }, (_, k) => k);
  return averagePivot(
    draws.map((draw) => pivotOf(model, draw)),
    draws.map(() => asTheyAre),
    model.count,
  );
}

/**
 * Mean and covariance of the draws in these shares. A law has as many draws as its covariance has numbers: where there are
 * fewer, what it was before stands for the rest, and without that there is none.
 */
function lawOf(
  draws: readonly Float64Array[],
  share: Float64Array,
  before: Law | undefined,
): Law | undefined {
  const size = draws[0].length;
  const own = share.reduce((sum, s) => sum + s, 0);
  const rest = Math.max(0, packedSize(size) - own);
  if (rest > 0 && !before) return undefined;
  const total = own + rest;
  const centre = Float64Array.from({ length: size }, (_, j) =>
    before ? (rest / total) * before.centre[j] : 0,
  );
  draws.forEach((draw, i) => {
    for (let j = 0; j < size; j++) centre[j] += (share[i] / total) * draw[j];
  });
  const factor = new Float64Array(packedSize(size));
  const away = new Float64Array(size);
  const add = (weight: number, at: Float64Array): void => {
    for (let j = 0; j < size; j++) away[j] = at[j] - centre[j];
    for (let j = 0, to = 0; j < size; j++) {
      for (let k = 0; k <= j; k++) factor[to++] += weight * away[j] * away[k];
    }
  };
  draws.forEach((draw, i) => {
    if (share[i] > NOTHING) add(share[i] / total, draw);
  });
  if (before && rest > 0) {
    add(rest / total, before.centre);
    addSquare(factor, rest / total, before.factor, size);
  }
  if (!choleskyInPlace(factor, 0, size)) return undefined;
  const weight = Math.max(LEAST_WEIGHT, own / draws.length);
  let height = Math.log(weight);
  for (let j = 0; j < size; j++) height -= Math.log(factor[placeOf(j, j)]);
  return { centre, factor, weight, height };
}

/** out += weight·LL′ */
function addSquare(out: Float64Array, weight: number, factor: Float64Array, size: number): void {
  for (let j = 0, to = 0; j < size; j++) {
    for (let k = 0; k <= j; k++, to++) {
      let sum = 0;
      for (let l = 0; l <= k; l++) sum += factor[placeOf(j, l)] * factor[placeOf(k, l)];
      out[to] += weight * sum;
    }
  }
}

/** What each law has of each draw. */
function sharesOf(laws: readonly Law[], draws: readonly Float64Array[]): Float64Array[] {
  const out = laws.map(() => new Float64Array(draws.length));
  draws.forEach((draw, i) => {
    const logs = laws.map((law) => logOf(law, draw));
    const top = Math.max(...logs);
    const total = logs.reduce((sum, log) => sum + Math.exp(log - top), 0);
    logs.forEach((log, c) => {
      out[c][i] = Math.exp(log - top) / total;
    });
  });
  return out;
}

/** log q, up to a constant. */
function logLaw(laws: readonly Law[], theta: Float64Array): number {
  const logs = laws.map((law) => logOf(law, theta));
  const top = Math.max(...logs);
  return top + Math.log(logs.reduce((sum, log) => sum + Math.exp(log - top), 0));
}

function logOf({ centre, factor, height }: Law, theta: Float64Array): number {
  const size = theta.length;
  const away = theta.map((x, j) => x - centre[j]);
  solveLower(away, 0, factor, 0, size);
  let square = 0;
  for (let j = 0; j < size; j++) square += away[j] * away[j];
  return height - 0.5 * (FREEDOM + size) * Math.log1p(square / FREEDOM);
}

function proposed(laws: readonly Law[], rng: Rng): Float64Array {
  let u = rng.uniform() * laws.reduce((sum, { weight }) => sum + weight, 0);
  let c = 0;
  while (c < laws.length - 1 && u >= laws[c].weight) u -= laws[c++].weight;
  const { centre, factor } = laws[c];
  const size = centre.length;
  const stretch = 1 / Math.sqrt(gamma(rng, 0.5 * FREEDOM) / (0.5 * FREEDOM));
  const steps = Float64Array.from(centre, () => stretch * normal(rng));
  const out = centre.slice();
  for (let j = 0, at = 0; j < size; j++) for (let k = 0; k <= j; k++) out[j] += factor[at++] * steps[k];
  return out;
}
