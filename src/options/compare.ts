/** What a user may ask of `compare`. */

import type { CompareAsked } from "./asked.js";
import { checkAsked, checkRequired } from "./check.js";
import { COMPARE_METHODS, MISSING_WITHOUT_MODEL } from "./choices.js";
import type { Progress } from "./fit.js";
import { choice, some, within } from "./kinds.js";
import { entries, type OptionTable } from "./option.js";
import { readingOptions } from "./reading.js";
import { options } from "./table.js";

const SHARED = [
  "target",
  "family",
  "exclude",
  "memory",
  "engine",
  "where",
  "query",
  "threads",
  "seed",
] as const;

/** The options of `fit` that are the same here. */
type Shared = Pick<typeof options, (typeof SHARED)[number] | keyof typeof readingOptions>;

const own = {
  methods: {
    kind: some(...COMPARE_METHODS),
    symbol: "NAME,...",
    words: "the methods to compare",
    usually: "all that fit the target",
  },
  missing: {
    kind: choice(...MISSING_WITHOUT_MODEL),
    words:
      "missing predictors, the same for all methods: leave their rows out, put the column's mean in their place, or refuse",
    usual: "error",
  },
  holdout: {
    kind: within(0, 0.5),
    symbol: "SHARE",
    words: "share of the rows to measure errors on; 0 for none",
    usual: 0.2,
  },
} satisfies OptionTable;

export const compareOptions: Shared & typeof own = {
  ...entries(options, ["target"]),
  ...own,
  ...entries(options, SHARED),
  ...readingOptions,
};

export interface CompareOptions extends CompareAsked {
  /** Stops the comparison. */
  readonly signal?: AbortSignal | undefined;
  /** Hears how far reading, and the fit by our own method, have come. */
  readonly onProgress?: ((progress: Progress) => void) | undefined;
  /** Hears which method is next. */
  readonly onMethod?: ((method: string) => void) | undefined;
}

export function checkCompare(asked: CompareOptions): void {
  checkRequired(asked, compareOptions);
  checkAsked(asked, { table: compareOptions, beside: ["signal", "onProgress", "onMethod"], relations: [] });
}
