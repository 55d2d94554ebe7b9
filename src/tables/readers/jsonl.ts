import { asUtf8 } from "../packed/as-utf8.js";
import { fileOnDisk } from "../packed/on-disk.js";
import type { Reader } from "../reader.js";
import { kinds } from "./kinds.js";

/** One object a line. */
export const jsonl: Reader = {
  ...kinds.jsonl,
  async open(paths, settings) {
    const { jsonLinesTable } = await import("../json/json-table.js");
    return asUtf8(paths, settings, (texts) => jsonLinesTable(texts.map(fileOnDisk), settings));
  },
};
