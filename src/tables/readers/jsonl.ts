import { asUtf8 } from "../packed/as-utf8.js";
import { fileOnDisk } from "../packed/on-disk.js";
import type { Reader } from "../reader.js";

/** One object a line. */
export const jsonl: Reader = {
  name: "jsonl",
  endings: ["jsonl", "ndjson"],
  matches: (source) => !source.isFolder && /^\s*\{/.test(source.start()),
  async open(paths, settings) {
    const { jsonLinesTable } = await import("../json/json-table.js");
    return asUtf8(paths, settings, (texts) => jsonLinesTable(texts.map(fileOnDisk), settings));
  },
};
