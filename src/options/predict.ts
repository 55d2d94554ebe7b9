/** What a user may ask of `predict`. */

import type { PredictAsked } from "./asked.js";
import { checkAsked } from "./check.js";
import type { Progress } from "./fit.js";
import { entries } from "./option.js";
import { readingOptions } from "./reading.js";
import { options } from "./table.js";

export const predictOptions: Pick<typeof options, "memory"> & typeof readingOptions = {
  ...entries(options, ["memory"]),
  ...readingOptions,
};

export interface PredictOptions extends PredictAsked {
  /** Stops the predictions. */
  readonly signal?: AbortSignal | undefined;
  /** Hears how many rows have been predicted. */
  readonly onProgress?: ((progress: Progress) => void) | undefined;
}

export function checkPredict(asked: PredictOptions): void {
  checkAsked(asked, { table: predictOptions, beside: ["signal", "onProgress"], relations: [] });
}
