import type { RunDetails } from "./answer/details.js";
import type { FitResult } from "./answer/result.js";
import type { Searched } from "./search/rounds.js";

/** A fit with all that a run folder holds. */
export interface Run {
  readonly result: FitResult;
  readonly data: DataRecord;
  readonly details: RunDetails;
  /** How the search went, when there was one. */
  readonly search?: SearchTrace;
}

/** What the data were: enough to tell whether two runs saw the same. */
export interface DataRecord {
  readonly name: string;
  readonly rows: number;
  /** Names of the predictors, in the order of the data. */
  readonly columns: readonly string[];
  readonly checksum: string;
}

export interface SearchTrace {
  readonly iterations: number;
  readonly burnIn: number;
  readonly thin: number;
  /** Model size after every `thin` iterations, one list per chain. */
  readonly sizes: readonly (readonly number[])[];
}

export function searchTrace({ chains, plan }: Pick<Searched, "chains" | "plan">): SearchTrace {
  const { iterations, burnIn, thin } = plan;
  return { iterations, burnIn, thin, sizes: chains.map(({ sizes }) => [...sizes]) };
}
