import { needed } from "../needed.js";
import { fileOnDisk } from "../packed/on-disk.js";
import type { Reader } from "../reader.js";
import { kinds } from "./kinds.js";

/** Arrow IPC files and streams, Feather 2 among them. */
export const arrow: Reader = {
  ...kinds.arrow,
  async open(paths, settings) {
    const { arrowTable } = await needed(() => import("../arrow/arrow-table.js"));
    return arrowTable(paths.map(fileOnDisk), settings);
  },
};
