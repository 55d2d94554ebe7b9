/**
 * The blocks of an emission given who belongs to them: rows are added one by one, whole or in shares, and then all
 * blocks are drawn from their conditional law (Gibbs), or put where it is highest (EM).
 */

import type { Rng } from "../../math/rng.js";
import type { Rows } from "../../types.js";

export interface ConjugateBlocks {
  /** Nothing was added yet. Holes are filled by the blocks as they are in θ, with a generator by draws. */
  clear(theta: Float64Array, rng?: Rng): void;
  /** The row values[first …) belongs to block k with this weight. */
  add(k: number, weight: number, values: Rows["values"], first: number): void;
  /** Writes all blocks into θ: a draw, or without a generator the mode. */
  renew(theta: Float64Array, rng?: Rng): void;
  /** Numbers that are free: what the Bayesian information criterion counts. */
  readonly parameters: number;
}
