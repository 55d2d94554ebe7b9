/** A run as it lies in its folder: what a report is made of. */

import type { ClusterSummary } from "../clustering/tables/cluster-table.js";
import type { StateSummary } from "../clustering/tables/state-table.js";
import type { DrawTable } from "../draws/posterior-draws.js";
import type { GroupEffects } from "../mixed/group-effects.js";
import type { MixedResult } from "../mixed/result.js";
import type { PredictedRows } from "../selection/answer/fitted.js";
import type { FitResult } from "../selection/answer/result.js";

/** Of a mixed model. */
export interface StoredMixed {
  readonly result: Omit<MixedResult, "timing">;
  readonly record: RunRecord;
  /** The index, then β, σ² and the triangle of Σ. */
  readonly draws: DrawTable;
  readonly groups: GroupEffects;
}

/** Of clusters or hidden states. */
export interface StoredGrouping {
  readonly result: Omit<ClusterSummary, "timing"> | Omit<StateSummary, "timing">;
  readonly record: RunRecord;
  readonly draws: DrawTable;
}

/** Of a `fit`. */
export interface StoredRun {
  /** What `fit` returns, but for the time that it took. */
  readonly result: Omit<FitResult, "timing">;
  /** What was asked of whom, on which data. */
  readonly record: RunRecord;
  /** Seconds of each stage. */
  readonly timing?: FitResult["timing"];
  /** The models that have a chance, the most probable first. */
  readonly models?: {
    readonly exact: boolean;
    readonly names: readonly string[];
    readonly models: readonly { readonly variables: readonly number[]; readonly probability: number }[];
  };
  /** How the search went, where there was one. */
  readonly search?: {
    readonly iterations: number;
    readonly burnIn: number;
    readonly thin: number;
    readonly sizes: readonly (readonly number[])[];
  };
  /** Joint draws of all that was estimated. */
  readonly draws?: DrawTable;
  /** Some rows with what was predicted for them. */
  readonly predicted?: PredictedRows;
}

/** What was asked of whom, on which data: the same record gives the same answer. */
export interface RunRecord {
  /** Of Sparrow. */
  readonly version: string;
  /** Of all random numbers. */
  readonly seed: number;
  /** Whether draws are independent, or the states of Markov chains. */
  readonly draws: "independent" | "chains";
  /** What the data were. */
  readonly data: {
    readonly name: string;
    readonly rows: number;
    readonly columns: readonly string[];
    /** Standard deviations of the columns. */
    readonly sd?: readonly number[];
    readonly checksum: string;
  };
  /** What was asked for. */
  readonly options: Readonly<Record<string, unknown>>;
  /** What was used, chosen or given. */
  readonly settings: Readonly<Record<string, unknown>>;
}
