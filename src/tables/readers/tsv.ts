import { asUtf8 } from "../packed/as-utf8.js";
import type { Reader } from "../reader.js";
import { delimitedTable } from "./delimited-table.js";
import { kinds } from "./kinds.js";

/** Values with tabs between them, whatever else is in the header. */
export const tsv: Reader = {
  ...kinds.tsv,
  open: (paths, settings) => asUtf8(paths, settings, (texts) => delimitedTable(texts, settings, ["\t"])),
};
