/** Model + inner kernel + integrator = chain: the short way to sample a model all of whose coordinates move. */

import { SparrowError } from "../errors.js";
import { type FisherSettings, fisher } from "../gradients/fisher.js";
import type { Rng } from "../math/rng.js";
import type { Gradient, InnerKernel, Integrator, Model, Schedule } from "../types.js";
import { chain } from "./chain.js";
import { weightAt } from "./schedule.js";
import { CHAIN_STREAMS } from "./streams.js";

export interface SampleSettings<
  Z,
  B,
  S extends { readonly theta: Float64Array },
  G extends Gradient = Gradient,
> {
  readonly model: Model<Z, B>;
  readonly kernel: InnerKernel<Z, B>;
  readonly batches: { draw(rng: Rng): B };
  readonly integrator: Integrator<S, G>;
  readonly stepSize: Schedule;
  readonly iterations: number;
  /** Where the chain starts; it is left alone. */
  readonly theta: Float64Array;
  readonly rng: Rng;
  /** Latent draws in one gradient (m of the paper) and moves between them. */
  readonly draws?: number;
  readonly moves?: number;
  readonly visit?: FisherSettings<Z, B>["visit"];
  /** The chain ends early, without an error, once this is aborted. */
  readonly signal?: AbortSignal;
}

export interface Draw {
  readonly t: number;
  /** The chain's own vector: copy it to keep it. */
  readonly theta: Float64Array;
  /** How much this draw counts in an average, by the rule of the schedule. */
  readonly weight: number;
}

/** `noisy` makes the gradient that the integrator asks for, where that is more than a plain one: `withNoise`. */
export function sample<Z, B, S extends { readonly theta: Float64Array }>(
  settings: SampleSettings<Z, B, S>,
): Generator<Draw, void, void>;
export function sample<Z, B, S extends { readonly theta: Float64Array }, G extends Gradient>(
  settings: SampleSettings<Z, B, S, G>,
  noisy: (of: (batch: B) => Gradient) => (batch: B) => G,
): Generator<Draw, void, void>;
export function* sample<Z, B, S extends { readonly theta: Float64Array }>(
  settings: SampleSettings<Z, B, S>,
  noisy: (of: (batch: B) => Gradient) => (batch: B) => Gradient = (of) => of,
): Generator<Draw, void, void> {
  const { model, kernel, rng, draws = 1, moves = 1, visit, signal } = settings;
  const theta = settings.theta.slice();
  const latentRng = rng.split(CHAIN_STREAMS.latent);
  const z = kernel.init(latentRng, theta);
  const gradient = noisy(fisher({ model, kernel, z, rng: latentRng, draws, moves, visit }));
  const { batches, integrator, stepSize, iterations } = settings;
  for (const { t } of chain({ rng, theta, batches, gradient, integrator, stepSize, iterations })) {
    if (signal?.aborted) return;
    const lost = theta.findIndex((x) => !Number.isFinite(x));
    if (lost >= 0) {
      throw new SparrowError(
        `The chain diverged at iteration ${t} in "${model.names[lost]}": use a smaller step size or a larger batch.`,
      );
    }
    yield { t, theta, weight: weightAt(stepSize, t) };
  }
}
