import { asUtf8 } from "../packed/as-utf8.js";
import { fileOnDisk } from "../packed/on-disk.js";
import type { Reader } from "../reader.js";
import { firstBytes } from "../source.js";

/** An array of objects; what is called .json may hold one object a line as well. */
export const json: Reader = {
  name: "json",
  endings: ["json"],
  matches: (source) => !source.isFolder && /^\s*\[\s*\{/.test(source.start()),
  async open(paths, settings) {
    const { jsonArrayTable, jsonLinesTable } = await import("../json/json-table.js");
    const start = firstBytes(paths[0], 4096).toString("utf8");
    const table = isLines(start) ? jsonLinesTable : jsonArrayTable;
    return asUtf8(paths, settings, (texts) => table(texts.map(fileOnDisk), settings));
  },
};

/** Whether a text that begins like this has an object a line. */
export function isLines(start: string): boolean {
  return /^\s*\{[^\n]*\}\s*\n\s*\{/.test(start);
}
