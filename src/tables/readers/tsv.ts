import type { Reader } from "../reader.js";
import { delimitedFiles } from "./delimited-files.js";
import { kinds } from "./kinds.js";

/** Values with tabs between them, whatever else is in the header. */
export const tsv: Reader = {
  ...kinds.tsv,
  open: (paths, settings) => delimitedFiles(paths, settings, ["\t"]),
};
