/** Options of the command line alone: where results go, and how much is said. */

import { flag, text } from "./kinds.js";
import type { OptionTable } from "./option.js";

export const outputs = {
  /** Where to write (nothing is overwritten). */
  out: { kind: text, symbol: "PATH", words: "where to write (nothing is overwritten)" },
  /** Print one JSON object instead of the text. */
  json: { kind: flag, words: "print one JSON object instead of the text" },
  /** No progress and no messages. */
  quiet: { kind: flag, words: "no progress and no messages" },
  /** Show it in the browser. */
  open: { kind: flag, words: "show it in the browser" },
  /** Show this help. */
  help: { kind: flag, words: "show this help" },
} satisfies OptionTable;
