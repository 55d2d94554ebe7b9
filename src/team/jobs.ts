/** The work that threads share out: pieces of a pass over the columns, and chains. Plain data in, plain data out. */

import { type DeviancePlan, type Deviances, deviancesOf } from "../selection/deviances.js";
import { type ColumnSums, screenColumns } from "../selection/screen.js";
import { type ChainOutput, type SearchPlan, searchChain } from "../selection/search.js";
import type { Arena } from "../store/arena.js";
import type { Store } from "../store/store.js";

export interface JobResults {
  screen: ColumnSums;
  deviances: Deviances;
  search: ChainOutput;
}

export type Job =
  | { readonly kind: "screen"; readonly first: number; readonly last: number }
  | { readonly kind: "deviances"; readonly plan: DeviancePlan; readonly first: number; readonly last: number }
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
    case "screen":
      return atOnce(() => screenColumns(store, arena, job.first, job.last));
    case "deviances":
      return atOnce(() => deviancesOf(store, arena, job.plan, job.first, job.last));
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

/** Work that is done in one step. */
function atOnce<T extends JobResults[keyof JobResults]>(work: () => T): Work {
  let result: T | undefined;
  return {
    next() {
      if (result) return false;
      result = work();
      return true;
    },
    done: 0,
    result: () => result!,
  };
}

/** Columns 0 … columns cut into one piece for each member of the team. */
export function columnPieces(columns: number, size: number): { first: number; last: number }[] {
  const pieces = Math.min(size, columns);
  return Array.from({ length: pieces }, (_, i) => ({
    first: Math.floor((i * columns) / pieces),
    last: Math.floor(((i + 1) * columns) / pieces),
  }));
}
