import { needed } from "../needed.js";
import type { Reader } from "../reader.js";

/** Workbooks of Excel and its kin. */
export const xlsx: Reader = {
  name: "xlsx",
  endings: ["xlsx", "xlsm"],
  matches: (source) => !source.isFolder && source.start().startsWith("PK\u0003\u0004"),
  async open(paths, settings) {
    const { workbookTable } = await needed(() => import("../excel/workbook-table.js"));
    return workbookTable(paths, settings);
  },
};
