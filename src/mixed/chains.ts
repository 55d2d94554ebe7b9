/** One chain of each kind, as a generator of θ. */

import { anchored } from "../gradients/anchored.js";
import { imputed } from "../gradients/imputed.js";
import { sgld } from "../integrators/sgld.js";
import { whitened } from "../integrators/whitened.js";
import { normal } from "../math/normal.js";
import { solveUpper } from "../math/packed.js";
import type { Rng } from "../math/rng.js";
import { chain } from "../sampling/chain.js";
import { steady } from "../sampling/steady.js";
import { CHAIN_STREAMS } from "../sampling/streams.js";
import { subset } from "../sampling/subset.js";
import type { Gradient, Integrator, Schedule } from "../types.js";
import type { MixedDesign, MixedLayout, UnitBatch } from "./model/chart.js";
import type { CrossProducts } from "./model/crossproducts.js";
import { effects } from "./model/effects.js";
import { mixed } from "./model/joint.js";
import { marginalMixed } from "./model/marginal.js";
import type { Anchor } from "./start.js";

export interface LangevinSettings {
  readonly data: CrossProducts;
  readonly design: MixedDesign;
  readonly batch: number;
  readonly iterations: number;
  readonly stepSize: Schedule;
  readonly temperature?: number;
  /** Where an earlier chain of these settings stopped, to go on from there. */
  readonly from?: Float64Array | undefined;
}

/** A change of a variance by a factor of e² or e in one step is no small step of a diffusion. */
const LARGEST_LOG_MOVE = 1;

/** Algorithm S1 with m imputations, in the coordinates of θ: the paper's sampler. */
export function algorithmS1(
  rng: Rng,
  start: Float64Array,
  settings: LangevinSettings & { readonly imputations: number },
): Iterable<Float64Array> {
  const model = mixed(settings.design);
  const gradient = imputed({
    rng: rng.split(CHAIN_STREAMS.latent),
    model,
    kernel: effects(model.layout),
    imputations: settings.imputations,
  });
  return run(rng, start, settings, model.layout, gradient, sgld(temperatureOf(settings)));
}

/** The same diffusion with the random effects integrated out, anchored at the mode and whitened by its curvature. */
export function anchoredLangevin(
  rng: Rng,
  anchor: Anchor,
  settings: LangevinSettings,
): Iterable<Float64Array> {
  const model = marginalMixed(settings.design);
  const gradient = anchored({ model, anchor: anchor.theta, gradient: anchor.gradient });
  const integrator = whitened({ center: anchor.theta, factor: anchor.factor }, sgld(temperatureOf(settings)));
  return run(
    rng,
    settings.from ?? dispersed(rng.split(CHAIN_STREAMS.start), anchor),
    settings,
    model.layout,
    gradient,
    integrator,
  );
}

/** A draw from the normal approximation at the mode: chains that start apart can be seen to meet. */
function dispersed(rng: Rng, { theta, factor }: Anchor): Float64Array {
  const out = Float64Array.from(theta, () => normal(rng));
  solveUpper(out, 0, factor, 0, out.length);
  return out.map((offset, j) => theta[j] + offset);
}

function* run<S extends { readonly theta: Float64Array }>(
  rng: Rng,
  start: Float64Array,
  { data, batch, iterations, stepSize }: LangevinSettings,
  layout: MixedLayout,
  gradient: (batch: UnitBatch) => Gradient,
  integrator: Integrator<S>,
): Generator<Float64Array, void, void> {
  const count = data.rows.length;
  const units = subset(count, batch);
  const moments = chain({
    rng,
    theta: start.slice(),
    batches: { draw: (generator) => ({ data, units: units(generator), weight: count / batch }) },
    gradient,
    integrator,
    stepSize,
    iterations,
  });
  const p = layout.fixed.length;
  const largestMove = new Float64Array(layout.size).fill(Number.MAX_VALUE, 0, p).fill(LARGEST_LOG_MOVE, p);
  // Elements of L below its diagonal are no logarithms: only a move that is not a number betrays them.
  for (let j = 0, at = p + 1; j < layout.random.length; j++, at += j) {
    largestMove.fill(Number.MAX_VALUE, at, at + j);
  }
  for (const { state } of steady(moments, start, largestMove)) yield state.theta;
}

const temperatureOf = ({ temperature }: LangevinSettings) =>
  temperature === undefined ? {} : { temperature };
