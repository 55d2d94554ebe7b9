import { type Stats, statSync } from "node:fs";
import { SparrowError } from "../errors.js";

/** Bytes of all files together. */
export function totalSize(paths: readonly string[]): number {
  return paths.reduce((sum, path) => sum + statSync(path).size, 0);
}

/** Errors of a path at which nothing can be: too long, below a file, or a link that leads to itself. */
const NOWHERE = ["ENAMETOOLONG", "ENOTDIR", "ELOOP"];

/** What is at a path; undefined where nothing is. */
export function statsOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException;
    if (NOWHERE.includes(code)) return undefined;
    if (code !== "EACCES") throw error;
    throw new SparrowError(`${path} could not be read: it may not be opened; check its permissions.`, "file");
  }
}
