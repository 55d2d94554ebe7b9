/** How the lines of a text file are cut: what was asked for, or what may be. */

import { SparrowError } from "../../errors.js";
import { option } from "../../wording.js";
import type { ReaderSettings } from "../reader.js";
import type { ReadingAsked } from "../reading-asked.js";
import { mostColumns } from "../wide/too-wide.js";

export interface Dialect {
  /** Those that may be; the first line tells which it is. */
  readonly delimiters: readonly string[] | undefined;
  /** Empty where there is none. */
  readonly quote: string;
  readonly noHeader: boolean;
  /** Columns that there may be. */
  readonly mostColumns: number;
}

const WORDS: Readonly<Record<string, string>> = {
  tab: "\t",
  "\\t": "\t",
  space: " ",
  comma: ",",
  semicolon: ";",
  pipe: "|",
};

export function dialectOf(
  asked: ReadingAsked & Pick<ReaderSettings, "memory">,
  delimiters?: readonly string[],
): Dialect {
  const delimiter = asked.delimiter === undefined ? undefined : (WORDS[asked.delimiter] ?? asked.delimiter);
  const quote = asked.quote === "none" ? "" : (asked.quote ?? '"');
  for (const [name, value] of [
    ["delimiter", delimiter ?? ","],
    ["quote", quote],
  ] as const) {
    if (value.length === 1 || (name === "quote" && value === "")) continue;
    throw new SparrowError(
      `${option(name)} must be one character${name === "quote" ? ", or none" : ", or tab or space"}, not "${value}".`,
      "option",
    );
  }
  if (delimiter === quote)
    throw new SparrowError(`${option("delimiter")} and ${option("quote")} cannot be the same.`, "option");
  return {
    delimiters: delimiter === undefined ? delimiters : [delimiter],
    quote,
    noHeader: asked.noHeader === true,
    mostColumns: mostColumns(asked.memory),
  };
}
