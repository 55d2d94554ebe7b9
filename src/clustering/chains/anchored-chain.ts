/**
 * The chain for much data. On N rows the posterior is as narrow as 1/√N, and a plain mini-batch gradient of n rows has
 * N/n times the variance that Langevin noise may have: Fisher scoring makes up for it by steps N/n times as small, and
 * needs N/n times the iterations. Here
 *
 *     ĝ(θ) = ∇log π(θ̂ | D) + ĝ_n(θ) − ĝ_n(θ̂)
 *
 * at a mode θ̂ has an error of the order of d/n of that noise, whatever N (Baker, Fearnhead, Fox and Nemeth 2019), and
 * Fisher scoring is told the information, the curvature at θ̂. Its law is exact on a Gaussian at every step size, the
 * error of the batches included, so steps may be long where the posterior is nearly Gaussian, as that of much data is.
 *
 * Each chain climbs to a mode of its own from a start of its own: chains that end on different modes disagree.
 */

import { anchored } from "../../gradients/anchored.js";
import { informed, type Known } from "../../gradients/informed.js";
import { type SgfsFullState, sgfsFull } from "../../integrators/sgfs-full.js";
import { climb, curvature, type LogDensity, refine } from "../../math/mode.js";
import { normal } from "../../math/normal.js";
import { choleskyInPlace, placeOf, solveUpper } from "../../math/packed.js";
import type { Rng } from "../../math/rng.js";
import { type SampleStanding, sample } from "../../sampling/sample.js";
import { CHAIN_STREAMS } from "../../sampling/streams.js";
import type { Model, Schedule } from "../../types.js";
import type { ChainDraw } from "./chain-job.js";

/** From this many rows or steps on mini-batches are used unless told; sweeps over all rows before. */
export const MUCH = 20_000;
/** Rows of a mini-batch or steps of a stretch: the error of the gradient is then a small part of the noise. */
export const ENOUGH = 2000;
/**
 * Relative to the information: the chain forgets in a few steps. The first ones are short, until the error of the
 * gradient has been measured: one of ten chains of 50,000 rows in overlapping clusters diverged without that.
 */
export const longSteps: Schedule = (t) => Math.min(1, t / 300);
/** Of less data, whose posterior is less like a Gaussian. */
export const shortSteps: Schedule = (t) => Math.min(0.2, t / 300);
/** In posterior sds, of all directions together. The gradient at the anchor is known, so it need not be the mode. */
const NEAR = 0.5;
/** Newton steps, from a mode that EM has found: one or two do where the clusters are distinct. */
const CLIMB = 4;
/** What the climb costs in iterations of the chain for each coordinate of θ, about. */
export const CLIMBING = 60;
/** Chains start so many posterior sds from their mode that R-hat shows whether they have met. */
const APART = 2;

/** θ̂, ∇log π there given all the data, and −∇² log π, also as its packed factor. */
export interface Anchor extends Known {
  readonly factor: Float64Array;
}

/**
 * The mode by Newton steps on some of the data, then a few passes over all of it with the curvature of these. Undefined
 * where that curvature is no information: clusters that the data leave open.
 */
export function* anchorOf(
  start: Float64Array,
  some: LogDensity,
  all: LogDensity,
): Generator<undefined, Anchor | undefined, void> {
  const size = start.length;
  const theta = yield* climb(some, start, CLIMB);
  const bend = curvature(some, theta);
  const factor = bend.slice();
  if (!choleskyInPlace(factor, 0, size)) return undefined;
  const information = Float64Array.from({ length: size * size }, (_, i) => {
    return bend[placeOf(Math.floor(i / size), i % size)];
  });
  const { theta: anchor, gradient } = yield* refine(all, theta, factor, NEAR);
  return { theta: anchor, gradient, information, factor };
}

/** Plain data: a chain may be continued in another thread. */
export interface AnchoredStanding {
  readonly anchor: Anchor;
  readonly chain: SampleStanding<SgfsFullState>;
}

/** From its anchor, or from where it stood. */
export function* anchoredChain<B extends { readonly weight: number }>(
  settings: {
    readonly model: Model<null, B>;
    readonly batches: { draw(rng: Rng): B };
    readonly stepSize: Schedule;
    readonly iterations: number;
    readonly rng: Rng;
  },
  from: { readonly anchor: Anchor } | AnchoredStanding,
): Generator<ChainDraw<AnchoredStanding>, void, void> {
  const { model, rng } = settings;
  const { anchor } = from;
  const { theta: at, gradient } = anchor;
  const stood = "chain" in from ? from.chain : undefined;
  const draws = sample(
    {
      ...settings,
      kernel: { init: () => null, enter: () => {}, step: () => false },
      integrator: sgfsFull({ relative: true, floor: 0, warmUp: 0 }),
      theta: stood?.state.theta ?? dispersed(rng.split(CHAIN_STREAMS.start), anchor),
      from: stood,
    },
    () => informed(anchored({ model, anchor: at, gradient }), anchor),
  );
  for (const { t, theta, weight, standing } of draws) {
    yield { t, theta, weight, standing: () => ({ anchor, chain: standing() }) };
  }
}

function dispersed(rng: Rng, { theta, factor }: Anchor): Float64Array {
  const offset = Float64Array.from(theta, () => APART * normal(rng));
  solveUpper(offset, 0, factor, 0, offset.length);
  return offset.map((away, j) => theta[j] + away);
}
