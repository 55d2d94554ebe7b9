/** The seams of Sparrow: what a sampler is made of. See ARCHITECTURE.md for the picture. */

import type { Rng } from "./math/rng.js";

/** A run of float32 numbers in the kernels' memory. */
export interface Vector {
  readonly pointer: number;
  readonly length: number;
}

/**
 * n of N rows. `axpy`, `dot` and `square` hide dense, sparse, resident and on-disk columns and their scaling:
 * x_j is column j as the model sees it.
 */
export interface Batch {
  readonly rows: number;
  /** Makes every sum over the batch an unbiased estimate of the sum over all rows (N / n). */
  readonly weight: number;
  readonly target: Vector;
  /** out += a·x_j */
  axpy(out: Vector, a: number, j: number): void;
  /** ⟨x_j, r⟩ */
  dot(j: number, r: Vector): number;
  /** ⟨x_j², w⟩ */
  square(j: number, w: Vector): number;
}

/** n of N rows of a plain matrix, row after row in `values`. */
export interface Rows {
  readonly rows: number;
  readonly columns: number;
  /** Makes every sum over the batch an unbiased estimate of the sum over all rows. */
  readonly weight: number;
  readonly values: Float32Array | Float64Array;
}

/**
 * A stretch of a chain: `rows` steps in order, of which [from, to) count in the gradient; the others are buffers
 * that only inform the hidden states between them.
 */
export interface Stretch extends Rows {
  readonly from: number;
  readonly to: number;
  /** 1 at every step that begins a sequence, where there are several: nothing passes from one to the next. */
  readonly starts?: Uint8Array;
}

/** The coordinates of θ that a gradient has touched: `indices[0 … count)`. All others are asleep. */
export interface Coordinates {
  readonly count: number;
  readonly indices: Uint32Array;
}

/** log π(θ, z | batch) up to a constant, and its gradient in θ. Pure: no random numbers, no state. */
export interface Model<Z, B = Batch> {
  readonly names: readonly string[];
  logJoint(theta: Float64Array, z: Z, batch: B): number;
  /** out += scale · ∇_θ log π(θ, z | batch), less the resting gradient where there is one. */
  addGrad(out: Float64Array, scale: number, theta: Float64Array, z: Z, batch: B): void;
  /** The gradient of a coordinate that z leaves out of the likelihood. A model without it uses all of θ. */
  rest?(j: number, value: number): number;
}

/** A Markov kernel on z that leaves π(z | θ, batch) invariant: reversible jumps, Gibbs labels, forward-backward. */
export interface InnerKernel<Z, B = Batch> {
  init(rng: Rng, theta: Float64Array): Z;
  /** Brings whatever z caches of the batch up to date; called whenever θ or the batch has changed. */
  enter(z: Z, theta: Float64Array, batch: B): void;
  /** One move. Returns whether z changed, so that equal models share one gradient. */
  step(rng: Rng, z: Z, theta: Float64Array, batch: B): boolean;
}

/** A latent variable that lets coordinates sleep says which ones were awake since `enter`. */
export interface Sparse {
  readonly touched: Coordinates;
}

/** What an integrator may ask of the current mini-batch. */
export interface Gradient {
  /** Writes the estimate of ∇ log π(θ | D) into `out` at the coordinates that it returns, and nowhere else. */
  at(out: Float64Array, theta: Float64Array): Coordinates;
}

/** A gradient that also estimates its own error. Fisher scoring asks for it. */
export interface GradientWithNoise extends Gradient {
  /**
   * Writes estimates of the information −∇² log π and of the covariance of ĝ about ∇ log π(θ | D), for the
   * coordinates that the last `at` returned: the diagonals, at those coordinates and nowhere else, or the whole
   * matrices, row after row in the order of the coordinates.
   */
  noise(information: Float64Array, covariance: Float64Array, shape: "diagonal" | "full"): void;
}

/** A discretised diffusion. Knows nothing of models, latent variables or data. State is mutated in place. */
export interface Integrator<S extends { readonly theta: Float64Array }, G extends Gradient = Gradient> {
  init(rng: Rng, theta: Float64Array): S;
  step(rng: Rng, state: S, gradient: G, stepSize: number): void;
}

/** A number, or a number that changes with the iteration t = 1, 2, … */
export type Schedule = number | Steps;

export interface Steps {
  (t: number): number;
  /** How much the draw of iteration t counts in an average; 1 where it is not given. */
  weight?(t: number): number;
}
