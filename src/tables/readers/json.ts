import { asUtf8 } from "../packed/as-utf8.js";
import { fileOnDisk } from "../packed/on-disk.js";
import type { Reader } from "../reader.js";
import { kinds } from "./kinds.js";

/** An array of objects; what is called .json may hold one object a line as well. */
export const json: Reader = {
  ...kinds.json,
  async open(paths, settings) {
    const { jsonTable } = await import("../json/json-table.js");
    return asUtf8(paths, settings, (texts) => jsonTable(texts.map(fileOnDisk), settings));
  },
};
