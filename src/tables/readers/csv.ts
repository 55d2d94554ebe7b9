import type { Reader } from "../reader.js";
import { delimitedFiles } from "./delimited-files.js";
import { kinds } from "./kinds.js";

/** Values with commas, tabs, semicolons or bars between them: what any file is taken for that is nothing else. */
export const csv: Reader = {
  ...kinds.csv,
  open: (paths, settings) => delimitedFiles(paths, settings),
};
