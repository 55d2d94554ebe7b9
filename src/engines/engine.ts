/**
 * A table that is asked, not read. Everything that needs sums over all rows becomes a question in SQL (question.ts), and
 * what comes back is a few numbers; rows come as a sample. An engine is a dialect and a client: its file says how names
 * are quoted, what its columns hold and how an answer arrives, and knows nothing of statistics.
 */

import type { SqlFunctions } from "../families/family.js";
import type { RawChunk, RawType } from "../tables/judge/raw-table.js";

export interface Engine {
  /** What the user calls the table: for messages, so never with a password. */
  readonly name: string;
  readonly dialect: Dialect;
  readonly limits: Limits;
  /** What stands after FROM. */
  readonly table: string;
  /** A condition on its rows, as the user gave it. */
  readonly where?: string;
  readonly columns: readonly EngineColumn[];
  /** Names of rows, no two of which have the same; where there are none, rows are told apart by what they hold. */
  readonly key?: readonly string[];
  /** The rows of a query, as many columns as there are types: numbers as float64 (NaN where missing), or texts. */
  rows(sql: string, types: readonly AnswerType[], how: Answering): AsyncIterable<RawChunk>;
  close(): Promise<void> | void;
}

export type AnswerType = "number" | "text";

export interface Answering {
  /** Cancels the query, on the server too. */
  readonly signal?: AbortSignal | undefined;
  /** How many rows there will be, where they are many; an answer with fewer or more was cut off, and is an error. */
  readonly expected?: number | undefined;
  /** Hears what the query has read, now and then and at its end. */
  readonly onRead?: ((read: Read) => void) | undefined;
}

/** What a query has read so far, as the engine counts. */
export interface Read {
  readonly rows: number;
  /** Absent where the engine does not say. */
  readonly bytes?: number;
  /** Rows that it expects to read. */
  readonly total?: number;
}

export interface EngineColumn {
  readonly name: string;
  readonly type: RawType;
  /** What it holds where nothing can be made of it. */
  readonly problem?: string;
  /** Its values as the engine writes them: float64 (dates in days, booleans 0 and 1) or text; NULL where missing. */
  readonly value: string;
  /** Whether a value may be NaN or infinite. */
  readonly real?: true;
  /** Bytes of a value, about: what a question costs. */
  readonly bytes: number;
}

/** How much may be asked at once. */
export interface Limits {
  /** Aggregates of a query: what it takes to analyse them grows faster than their number. */
  readonly aggregates: number;
  /** Columns that a query reads. */
  readonly columns: number;
  /** Letters of a query. */
  readonly letters: number;
  /** Words of a query once every name stands for what it means, where the engine puts it in its place. */
  readonly words?: number;
}

/** How an engine writes what all of them have. */
export interface Dialect extends SqlFunctions {
  /** Where the names in a question are given: in queries inside one another, or all in front of one. */
  readonly names: "nested" | "in front";
  identifier(name: string): string;
  literal(text: string): string;
  /** As float64 that is never NULL: NaN where it is missing. */
  number(expression: string): string;
  /** As text that may be NULL. */
  text(expression: string): string;
  isNaN(expression: string): string;
  /** A whole number from 0 to HASHES − 1 that depends on all of them, none of which is NULL, and on nothing else. */
  hash(expressions: readonly string[]): string;
}

export const HASHES = 2 ** 32;
