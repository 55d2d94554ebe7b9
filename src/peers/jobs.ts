/** The work of the peer methods that threads share out. */

import type { Arena } from "../store/batch/arena.js";
import type { Scaling } from "../store/batch/scaling.js";
import type { Store } from "../store/store.js";
import type { Work } from "../workers/jobs.js";
import {
  type CrossProductJob,
  type CrossProducts,
  crossProducts,
  type FoldSumsJob,
  foldSums,
} from "./cross-products.js";
import type { Sums } from "./gram-source.js";
import { innerProducts } from "./inner-products.js";
import { type GlmPassJob, type GlmPassSums, glmPass } from "./penalized/glm-pass.js";
import { type RjmhOutput, type RjmhPlan, rjmhChain } from "./rjmh.js";

export interface PeerResults {
  "cross-products": CrossProducts;
  "fold-sums": Float64Array;
  "glm-pass": GlmPassSums;
  rjmh: RjmhOutput;
}

export interface RjmhJob {
  readonly kind: "rjmh";
  readonly plan: RjmhPlan;
  readonly scaling: Scaling;
  /** Over all rows. */
  readonly sums: Sums;
}

export type PeerJob = CrossProductJob | FoldSumsJob | GlmPassJob | RjmhJob;

export function startPeerJob(store: Store, arena: Arena, job: PeerJob): Work {
  switch (job.kind) {
    case "cross-products":
      return piece(() => crossProducts(store, arena, job));
    case "fold-sums":
      return piece(() => foldSums(store, arena, job));
    case "glm-pass":
      return piece(() => glmPass(store, arena, job));
    case "rjmh": {
      const chain = rjmhChain(innerProducts(store, arena, job.scaling, job.sums), job.plan);
      return {
        next: () => chain.next(),
        get done() {
          return chain.t;
        },
        result: () => chain.output(),
      };
    }
  }
}

/** A piece of a pass is short: it runs whole. */
function piece(run: () => PeerResults[keyof PeerResults]): Work {
  let result: PeerResults[keyof PeerResults] | undefined;
  return {
    next() {
      if (result !== undefined) return false;
      result = run();
      return true;
    },
    done: 0,
    result: () => (result ??= run()),
  };
}
