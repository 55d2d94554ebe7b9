/**
 * The chain for few data: Fisher scoring on latent draws, which learns the information and the error of its gradient on
 * the way.
 */

import { type Differences, noDifferences, withNoise } from "../../gradients/differences.js";
import { type SgfsFullState, sgfsFull } from "../../integrators/sgfs-full.js";
import { type SampleOptions, type SampleStanding, sample } from "../../sampling/sample.js";
import type { Schedule } from "../../types.js";
import type { ChainDraw } from "./chain-job.js";

/**
 * Relative to the information. Full steps from a start far from the mode may diverge (3 of 60 runs on Old Faithful with
 * one to five components), so they grow over the first thousand; none of the 60 did then.
 */
export const gentleSteps: Schedule = (t) => 0.3 * Math.min(1, t / 1000);

/** Plain data: a chain may be continued in another thread. */
export interface PlainStanding {
  readonly chain: SampleStanding<SgfsFullState>;
  readonly differences: Differences;
}

type PlainSettings<Z, B> = Pick<
  SampleOptions<Z, B, SgfsFullState>,
  "model" | "kernel" | "batches" | "stepSize" | "iterations" | "draws" | "rng"
>;

/** From a start, or from where it stood. */
export function* plainChain<Z, B extends { readonly weight: number }>(
  settings: PlainSettings<Z, B>,
  from: { readonly theta: Float64Array } | PlainStanding,
): Generator<ChainDraw<PlainStanding>, void, void> {
  const stood = "chain" in from ? from : undefined;
  const theta = "chain" in from ? from.chain.state.theta : from.theta;
  const differences = stood ? structuredClone(stood.differences) : noDifferences();
  const draws = sample(
    { ...settings, integrator: sgfsFull({ relative: true }), theta, from: stood?.chain },
    (of: Parameters<typeof withNoise<B>>[0]) => withNoise(of, { memory: differences }),
  );
  for (const { t, theta, weight, standing } of draws) {
    yield { t, theta, weight, standing: () => ({ chain: standing(), differences }) };
  }
}
