/** A chain of sweeps over all rows, each of which draws everything from its exact conditional law. */

import { Rng, type RngState } from "../../math/rng.js";
import type { ChainDraw } from "../chains/chain-job.js";
import type { Leap } from "./leaps.js";

/** Plain data: a chain may be continued in another thread. */
export interface GibbsStanding {
  readonly sweeps: number;
  readonly theta: Float64Array;
  readonly rng: RngState;
}

/** Sweeps from one leap to the next: a leap costs about two. */
const EVERY = 2;

/** From a place, or from where it stood, up to `to` sweeps. */
export function* gibbsChain(
  sweep: (rng: Rng, theta: Float64Array) => void,
  rng: Rng,
  to: number,
  from: { readonly theta: Float64Array } | GibbsStanding,
  leap?: Leap,
): Generator<ChainDraw<GibbsStanding>, void, void> {
  const stood = "sweeps" in from ? from : undefined;
  const own = stood ? Rng.restore(stood.rng) : rng;
  const theta = from.theta.slice();
  for (let t = (stood?.sweeps ?? 0) + 1; t <= to; t++) {
    sweep(own, theta);
    if (t % EVERY === 0) leap?.(own, theta);
    const standing = () => ({
      sweeps: t,
      theta: theta.slice(),
      rng: own.save(),
    });
    yield { t, theta, weight: 1, standing };
  }
}
