/** A job: plain data in, plain data out, and a name by which every thread finds it. Its owner says what it does. */

import type { Arena } from "../store/batch/arena.js";
import type { Store } from "../store/store.js";

/** `P` is what it must find where it is done; a job that brings all of its data with it asks for nothing: `unknown`. */
export interface Job<I, O, P = Workplace> {
  /** Unique in the register of jobs. */
  readonly name: string;
  /** `from` is where such a job stood in a process that is gone, as `save` told it. */
  readonly start: (place: P, input: I, from?: unknown) => Work<O>;
  /** Arrays of its result, which it made for it alone: a thread hands them over instead of having them copied. */
  readonly made?: (result: O) => readonly ArrayBufferView[];
  /** Whether it changes the data that it works on; then it is done again when a run is resumed. */
  readonly writes?: true;
}

/** Where a job on a store is done: the data, and scratch memory that is its own until it ends. */
export interface Workplace {
  readonly store: Store;
  readonly arena: Arena;
}

/** A job under way: whoever runs it may stop after any step and still ask for the result so far. */
export interface Work<O> {
  /** One step; false when there is nothing left to do. */
  next(): boolean;
  /** Steps done so far. */
  readonly done: number;
  result(): O;
  /** Where it stands, as plain data from which it can go on; absent where jobs of its kind are short. */
  save?(): unknown;
}

/** Any job of a register: only its owner knows what goes in and what comes out. */
// biome-ignore lint/suspicious/noExplicitAny: inputs and outputs differ from job to job
export type AnyJob = Job<any, any, any>;

/** A piece of a pass over the data: short, so it runs whole, even when the run is being stopped. */
export function pass<I, O>(
  name: string,
  run: (store: Store, arena: Arena, input: I) => O,
  made?: (result: O) => readonly ArrayBufferView[],
): Job<I, O> {
  return {
    name,
    ...(made && { made }),
    start({ store, arena }, input) {
      let result: { readonly value: O } | undefined;
      const finish = () => (result ??= { value: run(store, arena, input) });
      return {
        next() {
          if (result) return false;
          finish();
          return true;
        },
        get done() {
          return result ? 1 : 0;
        },
        result: () => finish().value,
      };
    },
  };
}
