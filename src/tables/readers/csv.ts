import { asUtf8 } from "../packed/as-utf8.js";
import type { Reader } from "../reader.js";
import { delimitedTable } from "./delimited-table.js";

/** Values with commas, tabs, semicolons or bars between them: what any file is taken for that is nothing else. */
export const csv: Reader = {
  name: "csv",
  endings: ["csv"],
  matches: ({ isFolder }) => !isFolder,
  open: (paths, settings) => asUtf8(paths, settings, (texts) => delimitedTable(texts, settings)),
};
