/**
 * A pool for data that are asked: passes over all rows become questions, and jobs that need none of them, or walk on the
 * rows at hand, are done by the threads as ever. The pipeline does not know the difference.
 */

import { certifyJob } from "../selection/certify/certify.js";
import { screenJob } from "../selection/data/screen.js";
import { bendsJob } from "../selection/expansion/bends.js";
import { certifyExpandedJob } from "../selection/expansion/certify.js";
import { changesJob, cubesJob } from "../selection/expansion/changes.js";
import { extremesJob } from "../selection/expansion/column-shapes.js";
import { expansionJob } from "../selection/expansion/expansion.js";
import { modeJob } from "../selection/expansion/modes.js";
import { pairScanJob } from "../selection/hidden/pair-scan.js";
import { residualScoresJob } from "../selection/hidden/residual-scores.js";
import { gramJob } from "../selection/posterior/gram.js";
import { gibbsJob } from "../selection/posterior/walks/tempered-gibbs.js";
import { searchJob } from "../selection/search/rounds.js";
import type { Store } from "../store/store.js";
import type { AnyJob, Job } from "../workers/job.js";
import type { Pool, RunOptions } from "../workers/pool.js";
import { answerCertify } from "./answers/certify.js";
import { answerCertifyExpanded } from "./answers/certify-expanded.js";
import { answerBends, answerChanges, answerCubes } from "./answers/changes.js";
import { answerExpansion, answerModes } from "./answers/expansion.js";
import { answerGram } from "./answers/gram.js";
import { answerExtremes, answerScreen } from "./answers/moments.js";
import type { AskedVariables } from "./asked-variables.js";
import type { Asker } from "./asker.js";
import type { KnownSums } from "./known-sums.js";

/** Whom a pass is answered by. */
export interface Asked {
  readonly asker: Asker;
  readonly variables: AskedVariables;
  readonly store: Store;
  /** What has been asked for. */
  readonly known: KnownSums;
  /** Σu, Σu² and Σuy of every variable and of the target, where the description of columns told; NaN elsewhere. */
  readonly described: Float64Array;
}

// biome-ignore lint/suspicious/noExplicitAny: inputs and outputs differ from job to job
type Answer = (asked: Asked, inputs: readonly any[]) => Promise<any[]>;

function answering<I, O>(job: Job<I, O>, answer: (asked: Asked, inputs: readonly I[]) => Promise<O[]>) {
  return [job.name, answer as Answer] as const;
}

const ANSWERS: ReadonlyMap<string, Answer> = new Map([
  answering(screenJob, answerScreen),
  answering(gramJob, answerGram),
  answering(certifyJob, answerCertify),
  answering(extremesJob, answerExtremes),
  answering(expansionJob, answerExpansion),
  answering(modeJob, answerModes),
  answering(changesJob, answerChanges),
  answering(cubesJob, answerCubes),
  answering(bendsJob, answerBends),
  answering(certifyExpandedJob, answerCertifyExpanded),
]);

/** Jobs that bring their data with them, or walk on the rows at hand. */
const AT_HAND: readonly AnyJob[] = [gibbsJob, searchJob, residualScoresJob, pairScanJob];

export function askingPool(asked: Asked, threads: Pool): Pool {
  return {
    size: threads.size,
    async run<I, O>(job: Job<I, O>, inputs: readonly I[], options: RunOptions = {}): Promise<O[]> {
      if (AT_HAND.some(({ name }) => name === job.name)) return threads.run(job, inputs, options);
      const answer = ANSWERS.get(job.name);
      if (!answer) throw new Error(`No question answers the job ${job.name}.`);
      const before = asked.asker.sent.length;
      const answers: O[] = await answer(asked, inputs);
      options.onProgress?.(asked.asker.sent.length - before);
      answers.forEach((value, index) => {
        options.saving?.onResult(index, value);
      });
      return answers;
    },
    close: () => threads.close(),
  };
}
