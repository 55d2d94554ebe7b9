import { type ErrorCode, SparrowError } from "../errors.js";
import type { StoreHandle } from "../store/store.js";

/** What a worker is born with. */
export interface WorkerSetup {
  /** The store of the pool and this worker's part of its memory; undefined where jobs bring their own data. */
  readonly place: { readonly handle: StoreHandle; readonly scratch: Scratch } | undefined;
  /** Shared flags: [ABORT], then one progress counter per worker from PROGRESS on. */
  readonly control: SharedArrayBuffer;
  readonly index: number;
}

export interface Scratch {
  readonly start: number;
  readonly end: number;
}

export const ABORT = 0;
export const PROGRESS = 1;

export interface Assignment {
  readonly id: number;
  /** The name of the job. */
  readonly job: string;
  readonly input: unknown;
  /** Where it stood before, and milliseconds between two looks at where it stands; absent where nobody asks. */
  readonly saving?: { readonly from: unknown; readonly interval: number } | undefined;
}

export type Report =
  | { readonly ready: true }
  /** A job under way tells where it stands. */
  | { readonly id: number; readonly state: unknown }
  | { readonly id: number; readonly done: number; readonly result: unknown }
  | { readonly id: number; readonly problem: Problem };

/** An error as plain data: structured cloning would strip a SparrowError of its class, and so of its meaning. */
export type Problem =
  | { readonly message: string; readonly code: ErrorCode }
  | { readonly unexpected: unknown };

export function problemOf(error: unknown): Problem {
  if (error instanceof SparrowError) return { message: error.marked, code: error.code };
  return { unexpected: error };
}

export function errorOf(problem: Problem): unknown {
  return "unexpected" in problem ? problem.unexpected : new SparrowError(problem.message, problem.code);
}
