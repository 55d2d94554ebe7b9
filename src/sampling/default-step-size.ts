/**
 * A step size for Langevin dynamics θ + ½ε·ĝ + √ε·ξ on a model that nobody has tuned. Along a direction in which the
 * log posterior has curvature λ and the gradient of a batch has noise of variance s², the chain's stationary variance
 * is (1/λ)·(1 + εs²/4)/(1 − ελ/4). With
 *
 *     ε = 4δ / max(λ, s²)
 *
 * neither the step nor the batches widen it by more than about δ of itself. λ is the largest eigenvalue of
 * −∇² log π(θ, z | batch) at the start, by power iteration on differences of gradients: with z given it is no smaller
 * than what the marginal has. s² is the largest variance of a coordinate of ĝ over batches and draws of z.
 */

import { fisher } from "../gradients/fisher.js";
import { normal } from "../math/normal.js";
import type { Rng } from "../math/rng.js";
import type { InnerKernel, Model } from "../types.js";

export interface StepSizeOptions<Z, B> {
  readonly model: Model<Z, B>;
  readonly kernel: InnerKernel<Z, B>;
  readonly batches: { draw(rng: Rng): B };
  /** Where to look: near the mode, if that is known. It is left alone. */
  readonly theta: Float64Array;
  readonly rng: Rng;
  /** Latent draws in one gradient, and moves between them, as `sample` has them. */
  readonly draws?: number;
  readonly moves?: number;
  /** δ, the share of a variance that the step may add; 0.05 unless told. */
  readonly widening?: number;
}

/** Batches whose gradients are compared, and rounds of power iteration. */
const BATCHES = 24;
const ROUNDS = 24;
/** Differences are taken over this much of a coordinate's size. */
const STEP = 1e-4;

export function defaultStepSize<Z, B>(settings: StepSizeOptions<Z, B>): number {
  const { widening = 0.05 } = settings;
  const largest = Math.max(curvature(settings), noise(settings));
  if (!(largest > 0 && largest < Number.POSITIVE_INFINITY)) {
    throw new RangeError("The gradient of the model is not finite, or zero, where the chain starts.");
  }
  return (4 * widening) / largest;
}

function curvature<Z, B>({ model, kernel, batches, theta, rng }: StepSizeOptions<Z, B>): number {
  const p = theta.length;
  const batch = batches.draw(rng);
  const z = kernel.init(rng, theta);
  kernel.enter(z, theta, batch);
  kernel.step(rng, z, theta, batch);
  let direction = Float64Array.from({ length: p }, () => normal(rng));
  let eigenvalue = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const length = Math.hypot(...direction);
    if (!(length > 0)) return 0;
    const step = STEP * (1 + Math.hypot(...theta) / Math.sqrt(p));
    const change = new Float64Array(p);
    for (const sign of [1, -1]) {
      const moved = theta.map((value, j) => value + (sign * step * direction[j]) / length);
      model.addGrad(change, -sign / (2 * step), moved, z, batch);
    }
    direction = change;
    eigenvalue = Math.hypot(...change);
  }
  return eigenvalue;
}

/** The largest variance of a coordinate of the gradient at one θ. */
function noise<Z, B>(settings: StepSizeOptions<Z, B>): number {
  const { model, kernel, batches, theta, rng, draws = 1, moves = 1 } = settings;
  const z = kernel.init(rng, theta);
  const gradient = fisher({ model, kernel, z, rng, draws, moves });
  const sum = new Float64Array(theta.length);
  const squares = new Float64Array(theta.length);
  const out = new Float64Array(theta.length);
  const first = new Float64Array(theta.length);
  for (let b = 0; b < BATCHES; b++) {
    gradient(batches.draw(rng)).at(out, theta);
    // Around the first, where little is lost to rounding.
    if (b === 0) first.set(out);
    out.forEach((value, j) => {
      sum[j] += value - first[j];
      squares[j] += (value - first[j]) ** 2;
    });
  }
  return squares.reduce(
    (most, value, j) => Math.max(most, (value - sum[j] ** 2 / BATCHES) / (BATCHES - 1)),
    0,
  );
}
