/** One chain of each kind, as a generator of θ. */

import { anchored } from "../gradients/anchored.js";
import { imputed } from "../gradients/imputed.js";
import { sgld } from "../integrators/sgld.js";
import { whitened } from "../integrators/whitened.js";
import { normal } from "../math/normal.js";
import { solveUpper } from "../math/packed.js";
import { Rng, type RngState } from "../math/rng.js";
import { chain, type Moment, type Standing } from "../sampling/chain.js";
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

/** Where a chain stands, as plain data. */
export interface LangevinStanding {
  readonly chain: Standing<never>;
  /** Of the groups, as the draws of batches have left it. */
  readonly order: Uint32Array;
  /** Of the imputations. */
  readonly latent: RngState;
}

/** A chain that can say where it stands. */
export interface LangevinPath extends Iterable<Float64Array> {
  save(): LangevinStanding | undefined;
}

/** A change of a variance by a factor of e² or e in one step is no small step of a diffusion. */
const LARGEST_LOG_MOVE = 1;

/** Algorithm S1 with m imputations, in the coordinates of θ: the paper's sampler. */
export function algorithmS1(
  rng: Rng,
  start: Float64Array,
  settings: LangevinSettings & { readonly imputations: number },
  from?: LangevinStanding,
): LangevinPath {
  const model = mixed(settings.design);
  const latent = from ? Rng.restore(from.latent) : rng.split(CHAIN_STREAMS.latent);
  const gradient = imputed({
    rng: latent,
    model,
    kernel: effects(model.layout),
    imputations: settings.imputations,
  });
  const integrator = sgld(temperatureOf(settings));
  return path(
    rng,
    start,
    settings,
    { ...unitParts(model.layout, settings), gradient, integrator, latent },
    from,
  );
}

/** The same diffusion with the random effects integrated out, anchored at the mode and whitened by its curvature. */
export function anchoredLangevin(
  rng: Rng,
  anchor: Anchor,
  settings: LangevinSettings,
  from?: LangevinStanding,
): LangevinPath {
  const model = marginalMixed(settings.design);
  const gradient = anchored({ model, anchor: anchor.theta, gradient: anchor.gradient });
  const integrator = whitened({ center: anchor.theta, factor: anchor.factor }, sgld(temperatureOf(settings)));
  const start = settings.from ?? dispersed(rng.split(CHAIN_STREAMS.start), anchor);
  const parts = { ...unitParts(model.layout, settings), gradient, integrator, latent: rng };
  return path(rng, start, settings, parts, from);
}

/** A draw from the normal approximation at the mode: chains that start apart can be seen to meet. */
export function dispersed(rng: Rng, { theta, factor }: Anchor): Float64Array {
  const out = Float64Array.from(theta, () => normal(rng));
  solveUpper(out, 0, factor, 0, out.length);
  return out.map((offset, j) => theta[j] + offset);
}

interface Parts<S extends { readonly theta: Float64Array }, B> {
  /** Units that there are. */
  readonly count: number;
  /** A mini-batch of some of them. */
  batchOf(rng: Rng, units: Uint32Array): B;
  readonly gradient: (batch: B) => Gradient;
  readonly integrator: Integrator<S>;
  /** What no coordinate moves by in one sound step. */
  readonly largestMove: Float64Array;
  /** Random numbers that the gradient draws. */
  readonly latent: Rng;
}

/** Batches of units of cross-products. */
function unitParts(layout: MixedLayout, { data, batch }: LangevinSettings) {
  const count = data.rows.length;
  return {
    count,
    batchOf: (_: Rng, units: Uint32Array): UnitBatch => ({ data, units, weight: count / batch }),
    largestMove: largestMoves(layout),
  };
}

/** Of θ: a variance that changes by a factor of e² in one step is no small step of a diffusion. */
export function largestMoves(layout: MixedLayout): Float64Array {
  const p = layout.fixed.length;
  const out = new Float64Array(layout.size).fill(Number.MAX_VALUE, 0, p).fill(LARGEST_LOG_MOVE, p);
  // Elements of L below its diagonal are no logarithms: only a move that is not a number betrays them.
  for (let j = 0, at = p + 1; j < layout.random.length; j++, at += j) {
    out.fill(Number.MAX_VALUE, at, at + j);
  }
  return out;
}

export function path<S extends { readonly theta: Float64Array }, B>(
  rng: Rng,
  start: Float64Array,
  { batch, iterations, stepSize }: Pick<LangevinSettings, "batch" | "iterations" | "stepSize">,
  { count, batchOf, gradient, integrator, largestMove, latent }: Parts<S, B>,
  from: LangevinStanding | undefined,
): LangevinPath {
  const order = from?.order.slice() ?? Uint32Array.from({ length: count }, (_, i) => i);
  const units = subset(count, batch, order);
  const standing = from?.chain as Standing<S> | undefined;
  const moments = chain({
    from: standing,
    rng,
    theta: start.slice(),
    batches: { draw: (generator) => batchOf(generator, units(generator)) },
    gradient,
    integrator,
    stepSize,
    iterations,
  });
  let now: Moment<S> | undefined;
  return {
    *[Symbol.iterator]() {
      for (const moment of steady(moments, standing?.state.theta ?? start, largestMove)) {
        now = moment;
        yield moment.state.theta;
      }
    },
    save: () => now && { chain: now.standing() as Standing<never>, order, latent: latent.save() },
  };
}

const temperatureOf = ({ temperature }: LangevinSettings) =>
  temperature === undefined ? {} : { temperature };
