/** What a page can draw while a fit goes on: how far it is, and what the chains of the search have come to. */

import type { Progress } from "../options/fit.js";
import { type Environment, withPool } from "../selection/environment.js";
import { searchJob } from "../selection/search/rounds.js";
import type { SearchStanding } from "../selection/search/standing.js";
import type { ChainOutput } from "../selection/search/types.js";
import type { Job } from "../workers/job.js";
import type { Pool, RunOptions } from "../workers/pool.js";

/** How far a fit has come. */
export interface News extends Progress {
  /** Seconds since the start. */
  readonly seconds: number;
  /** Seconds until the end of the stage, about; absent where nobody can tell. */
  readonly left?: number;
  /** What the search has come to; absent before its first round is over, and where no search is needed. */
  readonly search?: SearchNews;
}

/** What the chains of a search have come to. */
export interface SearchNews {
  /** Model sizes so far, one list a chain, each since the start. */
  readonly sizes: readonly (readonly number[])[];
  /** The variables that are most often in the models of late, the most frequent first. */
  readonly inclusion: readonly InclusionNews[];
  /** Where nothing counts yet, because all chains are in their burn-in: shares are of a few looks at them of late. */
  readonly settling?: true;
}

/** How often a variable is in the models that were visited of late. */
export interface InclusionNews {
  /** Of the variable. */
  readonly name: string;
  /** Over all chains. */
  readonly probability: number;
  /** In each chain. */
  readonly chains: readonly number[];
}

/** Variables that are told of. */
const MOST = 50;
/** Milliseconds between two looks at a chain under way. */
const INTERVAL = 250;

/** Counts of one chain: models, and how many of them held each variable. */
interface Counts {
  readonly models: number;
  readonly inclusion: ArrayLike<number>;
  readonly sizes: ArrayLike<number>;
  /** The variables of the model that the chain holds now. */
  readonly held: ArrayLike<number>;
}

/** What a look adds to what the looks before it saw. */
const OF_A_LOOK = 0.2;

/** Shares of the looks at a chain that found each variable in its model, the last ones above all. */
class Looks {
  private shares: Float64Array | undefined;

  add(held: ArrayLike<number>, variables: number): void {
    const now = new Float64Array(variables);
    for (const j of Array.from(held)) if (j < variables) now[j] = 1;
    const { shares } = this;
    this.shares = shares ? now.map((is, j) => shares[j] + OF_A_LOOK * (is - shares[j])) : now;
  }

  get counts(): ArrayLike<number> | undefined {
    return this.shares;
  }
}

/** The same surroundings, which tell what is going on. */
export function telling(
  environment: Environment,
  onNews: (news: News) => void,
): { readonly environment: Environment; onProgress(progress: Progress): void } {
  const start = performance.now();
  let began = { stage: "" as string, at: start };
  let last: Progress = { stage: "read", done: 0, total: 0 };
  let search: SearchNews | undefined;
  const tell = () => {
    const now = performance.now();
    if (last.stage !== began.stage) began = { stage: last.stage, at: now };
    const { done, total } = last;
    const left = total > done && done > 0 ? ((now - began.at) / 1000) * (total / done - 1) : undefined;
    onNews({
      ...last,
      seconds: (now - start) / 1000,
      ...(left !== undefined && { left }),
      ...(search && { search }),
    });
  };
  return {
    onProgress(progress) {
      last = progress;
      tell();
    },
    environment: withPool(environment, async (store, size) =>
      watched(await environment.pool(store, size), store.names, (found) => {
        search = found;
        tell();
      }),
    ),
  };
}

function watched(pool: Pool, names: readonly string[], onSearch: (found: SearchNews) => void): Pool {
  let before: number[][] = [];
  return {
    ...pool,
    async run<I, O>(job: Job<I, O>, inputs: readonly I[], options: RunOptions = {}): Promise<O[]> {
      if (job.name !== searchJob.name) return pool.run(job, inputs, options);
      if (before.length !== inputs.length) before = inputs.map(() => []);
      const counts: (Counts | undefined)[] = inputs.map(() => undefined);
      const looks = inputs.map(() => new Looks());
      const look = (index: number, found: Counts | undefined) => {
        counts[index] = found;
        if (found?.models === 0) looks[index].add(found.held, names.length);
      };
      const tell = () => onSearch(newsOf(counts, looks, before, names));
      const results = await pool.run(job, inputs, {
        ...options,
        saving: options.saving ?? {
          interval: INTERVAL,
          from: inputs.map(() => undefined),
          onState(index, state) {
            look(index, standingCounts(state as SearchStanding | undefined));
            tell();
          },
          onResult: () => {},
        },
      });
      (results as readonly unknown[]).forEach((of, index) => {
        const { last, ...output } = of as ChainOutput;
        look(index, { ...output, held: last.members });
      });
      tell();
      before = before.map((sizes, index) => [...sizes, ...Array.from(counts[index]?.sizes ?? [])]);
      return results;
    },
  };
}

function standingCounts(standing: SearchStanding | undefined): Counts | undefined {
  if (!standing) return undefined;
  const { record, model } = standing;
  return { ...record, held: model.members.subarray(0, model.size) };
}

function newsOf(
  counts: readonly (Counts | undefined)[],
  looks: readonly Looks[],
  before: readonly (readonly number[])[],
  names: readonly string[],
): SearchNews {
  const counted = counts.filter((count) => count !== undefined && count.models > 0) as Counts[];
  const seen = looks.flatMap(({ counts: shares }) => (shares ? [shares] : []));
  const settling = counted.length === 0 && seen.length > 0;
  const rates = settling
    ? seen.map((shares) => (j: number) => shares[j])
    : counted.map(
        ({ inclusion, models }) =>
          (j: number) =>
            inclusion[j] / models,
      );
  const all = names.map((name, j) => ({ name, chains: rates.map((rate) => rate(j)) }));
  const inclusion = all
    .map(({ name, chains }) => ({
      name,
      chains,
      probability: chains.reduce((sum, share) => sum + share / chains.length, 0),
    }))
    .filter(({ probability }) => probability > 0)
    .sort((a, b) => b.probability - a.probability)
    .slice(0, MOST);
  return {
    sizes: before.map((sizes, index) => [...sizes, ...Array.from(counts[index]?.sizes ?? [])]),
    inclusion,
    ...(settling && { settling }),
  };
}
