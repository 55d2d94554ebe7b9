/**
 * What a long run has come to, kept so that another process can go on. Everything is a function of data, options and
 * seed, so a run that is resumed does what it did before, and takes the results of finished jobs, and the states of
 * those under way, from the journal instead of doing them again. Calls of the pool are known by their numbers.
 */

import type { Job } from "./job.js";
import type { Pool, RunOptions } from "./pool.js";

export interface Journal {
  /** Milliseconds of work that may be lost: how often a job under way tells where it stands. */
  readonly interval: number;
  /** Says on which data the run works; fails where it was begun on others. */
  onData(checksum: string): void;
  /** The number of the next call. Fails where another job was asked for at this place before. */
  call(job: string): number;
  /** What a job came to, where it is known. */
  result(call: number, index: number): { readonly value: unknown } | undefined;
  /** Where a job stood, where it is known. */
  state(call: number, index: number): unknown;
  keepResult(call: number, index: number, value: unknown): void;
  keepState(call: number, index: number, state: unknown): void;
  /** A loop over calls that may be entered in the middle. */
  loop(): JournaledLoop;
}

export interface JournaledLoop {
  /** Where the loop stood when that was last kept. */
  readonly saved: unknown;
  /** Keeps where it stands, where it is time to, or where the run is being stopped. */
  keep(state: () => unknown, now?: boolean): void;
}

/** Calls that take less than this share of the interval are done again: a journal of them would be longer than it is worth. */
const WORTH_KEEPING = 0.02;

export function journaled<P>(pool: Pool<P>, journal: Journal): Pool<P> {
  return {
    ...pool,
    journal,
    async run<I, O>(job: Job<I, O, P>, inputs: readonly I[], options: RunOptions = {}): Promise<O[]> {
      if (options.kept === false) return pool.run(job, inputs, options);
      const call = journal.call(job.name);
      if (job.writes) return pool.run(job, inputs, options);
      const known = inputs.map((_, index) => journal.result(call, index));
      const left = known.flatMap((result, index) => (result ? [] : [index]));
      const held: (() => void)[] = [];
      const start = performance.now();
      const write = () => {
        if (performance.now() - start < WORTH_KEEPING * journal.interval) return;
        for (const keep of held.splice(0)) keep();
      };
      const results = await pool.run(
        job,
        left.map((index) => inputs[index]),
        {
          ...options,
          saving: {
            interval: journal.interval,
            from: left.map((index) => journal.state(call, index)),
            onState: (i, state) => journal.keepState(call, left[i], state),
            onResult(i, value) {
              held.push(() => journal.keepResult(call, left[i], value));
              write();
            },
          },
        },
      );
      write();
      const out = known.map((result) => result?.value as O);
      left.forEach((index, i) => {
        out[index] = results[i];
      });
      return out;
    },
  };
}
