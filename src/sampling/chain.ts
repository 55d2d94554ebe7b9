/** The only loop over t: draw a batch, let the integrator ask for gradients on it, step. */

import { Rng, type RngState } from "../math/rng.js";
import type { Gradient, Integrator, Schedule } from "../types.js";
import { valueAt } from "./schedule.js";
import { CHAIN_STREAMS } from "./streams.js";

export interface ChainSettings<B, S extends { readonly theta: Float64Array }, G extends Gradient = Gradient> {
  readonly rng: Rng;
  readonly theta: Float64Array;
  readonly batches: { draw(rng: Rng): B };
  readonly gradient: (batch: B) => G;
  readonly integrator: Integrator<S, G>;
  readonly stepSize: Schedule;
  readonly iterations: number;
  /** Where an earlier chain of these settings stopped: this one goes on as if nothing had been between them. */
  readonly from?: Standing<S> | undefined;
  /** Whether its state is this chain's own from now on, so that others who hold a part of it see it move. */
  readonly adopt?: boolean;
  /** Called after every step with its size and the batch it was made on. */
  readonly after?: (stepSize: number, batch: B) => void;
}

export interface Moment<S> {
  /** Iterations done: 1, 2, … */
  readonly t: number;
  readonly stepSize: number;
  readonly state: S;
  /** Where the chain stands now. */
  standing(): Standing<S>;
}

/** Plain data where the integrator's state is: it crosses threads. */
export interface Standing<S> {
  readonly t: number;
  readonly state: S;
  readonly batches: RngState;
  readonly noise: RngState;
}

/** A chain as a generator: whoever runs it decides when to look, when to stop and when to let others run. */
export function* chain<B, S extends { readonly theta: Float64Array }, G extends Gradient = Gradient>(
  settings: ChainSettings<B, S, G>,
): Generator<Moment<S>, void, void> {
  const { rng, batches, gradient, integrator, iterations, from } = settings;
  const batchRng = from ? Rng.restore(from.batches) : rng.split(CHAIN_STREAMS.batches);
  const noiseRng = from ? Rng.restore(from.noise) : rng.split(CHAIN_STREAMS.noise);
  const state = from
    ? settings.adopt
      ? from.state
      : structuredClone(from.state)
    : integrator.init(noiseRng, settings.theta);
  const moment = {
    t: from?.t ?? 0,
    stepSize: 0,
    state,
    standing: () => ({ t: moment.t, state, batches: batchRng.save(), noise: noiseRng.save() }),
  };
  for (let t = moment.t + 1; t <= iterations; t++) {
    const stepSize = valueAt(settings.stepSize, t);
    const batch = batches.draw(batchRng);
    integrator.step(noiseRng, state, gradient(batch), stepSize);
    settings.after?.(stepSize, batch);
    moment.t = t;
    moment.stepSize = stepSize;
    yield moment;
  }
}
