import type { StoreHandle } from "../store/store.js";
import type { Job, JobResults } from "./jobs.js";

/** What a worker is born with. */
export interface WorkerSetup {
  readonly handle: StoreHandle;
  readonly scratch: { readonly start: number; readonly end: number };
  /** Shared flags: [ABORT], then one progress counter per worker from PROGRESS on. */
  readonly control: SharedArrayBuffer;
  readonly index: number;
}

export const ABORT = 0;
export const PROGRESS = 1;

export interface Assignment {
  readonly id: number;
  readonly job: Job;
}

export type Report =
  | { readonly ready: true }
  | { readonly id: number; readonly done: number; readonly result: JobResults[keyof JobResults] }
  /** Classes do not cross threads: an error for the user travels as its sentence. */
  | { readonly id: number; readonly error: unknown; readonly sentence?: string };
