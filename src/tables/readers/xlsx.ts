import { readFile } from "node:fs/promises";
import { needed } from "../needed.js";
import type { Reader } from "../reader.js";
import { kinds } from "./kinds.js";

/** Workbooks of Excel and its kin. */
export const xlsx: Reader = {
  ...kinds.xlsx,
  async open(paths, settings) {
    const { inNode } = await needed(() => import("../excel/in-node.js"));
    const { workbookTable } = await import("../excel/workbook-table.js");
    const files = paths.map((path) => ({ name: path, whole: () => readFile(path) }));
    return workbookTable(files, settings, inNode);
  },
};
