/** How files and values are read: the same for every command that reads data. */

import { choice, columns, dateFormat, flag, list, text } from "./kinds.js";
import type { OptionTable } from "./option.js";

export const readingOptions = {
  na: {
    kind: list("values"),
    symbol: "VALUE,...",
    words: "values that mean a missing one, besides NA, ?, -, #N/A and their like",
  },
  decimal: {
    kind: choice(".", ","),
    words: "the decimal sign, where a column leaves it open",
    usually: "judged by column",
  },
  delimiter: {
    kind: text,
    symbol: "CHARACTER|tab",
    words: "what stands between the values of a line",
    usually: "the one of comma, tab, semicolon and bar that cuts the first line most often",
  },
  noHeader: {
    kind: flag,
    words: "the first line holds values; the columns are called column1, column2, …",
  },
  quote: { kind: text, symbol: "CHARACTER|none", words: "what stands around values", usual: '"' },
  dateFormat: {
    kind: dateFormat,
    symbol: "dmy|mdy|ymd|PATTERN",
    words: "the order of day, month and year, or a pattern like %d.%m.%Y",
    usually: "judged by column, and refused where both orders fit",
  },
  sheet: {
    kind: text,
    symbol: "NAME",
    words: "the sheet of a workbook, by name or number",
    usually: "the first",
  },
  categorical: {
    kind: columns,
    symbol: "COLUMN,...",
    words: "columns whose numbers are names of categories",
  },
  number: { kind: columns, symbol: "COLUMN,...", words: "columns of numbers, whatever they look like" },
  text: { kind: columns, symbol: "COLUMN,...", words: "columns of words, even where they are numbers" },
  missingLevel: {
    kind: columns,
    symbol: "COLUMN,...",
    words: "columns of words in which missing is a category of its own",
  },
  keep: {
    kind: columns,
    symbol: "COLUMN,...",
    words: "columns to take in that would be set aside: those that name their row, or have too many values",
  },
} satisfies OptionTable;

export const READING = Object.keys(readingOptions) as readonly (keyof typeof readingOptions)[];
