import { needed } from "../needed.js";
import type { Reader } from "../reader.js";
import { kinds } from "./kinds.js";

/** Workbooks of Excel and its kin. */
export const xlsx: Reader = {
  ...kinds.xlsx,
  async open(paths, settings) {
    const { workbookTable } = await needed(() => import("../excel/workbook-table.js"));
    return workbookTable(paths, settings);
  },
};
