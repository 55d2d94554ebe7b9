/** The work that threads share out: pieces of a pass over the columns, and chains. Plain data in, plain data out. */

import { type ColumnSums, screenColumns } from "../selection/screen.js";
import { type ChainOutput, type SearchPlan, searchChain } from "../selection/search.js";
import type { Arena } from "../store/arena.js";
import type { Store } from "../store/store.js";

export interface JobResults {
  screen: ColumnSums;
  search: ChainOutput;
}

export type Job =
  | { readonly kind: "screen"; readonly first: number; readonly last: number }
  | { readonly kind: "search"; readonly plan: SearchPlan; readonly index: number };

export type ResultOf<J extends Job> = JobResults[J["kind"]];

/**
 * A job as a generator: it yields how much of it is done, and whoever runs it may stop it at any yield and still
 * get the result so far.
 */
export interface Work {
  next(): boolean;
  /** Steps done so far. */
  readonly done: number;
  result(): JobResults[keyof JobResults];
}

export function startJob(store: Store, arena: Arena, job: Job): Work {
  switch (job.kind) {
    case "screen": {
      let result: ColumnSums | undefined;
      return {
        next() {
          if (result) return false;
          result = screenColumns(store, arena, job.first, job.last);
          return true;
        },
        done: 0,
        result: () => result!,
      };
    }
    case "search": {
      const chain = searchChain(store, arena, job.plan, job.index);
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
