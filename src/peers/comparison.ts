/** What `compare` returns and `--json` prints. */

import type { FamilyName } from "../families/register.js";

export interface MethodResult {
  readonly method: string;
  readonly explanation: string;
  /** Why there is no result. */
  readonly failure?: string;
  readonly selected?: readonly { readonly name: string; readonly coefficient: number }[];
  /** Mean Jaccard index of the selection with those of the other methods. */
  readonly agreement?: number;
  /** On the rows left out: mean squared error, or share of wrong classes. */
  readonly holdoutError?: number;
  readonly seconds?: number;
  /** Most bytes held above those before the method. */
  readonly memory?: number;
  readonly settings?: Readonly<Record<string, unknown>>;
}

export interface CompareResult {
  readonly family: FamilyName;
  readonly rows: number;
  readonly columns: number;
  readonly target: string;
  readonly seed: number;
  readonly holdoutRows: number;
  /** Of the constant prediction. */
  readonly nullError?: number;
  readonly methods: readonly MethodResult[];
}
