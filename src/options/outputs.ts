/** Options of the command line alone: where results go, and how much is said. */

import { choice, flag, text, whole } from "./kinds.js";
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
  noOpen: { kind: flag, words: "do not start a browser" },
  port: { kind: whole, symbol: "PORT", words: "the port to serve at", usually: "one that is free" },
  explain: {
    kind: flag,
    words:
      "say what a database would be asked and how much that reads, and ask only for its columns and rows",
  },
  profile: {
    kind: flag,
    words:
      "say at the end where the time went, from the start of the process, by the clock and the processor",
  },
  help: { kind: flag, words: "show this help" },
} satisfies OptionTable;
