import type { Scaling } from "../store/batch/scaling.js";
import type { Job } from "../workers/job.js";
import type { Sums } from "./gram-source.js";
import { innerProducts } from "./inner-products.js";
import { type RjmhOutput, type RjmhPlan, rjmhChain } from "./rjmh.js";

export interface RjmhInput {
  readonly plan: RjmhPlan;
  readonly scaling: Scaling;
  /** Over all rows. */
  readonly sums: Sums;
}

export const rjmhJob: Job<RjmhInput, RjmhOutput> = {
  name: "rjmh",
  start: ({ store, arena }, { plan, scaling, sums }) =>
    rjmhChain(innerProducts(store, arena, scaling, sums), plan),
};
