/** Where a chain of the paper's settings stands, as plain data: another process can go on from it, to the same end. */

import type { SparseDrawStanding } from "../../draws/sparse-draws.js";
import type { SgldState } from "../../integrators/sgld.js";
import type { SpikeStanding } from "../../latent/pseudo-prior.js";
import type { Selection } from "../../latent/selection.js";
import type { RngState } from "../../math/rng.js";
import type { Standing } from "../../sampling/chain.js";
import type { SearchState } from "./state.js";
import type { SearchPlan } from "./types.js";

export interface SearchStanding {
  readonly chain: Standing<SgldState>;
  readonly model: Omit<Selection, "eta" | "scratch" | "always">;
  readonly spike: SpikeStanding;
  readonly noiseVariance: number;
  /** Of the moves between models, and of σ². */
  readonly latent: RngState;
  readonly noise: RngState;
  readonly record: RecordStanding;
}

export interface RecordStanding {
  readonly models: number;
  readonly inclusion: Float64Array;
  readonly sizes: readonly number[];
  readonly draws: SparseDrawStanding;
}

/** Chains that follow the model are cut into rounds, which are short. */
export function canStand(plan: SearchPlan, { adaptation, informed, pseudoPrior }: SearchState): boolean {
  return plan.integrator === "sgld" && !adaptation && !informed && pseudoPrior.save !== undefined;
}

export function standingOf({ z, pseudoPrior, noise }: SearchState) {
  const { eta: _, scratch: __, always: ___, ...model } = z;
  return { model, spike: pseudoPrior.save!(), noiseVariance: noise.variance };
}

/** η follows from the model and the next batch. */
export function restoreStanding(
  state: SearchState,
  { chain, model, spike, noiseVariance }: SearchStanding,
): void {
  const { z, theta, pseudoPrior, noise } = state;
  theta.set(chain.state.theta);
  z.members.set(model.members);
  z.place.set(model.place);
  z.touched.indices.set(model.touched.indices);
  z.lastTouched.set(model.lastTouched);
  z.touched.count = model.touched.count;
  z.size = model.size;
  z.sumSquares = model.sumSquares;
  z.epoch = model.epoch;
  pseudoPrior.restore!(spike);
  noise.variance = noiseVariance;
}
