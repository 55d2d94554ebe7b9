import { asUtf8 } from "../packed/as-utf8.js";
import type { Reader } from "../reader.js";
import { delimitedTable } from "./delimited-table.js";
import { kinds } from "./kinds.js";

/** Values with commas, tabs, semicolons or bars between them: what any file is taken for that is nothing else. */
export const csv: Reader = {
  ...kinds.csv,
  open: (paths, settings) => asUtf8(paths, settings, (texts) => delimitedTable(texts, settings)),
};
