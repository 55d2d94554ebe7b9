/** The work that threads share out: pieces of a pass over the columns, and chains. Plain data in, plain data out. */

import { type PeerJob, type PeerResults, startPeerJob } from "../peers/jobs.js";
import { type Scores, type ScoresJob, scoresOfBlocks } from "../selection/answer/scores.js";
import { type Certified, type CertifyJob, certifyColumns } from "../selection/certify/certify.js";
import { certifyGlmColumns, type GlmCertifyJob } from "../selection/certify/glm-certify.js";
import { type ColumnSums, screenColumns } from "../selection/data/screen.js";
import { type ImputeJob, imputeBlocks } from "../selection/missing/impute-blocks.js";
import { type ProductsJob, productsOf } from "../selection/missing/neighbours.js";
import { type ScatterJob, scatterOfBlocks } from "../selection/missing/scatter.js";
import {
  type ExpansionJob,
  type ExpansionSums,
  expansionOfBlocks,
} from "../selection/posterior/expansion.js";
import { type GramJob, type GramSums, gramOfBlocks } from "../selection/posterior/gram.js";
import { type GibbsJob, type GibbsOutput, temperedGibbs } from "../selection/posterior/tempered-gibbs.js";
import { type ChainOutput, searchChain } from "../selection/search/chain.js";
import { type DevianceJob, type Deviances, deviancesOf } from "../selection/search/deviances.js";
import type { SearchJob } from "../selection/search/rounds.js";
import type { Arena } from "../store/batch/arena.js";
import type { Store } from "../store/store.js";

export interface JobResults extends PeerResults {
  screen: ColumnSums;
  deviances: Deviances;
  search: ChainOutput;
  gram: GramSums;
  certify: Certified;
  expansion: ExpansionSums;
  "certify-glm": Certified;
  gibbs: GibbsOutput;
  scores: Scores;
  /** Entries drawn. */
  impute: number;
  products: Float64Array;
  scatter: Float64Array;
}

export type Job =
  | { readonly kind: "screen"; readonly first: number; readonly last: number }
  | DevianceJob
  | SearchJob
  | GramJob
  | CertifyJob
  | ExpansionJob
  | GlmCertifyJob
  | GibbsJob
  | ScoresJob
  | ImputeJob
  | ProductsJob
  | ScatterJob
  | PeerJob;

export type ResultOf<J extends Job> = JobResults[J["kind"]];

/** A job under way: whoever runs it may stop after any step and still ask for the result so far. */
export interface Work {
  /** One step; false when there is nothing left to do. */
  next(): boolean;
  /** Steps done so far. */
  readonly done: number;
  result(): JobResults[keyof JobResults];
}

export function startJob(store: Store, arena: Arena, job: Job): Work {
  switch (job.kind) {
    case "screen":
      return oneStep(() => screenColumns(store, arena, job.first, job.last));
    case "deviances":
      return oneStep(() => deviancesOf(store, arena, job));
    case "gram":
      return oneStep(() => gramOfBlocks(store, arena, job));
    case "certify":
      return oneStep(() => certifyColumns(store, arena, job));
    case "expansion":
      return oneStep(() => expansionOfBlocks(store, arena, job));
    case "certify-glm":
      return oneStep(() => certifyGlmColumns(store, arena, job));
    case "scores":
      return oneStep(() => scoresOfBlocks(store, arena, job));
    case "gibbs":
      return temperedGibbs(job);
    case "impute":
      return oneStep(() => imputeBlocks(store, arena, job));
    case "scatter":
      return oneStep(() => scatterOfBlocks(store, arena, job));
    case "products":
      return oneStep(() => productsOf(store, arena, job));
    case "search": {
      const chain = searchChain(store, arena, job.plan, job.index, job.stretch);
      return {
        next: () => chain.next(),
        get done() {
          return chain.t;
        },
        result: () => chain.output(),
      };
    }
    default:
      return startPeerJob(store, arena, job);
  }
}

/** A piece of a pass is short: it runs whole, even when the run is being stopped. */
function oneStep(run: () => JobResults[keyof JobResults]): Work {
  let result: JobResults[keyof JobResults] | undefined;
  let done = 0;
  return {
    next() {
      if (result !== undefined) return false;
      result = run();
      done = 1;
      return true;
    },
    get done() {
      return done;
    },
    result: () => (result ??= run()),
  };
}
