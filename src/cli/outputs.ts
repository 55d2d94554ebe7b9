/** Where results go. Nothing that exists is overwritten, and what cannot be written is known before the work. */

import { existsSync } from "node:fs";
import { SparrowError } from "../errors.js";
import { checkTablePath } from "../tables/write.js";
import { option } from "../wording.js";

export function checkNew(path: string): void {
  if (existsSync(path)) {
    throw new SparrowError(
      `${path} exists already; choose another ${option("out")} or remove it first.`,
      "write",
    );
  }
}

/** The same for a table, whose name must tell its format. */
export function checkNewTable(path: string): void {
  checkNew(path);
  checkTablePath(path);
}
