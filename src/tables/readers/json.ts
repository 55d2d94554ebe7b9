import { asUtf8 } from "../packed/as-utf8.js";
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
    const isLines = /^\s*\{[^\n]*\}\s*\n\s*\{/.test(start);
    return asUtf8(paths, settings, isLines ? jsonLinesTable : jsonArrayTable);
  },
};
