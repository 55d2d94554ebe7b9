import { needed } from "../needed.js";
import { fileOnDisk } from "../packed/on-disk.js";
import { unpackedCopies } from "../packed/unpacked-copies.js";
import type { Reader } from "../reader.js";
import { kinds } from "./kinds.js";

/** Arrow IPC files and streams, Feather 2 among them. */
export const arrow: Reader = {
  ...kinds.arrow,
  async open(paths, settings) {
    const { arrowTable } = await needed(() => import("../arrow/arrow-table.js"));
    return unpackedCopies(paths, settings, (plain) => arrowTable(plain.map(fileOnDisk), settings));
  },
};
