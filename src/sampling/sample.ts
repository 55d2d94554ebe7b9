/** Model + inner kernel + integrator = chain: the short way to sample a model all of whose coordinates move. */

import { type CoordinateSummary, summariseDraws } from "../diagnostics/summarise-draws.js";
import { SparrowError } from "../errors.js";
import { type FisherSettings, fisher } from "../gradients/fisher.js";
import { Rng, type RngState } from "../math/rng.js";
import type { Gradient, InnerKernel, Integrator, Model, Schedule } from "../types.js";
import { chain, type Moment, type Standing } from "./chain.js";
import { weightAt } from "./schedule.js";
import { CHAIN_STREAMS } from "./streams.js";

export interface SampleOptions<
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
  /**
   * Where an earlier chain of the same settings stopped: this one goes on from there. z begins anew, which changes
   * nothing for kernels that draw all of it at every step, as labels and paths are drawn.
   */
  readonly from?: SampleStanding<S> | undefined;
  /** The chain ends early, without an error, once this is aborted. */
  readonly signal?: AbortSignal;
}

/** Plain data where the integrator's state is: it crosses threads. */
export interface SampleStanding<S> extends Standing<S> {
  readonly latent: RngState;
}

export interface Draw<S = unknown> {
  readonly t: number;
  /** The chain's own vector: copy it to keep it. */
  readonly theta: Float64Array;
  /** How much this draw counts in an average, by the rule of the schedule. */
  readonly weight: number;
  /** Where the chain stands at this draw, until it is run on. */
  standing(): SampleStanding<S>;
}

/** What a chain came to, for those who run it to its end: the value that the generator returns. */
export interface SampleEnd {
  readonly iterations: number;
  /** Of the second half every so many draws are kept, a thousand or two. */
  readonly thin: number;
  /** What those say of every coordinate, with R-hat of their halves and effective sizes. */
  coordinates(): CoordinateSummary[];
}

const KEPT = 1000;

/** `noisy` makes the gradient that the integrator asks for, where that is more than a plain one: `withNoise`. */
export function sample<Z, B, S extends { readonly theta: Float64Array }>(
  settings: SampleOptions<Z, B, S>,
): Generator<Draw<S>, SampleEnd, void>;
export function sample<Z, B, S extends { readonly theta: Float64Array }, G extends Gradient>(
  settings: SampleOptions<Z, B, S, G>,
  noisy: (of: (batch: B) => Gradient) => (batch: B) => G,
): Generator<Draw<S>, SampleEnd, void>;
export function* sample<Z, B, S extends { readonly theta: Float64Array }>(
  settings: SampleOptions<Z, B, S>,
  noisy: (of: (batch: B) => Gradient) => (batch: B) => Gradient = (of) => of,
): Generator<Draw<S>, SampleEnd, void> {
  const { model, kernel, rng, draws = 1, moves = 1, visit, signal, from } = settings;
  const start = settings.theta.slice();
  const ofStart = rng.split(CHAIN_STREAMS.latent);
  const z = kernel.init(ofStart, start);
  const latentRng = from ? Rng.restore(from.latent) : ofStart;
  const gradient = noisy(fisher({ model, kernel, z, rng: latentRng, draws, moves, visit }));
  const { batches, integrator, stepSize, iterations } = settings;
  const moments = chain({ rng, theta: start, batches, gradient, integrator, stepSize, iterations, from });
  let now: Moment<S> | undefined;
  const standing = () => ({ ...now!.standing(), latent: latentRng.save() });
  const first = from?.t ?? 0;
  const half = first + Math.floor((iterations - first) / 2);
  const thin = Math.max(1, Math.floor((iterations - half) / KEPT));
  const kept: Float64Array[] = [];
  const end = (): SampleEnd => ({
    iterations: now?.t ?? first,
    thin,
    coordinates: () => summariseDraws(model.names, [kept]),
  });
  for (const moment of moments) {
    now = moment;
    const { t, state } = moment;
    if (signal?.aborted) return end();
    const { theta } = state;
    const lost = theta.findIndex((x) => !Number.isFinite(x));
    if (lost >= 0) {
      throw new SparrowError(
        `The chain diverged at iteration ${t} in "${model.names[lost]}": use a smaller step size or a larger batch.`,
        "diverged",
      );
    }
    if (t > half && (t - half) % thin === 0) kept.push(theta.slice());
    yield { t, theta, weight: weightAt(stepSize, t), standing };
  }
  return end();
}
