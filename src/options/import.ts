/** What a user may ask of `import`. */

import type { ImportAsked } from "./asked.js";
import { checkAsked } from "./check.js";
import { MISSING_WITHOUT_MODEL } from "./choices.js";
import type { Progress } from "./fit.js";
import { choice, count } from "./kinds.js";
import { entries, type OptionTable } from "./option.js";
import { readingOptions } from "./reading.js";
import { options } from "./table.js";

const SHARED = ["target", "family", "columns", "exclude", "memory", "seed"] as const;

/** The options of `fit` that are the same here. */
type Shared = Pick<typeof options, (typeof SHARED)[number] | keyof typeof readingOptions>;

const own = {
  missing: {
    kind: choice(...MISSING_WITHOUT_MODEL),
    words: "missing predictors: leave their rows out, put the column's mean in their place, or refuse",
    usual: "error",
  },
  blockRows: {
    kind: count,
    symbol: "n",
    words: "rows of a block, the smallest mini-batch there can be",
    usually: "a fiftieth of the rows, 500 to 20000",
  },
} satisfies OptionTable;

export const importOptions: Shared & typeof own = {
  ...entries(options, ["target"]),
  ...own,
  ...entries(options, SHARED),
  ...readingOptions,
};

export interface ImportOptions extends ImportAsked {
  /** Stops the import; nothing is written. */
  readonly signal?: AbortSignal | undefined;
  /** Hears how far reading and writing have come. */
  readonly onProgress?: ((progress: Progress) => void) | undefined;
}

/** The target is not asked for: some data name it themselves. */
export function checkImport(asked: Omit<ImportOptions, "target"> & { target?: string | undefined }): void {
  checkAsked(asked, { table: importOptions, beside: ["signal", "onProgress"], relations: [] });
}
