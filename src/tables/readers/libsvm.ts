import { needed } from "../needed.js";
import { fileOnDisk } from "../packed/on-disk.js";
import type { Reader } from "../reader.js";
import { kinds } from "./kinds.js";

/** LIBSVM and SVMlight files. */
export const libsvm: Reader = {
  ...kinds.libsvm,
  async open(paths, { name }) {
    const { libsvmTable } = await needed(() => import("../libsvm/libsvm-table.js"));
    return libsvmTable(paths.map(fileOnDisk), name);
  },
};
