/** Options of the command line alone: where results go, and how much is said. */

import { choice, flag, text } from "./kinds.js";
import type { OptionTable } from "./option.js";

export const outputs = {
  out: { kind: text, symbol: "PATH", words: "where to write (nothing is overwritten)" },
  imputedAs: {
    kind: choice("parquet", "csv"),
    words: "the format of completed copies of the data",
    usual: "parquet",
  },
  json: { kind: flag, words: "print one JSON object instead of the text" },
  quiet: { kind: flag, words: "no progress and no messages" },
  open: { kind: flag, words: "show it in the browser" },
  help: { kind: flag, words: "show this help" },
} satisfies OptionTable;
