import type { RunDetails } from "./answer/details.js";
import type { PredictedRows } from "./answer/fitted.js";
import type { FitResult } from "./answer/result.js";
import type { Searched } from "./search/rounds.js";

/** A fit with all that a run folder holds. */
export interface Run {
  /** What `fit` returns. */
  readonly result: FitResult;
  /** What the data were. */
  readonly data: DataRecord;
  /** What a run folder keeps beyond the summary. */
  readonly details: RunDetails;
  /** Some of the rows with what the model predicts for them. */
  readonly predicted: PredictedRows;
  /** How the search went, when there was one. */
  readonly search?: SearchTrace;
  /** What a database was asked, in its order: no secrets. */
  readonly questions?: readonly SentQuestion[];
  /** How many of them were planned, before each of its rounds. */
  readonly planned?: readonly PlannedQuestions[];
}

/** Questions that were planned together, as many as their size makes necessary. */
export interface PlannedQuestions {
  /** What was to be learnt. */
  readonly purpose: string;
  /** How many queries that takes. */
  readonly queries: number;
}

/** A query, and what it was for. */
export interface SentQuestion {
  /** What was to be learnt. */
  readonly purpose: string;
  /** As it was sent. */
  readonly sql: string;
  /** Rows of its answer: those that came here. */
  readonly came?: number;
  /** What it read, as the database counts, where it says so. */
  readonly read?: { readonly rows: number; readonly bytes?: number };
}

/** What the data were: enough to tell whether two runs saw the same. */
export interface DataRecord {
  /** The file, or "the data". */
  readonly name: string;
  /** Rows that were fitted. */
  readonly rows: number;
  /** Names of the predictors, in the order of the data. */
  readonly columns: readonly string[];
  /** Their standard deviations, to six digits: what makes effects comparable. */
  readonly sd?: readonly number[];
  /** Of the numbers in their order, whatever the format of the file: sixteen hexadecimal digits. */
  readonly checksum: string;
}

export interface SearchTrace {
  /** Iterations of each chain. */
  readonly iterations: number;
  /** Iterations that were discarded. */
  readonly burnIn: number;
  /** Every so many are kept. */
  readonly thin: number;
  /** Model size after every `thin` iterations, one list per chain. */
  readonly sizes: readonly (readonly number[])[];
}

export function searchTrace({ chains, plan }: Pick<Searched, "chains" | "plan">): SearchTrace {
  const { iterations, burnIn, thin } = plan;
  return { iterations, burnIn, thin, sizes: chains.map(({ sizes }) => [...sizes]) };
}
