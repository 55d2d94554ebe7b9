/** What `compare` returns and `--json` prints. */

import type { FamilyName } from "../families/register.js";

export interface MethodResult {
  /** Its name among the methods. */
  readonly method: string;
  /** What it is, in a sentence. */
  readonly explanation: string;
  /** Why there is no result. */
  readonly failure?: string;
  /** What it selects, with coefficients in the units of the data. */
  readonly selected?: readonly { readonly name: string; readonly coefficient: number }[];
  /** Mean Jaccard index of the selection with those of the other methods. */
  readonly agreement?: number;
  /** On the rows left out: mean squared error, or share of wrong classes. */
  readonly holdoutError?: number;
  /** Of wall clock, reading apart. */
  readonly seconds?: number;
  /** Most bytes held above those before the method. */
  readonly memory?: number;
  /** What it was run with. */
  readonly settings?: Readonly<Record<string, unknown>>;
}

export interface CompareResult {
  /** The kind of target. */
  readonly family: FamilyName;
  /** Rows of the data. */
  readonly rows: number;
  /** Variables that were offered. */
  readonly columns: number;
  /** The column to explain. */
  readonly target: string;
  /** Of the random numbers. */
  readonly seed: number;
  /** Rows that were left out of a second fit, for the errors. */
  readonly holdoutRows: number;
  /** Of the constant prediction. */
  readonly nullError?: number;
  /** What was done to the data on the way in. */
  readonly notes?: readonly string[];
  /** In the order in which they were run. */
  readonly methods: readonly MethodResult[];
}
