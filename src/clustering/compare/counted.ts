/** Several numbers of clusters or states, each a job, and what they come to together. */

import { SparrowError } from "../../errors.js";
import type { Rng } from "../../math/rng.js";
import { asProperty, spelt } from "../../wording.js";
import { type Crew, type RunningOptions, withPool } from "../../workers/crew.js";
import type { CountJob } from "./count-job.js";
import { chosen, type NumberChoice, type NumberFound, type NumberScore, scored } from "./number-choice.js";

interface CountedSettings<D> {
  readonly job: CountJob<D>;
  /** "clusters" or "states". */
  readonly kind: string;
  readonly counts: readonly number[];
  readonly problem: (count: number) => D;
  readonly folds: number;
  readonly rng: Rng;
  /** All of it takes about so long. */
  readonly seconds: number;
  readonly running: RunningOptions;
  readonly crew: Crew;
  readonly observed: (scores: number) => Parameters<typeof scored>[1];
}

interface CountedResult extends NumberChoice {
  readonly scores: readonly (NumberScore & { readonly count: number })[];
  readonly failures: readonly { readonly count: number; readonly failure: string }[];
  readonly partial?: true;
}

export async function counted<D>(settings: CountedSettings<D>): Promise<CountedResult> {
  const { job, kind, counts, folds, rng, seconds, running, crew } = settings;
  if (counts.length === 0) throw new SparrowError(`There is no number of ${kind} to compare.`, "option");
  const { signal, onProgress, threads } = running;
  const tasks = counts.map((count) => ({
    problem: settings.problem(count),
    rng: rng.split(count).save(),
    folds,
  }));
  const report = (done: number): void => onProgress?.({ stage: "sample", done, total: counts.length });
  const results = await withPool(crew, { chains: counts.length, threads, work: seconds }, (pool) =>
    pool.run(job, tasks, { signal, onProgress: report }),
  );
  const found: NumberFound[] = [];
  const failures: { count: number; failure: string }[] = [];
  results.forEach((result, i) => {
    const count = counts[i];
    if (result && "failure" in result) failures.push({ count, failure: spelt(result.failure, asProperty) });
    else if (result) found.push({ count, found: result });
  });
  const stopped = results.some((result) => result === undefined);
  if (found.length === 0) {
    if (stopped) throw new SparrowError("No number was done: the run was stopped too early.", "stopped");
    throw new SparrowError(failures[0].failure, "data");
  }
  const scores = scored(found, settings.observed(found[0].found.scores.length));
  return { ...chosen(scores, kind), scores, failures, ...(stopped && { partial: true as const }) };
}
