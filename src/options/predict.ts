/** What a user may ask of `predict`. */

import type { PredictAsked } from "./asked.js";
import { checkAsked } from "./check.js";
import type { Progress } from "./fit.js";
import { columns } from "./kinds.js";
import { entries, type OptionTable } from "./option.js";
import { readingOptions } from "./reading.js";
import { options } from "./table.js";

export const predictOptions = {
  id: {
    kind: columns,
    symbol: "COLUMN,...",
    words: "columns of the data to carry over to the predictions, such as those that name a row",
  },
  ...entries(options, ["memory", "engine", "where", "query"]),
  ...readingOptions,
} satisfies OptionTable;

export interface PredictOptions extends PredictAsked {
  /** Stops the predictions. */
  readonly signal?: AbortSignal | undefined;
  /** Hears how many rows have been predicted. */
  readonly onProgress?: ((progress: Progress) => void) | undefined;
}

export function checkPredict(asked: PredictOptions): void {
  checkAsked(asked, { table: predictOptions, beside: ["signal", "onProgress"], relations: [] });
}
