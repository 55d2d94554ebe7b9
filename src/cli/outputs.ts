/** Where results go. Nothing that exists is overwritten, and what cannot be written is known before the work. */

import { existsSync } from "node:fs";
import { SparrowError } from "../errors.js";
import { checkTablePath } from "../tables/write.js";

export function checkNew(path: string): void {
  if (existsSync(path)) {
    throw new SparrowError(`${path} exists already; choose another --out or remove it first.`);
  }
}

/** The same for a table, whose name must tell its format. */
export function checkNewTable(path: string): void {
  checkNew(path);
  checkTablePath(path);
}
