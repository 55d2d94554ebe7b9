/** What a user may ask of `describe`. */

import type { DescribeAsked } from "./asked.js";
import { checkAsked } from "./check.js";
import type { Progress } from "./fit.js";
import { entries } from "./option.js";
import { readingOptions } from "./reading.js";
import { options } from "./table.js";

const { required: _, ...target } = options.target;

export const describeOptions: {
  readonly target: typeof target;
} & Pick<typeof options, "memory"> &
  typeof readingOptions = { target, ...entries(options, ["memory"]), ...readingOptions };

export interface DescribeOptions extends DescribeAsked {
  /** Stops the work. */
  readonly signal?: AbortSignal | undefined;
  /** Hears how many rows have been read. */
  readonly onProgress?: ((progress: Progress) => void) | undefined;
}

export function checkDescribe(asked: DescribeOptions): void {
  checkAsked(asked, { table: describeOptions, beside: ["signal", "onProgress"], relations: [] });
}
